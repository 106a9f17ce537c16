import { isNumber, toNumber } from '../values/bson-types.ts'
import { type Draw } from '../values/draw-context.ts'
import { type GeneratorContext } from './generator.ts'

type Bounds<Bound> = { readonly min: Bound; readonly max: Bound }

/** Arguments that expressions may give: a bound is left to its default, or is the other one, until it is drawn. */
export const drawableBounds = { min: null, max: null } as const

/**
 * Draws the bounds of a range anew for each value, where an expression gives one of them. Undefined: both are fixed.
 * @param read Reads a bound. Undefined where the value is none.
 * @param wanted Names the type of a bound, for messages.
 */
export function drawBounds<Bound extends number | bigint>(
  fixed: Bounds<Bound>,
  { drawn, refuse }: GeneratorContext,
  read: (value: unknown) => Bound | undefined,
  wanted: string,
): Draw<Bounds<Bound>> | undefined {
  const [min, max] = [drawn.get('min'), drawn.get('max')]
  if (min === undefined && max === undefined) return undefined
  const one = (name: string, value: unknown): Bound => read(value) ?? refuse(`"${name}" must be ${wanted}`)
  return (drawContext) => {
    const low = min === undefined ? fixed.min : one('min', min(drawContext))
    const high = max === undefined ? fixed.max : one('max', max(drawContext))
    if (low > high) refuse(`"min" is above "max": ${low} and ${high}`)
    return { min: low, max: high }
  }
}

/** A whole number within a range. Undefined for all else. */
export function readWhole(value: unknown, min: number, max: number): number | undefined {
  const number = isNumber(value) ? toNumber(value) : Number.NaN
  return Number.isInteger(number) && number >= min && number <= max ? number : undefined
}
