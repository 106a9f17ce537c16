import { Decimal128 } from 'bson'

/** Digits that a decimal128 holds, all of them exact. */
export const decimalDigits = 34
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

/** Bytes of a decimal128. */
export const decimalBytes = 16

/**
 * A decimal128 of so many units of 10^-digits. Parsing a text takes bson some twenty times as long.
 * @param units Their magnitude is below 10^34.
 */
export function toDecimal128(units: number | bigint, digits: number): Decimal128 {
  const bytes = Buffer.allocUnsafe(decimalBytes)
  writeDecimal128(bytes, 0, units, digits)
  return new Decimal128(bytes)
}

/**
 * Writes a decimal128 of so many units of 10^-digits (IEEE 754-2008, 3.5.2, in BSON's order): 113 bits of coefficient, the
 * exponent biased by 6176, the sign.
 */
export function writeDecimal128(bytes: Buffer, at: number, units: number | bigint, digits: number): void {
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
