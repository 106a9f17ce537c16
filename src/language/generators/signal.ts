import { z } from 'zod'
import { type Json } from '../../core/json.ts'
import { mixIn } from '../../core/random.ts'
import { value } from '../value-schema.ts'
import { isNumber, toNumber } from '../values/bson-types.ts'
import { type DrawContext } from '../values/draw-context.ts'
import { hashValue } from '../values/size-and-hash.ts'
import { type GeneratorContext } from './generator.ts'

/** Arguments of all generators whose values follow each other in a series. */
export const signalFields = {
  of: value
    .optional()
    .describe('Which series: a number or a text, such as {"@var": "m.device"}. Default: there is one.'),
  tick: value
    .optional()
    .describe(
      'Number of the value in its series, from 0, such as {"@var": "m.tick"}. Default: the number of the row or call.',
    ),
}

/** Schema of a number that is the same for all series, or that each series draws for itself. */
export const ownNumber = z.union([
  z.number().transform((fixed) => ({ min: fixed, max: fixed })),
  z
    .strictObject({ min: z.number().describe('Minimum.'), max: z.number().describe('Maximum.') })
    .refine(({ min, max }) => min <= max, '"min" is above "max"'),
])

/** Schema of the number of decimals to which values are rounded. */
export const digits = z
  .int()
  .min(0)
  .max(12)
  .optional()
  .describe('Decimals to which values are rounded, 0 to 12: sensors have few. Default: not rounded.')

type Range = z.output<typeof ownNumber>

/** A value of a series to be drawn. The same object for all draws. */
export type Signal = { key: number; tick: number }

/** Compiles the arguments that say which value of which series is drawn. */
export function compileSignal(
  { of, tick }: { readonly of?: Json | undefined; readonly tick?: Json | undefined },
  context: GeneratorContext,
): (drawContext: DrawContext) => Signal {
  const key = context.stream().at(0).uint32()
  const drawSeries = of === undefined ? undefined : context.value(of, 'of').draw
  const drawTick = tick === undefined ? undefined : context.value(tick, 'tick').draw
  const signal: Signal = { key, tick: 0 }
  return (drawContext) => {
    const { bytes, lane, n } = drawContext
    const ofSeries = drawSeries === undefined ? 0 : hashValue(drawSeries(drawContext))
    const at = drawTick === undefined ? n : drawTick(drawContext)
    if (!isNumber(at)) return context.refuse('"tick" must be a number')
    drawContext.bytes = bytes
    signal.key = mixIn(mixIn(key, ofSeries), lane)
    signal.tick = Math.floor(toNumber(at))
    return signal
  }
}

/** A random number of a series, in [0, 1): the same for the same number of 32 bits. */
export const uniformOf = (key: number, number: number): number => mixIn(key, number) * 2 ** -32

/** A random number of a series with the mean 0 and the variance 1, triangular. */
export function noiseOf(key: number, number: number): number {
  const bits = mixIn(key, number) | 0
  return ((bits & 0xffff) + (bits >>> 16) - 0xffff) * triangular
}

const triangular = Math.sqrt(6) / 0xffff

/** The number of a series: drawn for it where there is a range. */
export const chooseOwn = ({ min, max }: Range, key: number, purpose: number): number =>
  min === max ? min : min + uniformOf(key, -purpose) * (max - min)

/** Returns a function that rounds to a number of decimals. */
export function createRounding(decimals: number | undefined): (exact: number) => number {
  if (decimals === undefined) return (exact) => exact
  const scale = 10 ** decimals
  return (exact) => Math.round(exact * scale) / scale
}
