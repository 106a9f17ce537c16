import { type Cell } from './rows.ts'

/**
 * Decimals to print; `upTo`: without trailing zeros. Null: a number as it is written, for parameters. "significant":
 * three significant digits.
 */
export type Digits = Decimals | 'significant' | null

/** Number of decimals; `upTo` drops trailing zeros. */
export type Decimals = number | { readonly upTo: number }

/** A cell as text, without thousands separators; empty if unknown. */
export function cellText(cell: Cell, digits: Digits): string {
  if (cell === null) return ''
  if (typeof cell === 'string' || digits === null) return String(cell)
  if (digits === 'significant') return readableNumber(cell)
  return typeof digits === 'number' ? numberText(cell, digits) : withoutLastZeros(numberText(cell, digits.upTo))
}

/** Whole from 100, else three significant digits; integers unchanged. */
export function readableNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return value.toFixed(0)
  return String(Number(value.toPrecision(3)))
}

/** A ratio: three decimals where effects of a few percent are. */
export const ratioText = (ratio: number): string => (ratio < 10 ? numberText(ratio, 3) : readableNumber(ratio))

/** A number with fixed decimals. A small number is never shown as 0: it keeps two significant digits. */
export function numberText(value: number, digits: number): string {
  const text = value.toFixed(digits)
  if (value === 0 || Number(text) !== 0) return text
  return value.toFixed(Math.min(20, 1 - getExponent(value)))
}

/** The decimal exponent of a number rounded to two significant digits. */
function getExponent(value: number): number {
  const [, exponent] = value.toExponential(1).split('e')
  return Number(exponent)
}

const withoutLastZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
