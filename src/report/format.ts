import { type Cell } from './rows.ts'

/**
 * A cell as text: no thousands separators, empty for what is not known.
 * @param digits Decimals; null prints a number as it is written, for parameters.
 */
export function cellText(cell: Cell, digits: number | null): string {
  if (cell === null) return ''
  if (typeof cell === 'string' || digits === null) return String(cell)
  return numberText(cell, digits)
}

/** Decimals as told, but a small number is never shown as 0: it keeps two significant digits. */
export function numberText(value: number, digits: number): string {
  const text = value.toFixed(digits)
  if (value === 0 || Number(text) !== 0) return text
  return value.toFixed(Math.min(20, 1 - Math.floor(Math.log10(Math.abs(value)))))
}
