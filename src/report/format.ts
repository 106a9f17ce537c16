import { type Cell } from './rows.ts'

/**
 * Decimals to print; `upTo`: without zeros at their end. Null: a number as it is written, for parameters; "significant":
 * three digits that count.
 */
export type Digits = Decimals | 'significant' | null

export type Decimals = number | { readonly upTo: number }

/** A cell as text: no thousands separators, empty for what is not known. */
export function cellText(cell: Cell, digits: Digits): string {
  if (cell === null) return ''
  if (typeof cell === 'string' || digits === null) return String(cell)
  if (digits === 'significant') return readableNumber(cell)
  return typeof digits === 'number' ? numberText(cell, digits) : withoutLastZeros(numberText(cell, digits.upTo))
}

/** Whole from 100 up, else three digits that count; whole numbers as they are. */
export function readableNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return value.toFixed(0)
  return String(Number(value.toPrecision(3)))
}

/** Decimals as told, but a small number is never shown as 0: it keeps two significant digits. */
export function numberText(value: number, digits: number): string {
  const text = value.toFixed(digits)
  if (value === 0 || Number(text) !== 0) return text
  return value.toFixed(Math.min(20, 1 - exponentOf(value)))
}

/** Of ten, once the number has been rounded to two significant digits. */
function exponentOf(value: number): number {
  const [, exponent] = value.toExponential(1).split('e')
  return Number(exponent)
}

const withoutLastZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
