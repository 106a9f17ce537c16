import { z } from 'zod'
import { type Json } from '../../core/json.ts'
import { mixIn } from '../../core/random.ts'
import { value } from '../value-schema.ts'
import { asDouble, isNumber, type NumberValue, toNumber } from '../values/bson-types.ts'
import { type DrawContext } from '../values/draw-context.ts'
import { hashValue } from '../values/size-and-hash.ts'
import { type GeneratorContext } from './generator.ts'

/** Arguments of all generators whose values follow each other in a series. */
export const signalFields = {
  of: value.optional().describe('The series: a number or a text, such as {"@var": "m.device"}. Default: there is one.'),
  tick: value.optional().describe('Its number in the series, such as {"@var": "m.tick"}. Default: the row number.'),
}

/** Schema of a number, or of two between which each series has its own. */
export const ownNumber = (number = z.number()) =>
  z.union([
    number.transform((fixed) => ({ min: fixed, max: fixed })),
    z
      .strictObject({ min: number.describe('Minimum.'), max: number.describe('Maximum.') })
      .refine(({ min, max }) => min <= max, '"min" is above "max"'),
  ])

export const digits = z.int().min(0).max(12).optional().describe('Decimals of the values, 0 to 12. Default: all.')

type Arguments = { readonly of?: Json | undefined; readonly tick?: Json | undefined }

/**
 * Compiles values of series.
 * @param make Makes the value at a tick. All that it draws depends on the key of the series.
 */
export function compileSignal(
  { of = 0, tick }: Arguments,
  context: GeneratorContext,
  make: (key: number, tick: number, drawContext: DrawContext) => NumberValue,
): (drawContext: DrawContext) => NumberValue {
  const place = context.stream().at(0).uint32()
  const series = context.value(of, 'of').draw
  const ticks = tick === undefined ? ({ n }: DrawContext): number => n : context.value(tick, 'tick').draw
  return (drawContext) => {
    const { bytes, lane } = drawContext
    const key = mixIn(mixIn(place, hashValue(series(drawContext))), lane)
    const at = ticks(drawContext)
    if (!isNumber(at)) return context.refuse('"tick" must be a number')
    const made = make(key, Math.floor(toNumber(at)), drawContext)
    drawContext.bytes = bytes
    return made
  }
}

/** A random number of a series, in [0, 1). */
export const drawUniform = (key: number, number: number): number => mixIn(key, number) * 2 ** -32

/** A random number of a series with the mean 0 and the variance 1, triangular. */
export function drawNoise(key: number, number: number): number {
  const bits = mixIn(key, number) | 0
  return ((bits & 0xffff) + (bits >>> 16) - 0xffff) * (Math.sqrt(6) / 0xffff)
}

/** The number that a series has for a purpose: below 0, so that it is no tick. */
export const chooseOwn = ({ min, max }: { min: number; max: number }, key: number, purpose: number): number =>
  min === max ? min : min + drawUniform(key, purpose) * (max - min)

/** Makes doubles with a number of decimals. Undefined: with all of them. */
export function roundTo(decimals: number | undefined): (exact: number) => NumberValue {
  if (decimals === undefined) return asDouble
  const scale = 10 ** decimals
  return (exact) => asDouble(Math.round(exact * scale) / scale)
}
