import { z } from 'zod'
import { mixIn, type Stream } from '../random.ts'
import { decimalDigits, decimalUnits, isDecimalText, toDecimal128 } from '../values/decimal128.ts'
import { defineGenerator } from './generator.ts'

const text = z.string().refine(isDecimalText, 'must be a decimal number, such as "12.50"')

/** Kept as a text, so that nothing of it is lost. */
const decimal128 = z.union([
  z.number().transform(String),
  text,
  z.strictObject({ $numberDecimal: text }).transform((written) => written.$numberDecimal),
])

/** Whole numbers of a range, both ends included: as doubles where they are exact, which is some three times as fast. */
function wholeNumbers(least: bigint, greatest: bigint): (stream: Stream) => number | bigint {
  const [from, span] = [Number(least), Number(greatest - least + 1n)]
  const areSafe = [from, Number(greatest), span].every(Number.isSafeInteger)
  return areSafe ? (stream) => from + stream.below(span) : (stream) => least + stream.bigBelow(greatest - least + 1n)
}

const reason = `must fit a decimal128: not more decimals than "digits" says, and ${decimalDigits} digits in all`

export const decimal = defineGenerator({
  word: '@decimal',
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
      return { least: units.min ?? 0n, greatest: units.max ?? units.min ?? 0n, digits }
    })
    .refine(({ least, greatest }) => least <= greatest, '"min" is above "max"'),
  example: { min: 1, max: 499.99 },
  // Its hash would be that of a text, which is slow to make.
  countsItself: true,
  compile({ least, greatest, digits }, context) {
    const stream = context.stream()
    const drawUnits = wholeNumbers(least, greatest)
    return (moment) => {
      const units = drawUnits(stream.at(moment.n, moment.lane))
      moment.bytes += 16
      moment.hash = mixIn(moment.hash, typeof units === 'number' ? units : Number(BigInt.asIntN(32, units)))
      return toDecimal128(units, digits)
    }
  },
})
