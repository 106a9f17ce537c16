import { Decimal128 } from 'bson'
import { z } from 'zod'
import { mixIn, type Stream } from '../../core/random.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { type DrawContext } from '../values/draw-context.ts'
import { defineGenerator } from './generator.ts'

/** Digits that a decimal128 holds, all of them exact. */
const decimalDigits = 34
const coefficientLimit = 10n ** BigInt(decimalDigits)

const decimalPattern = /^([+-]?)(\d{0,50})(?:\.(\d{0,50}))?(?:[eE]([+-]?\d{1,4}))?$/

/** Whether a text is a decimal number, such as `12.50`, `-.5` or `1e-7`. */
export const isDecimalText = (text: string): boolean => decimalPattern.test(text) && /^[^eE]*\d/.test(text)

/** A decimal number in units of 10^-digits. Undefined when that is not a whole number, or more than a decimal128 holds. */
export function decimalUnits(text: string, digits: number): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = decimalPattern.exec(text) ?? []
  const magnitude = BigInt(`${whole}${fraction}`)
  const shift = digits + Number(exponent) - fraction.length
  const factor = 10n ** BigInt(Math.abs(shift))
  if (shift < 0 && magnitude % factor !== 0n) return undefined
  const units = shift < 0 ? magnitude / factor : magnitude * factor
  if (units >= coefficientLimit) return undefined
  return sign === '-' ? -units : units
}

const decimalBytes = 16

/**
 * A decimal128 of a number of units of 10^-digits. Parsing a text takes bson some twenty times as long.
 * @param units Their magnitude is below 10^34.
 */
export function toDecimal128(units: number | bigint, digits: number): Decimal128 {
  const bytes = Buffer.allocUnsafe(decimalBytes)
  writeDecimal128(bytes, 0, units, digits)
  return new Decimal128(bytes)
}

/**
 * Writes a decimal128 of a number of units of 10^-digits (IEEE 754-2008, 3.5.2, in BSON's order): 113 bits of coefficient, the
 * exponent biased by 6176, the sign.
 */
function writeDecimal128(bytes: Buffer, at: number, units: number | bigint, digits: number): void {
  const top = ((6176 - digits) << 17) | (units < 0 ? 1 << 31 : 0)
  if (typeof units === 'number') {
    const magnitude = Math.abs(units)
    bytes.writeUInt32LE(magnitude >>> 0, at)
    bytes.writeUInt32LE(Math.floor(magnitude / 2 ** 32), at + 4)
    bytes.writeUInt32LE(0, at + 8)
    bytes.writeInt32LE(top, at + 12)
  } else {
    const magnitude = units < 0n ? -units : units
    bytes.writeBigUInt64LE(BigInt.asUintN(64, magnitude), at)
    bytes.writeBigUInt64LE(magnitude >> 64n, at + 8)
    bytes.writeInt32LE(top | bytes.readInt32LE(at + 12), at + 12)
  }
}

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

export const decimal = defineGenerator({
  keyword: '@decimal',
  summary: 'A uniformly distributed decimal128 with `digits` decimals.',
  args: z
    .strictObject({
      min: decimal128
        .prefault(0)
        .describe('Minimum, inclusive: a number, or a text where a number would not be exact. Default 0.'),
      max: decimal128.prefault(1).describe('Maximum, inclusive. Default 1.'),
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
