import { z } from 'zod'
import { bsonType } from '../../protocol/bson/types.ts'
import { mixIn, type Stream } from '../../core/random.ts'
import {
  decimalBytes,
  decimalDigits,
  decimalUnits,
  isDecimalText,
  toDecimal128,
  writeDecimal128,
} from '../values/decimal128.ts'
import { type DrawContext } from '../values/draw-context.ts'
import { defineGenerator } from './generator.ts'

const text = z.string().refine(isDecimalText, 'must be a decimal number, such as "12.50"')

/** Kept as a text, so that no digit is lost. */
const decimal128 = z.union([
  z.number().transform(String),
  text,
  z.strictObject({ $numberDecimal: text }).transform((written) => written.$numberDecimal),
])

/** Draws whole numbers of a range, both ends included: as doubles where they are exact, which is some three times as fast. */
function wholeNumbers(min: bigint, max: bigint): (stream: Stream) => number | bigint {
  const [from, span] = [Number(min), Number(max - min + 1n)]
  const areSafe = [from, Number(max), span].every(Number.isSafeInteger)
  return areSafe ? (stream) => from + stream.below(span) : (stream) => min + stream.bigBelow(max - min + 1n)
}

const reason = `must fit a decimal128: no more decimals than "digits", and at most ${decimalDigits} digits in all`

/** The generator `@decimal`. */
export const decimal = defineGenerator({
  keyword: '@decimal',
  summary: 'A decimal128 of the range, each value with so many decimals equally often.',
  args: z
    .strictObject({
      min: decimal128
        .prefault(0)
        .describe('Least value, itself included: a number, or a text where a number would not be exact. Default 0.'),
      max: decimal128.prefault(1).describe('Greatest value, itself included. Default 1.'),
      digits: z.int().min(0).max(decimalDigits).default(2).describe('Decimals of every value, 0 to 34. Default 2.'),
    })
    .transform(({ min, max, digits }, context) => {
      const units = { min: decimalUnits(min, digits), max: decimalUnits(max, digits) }
      for (const end of ['min', 'max'] as const)
        if (units[end] === undefined) context.issues.push({ code: 'custom', message: reason, path: [end], input: end })
      return { min: units.min ?? 0n, max: units.max ?? units.min ?? 0n, digits }
    })
    .refine(({ min, max }) => min <= max, '"min" is above "max"'),
  example: { min: 1, max: 499.99 },
  // Hashing it as a text would be slow.
  countsItself: true,
  compile({ min, max, digits }, context) {
    const stream = context.stream()
    const drawUnits = wholeNumbers(min, max)
    const drawHashed = (drawContext: DrawContext): number | bigint => {
      const units = drawUnits(stream.at(drawContext.n, drawContext.lane))
      drawContext.bytes += decimalBytes
      drawContext.hash = mixIn(drawContext.hash, typeof units === 'number' ? units : Number(BigInt.asIntN(32, units)))
      return units
    }
    return {
      draw: (drawContext) => toDecimal128(drawHashed(drawContext), digits),
      write(drawContext, out) {
        out.reserve(decimalBytes)
        writeDecimal128(out.bytes, out.at, drawHashed(drawContext), digits)
        out.at += decimalBytes
        return bsonType.decimal128
      },
    }
  },
})
