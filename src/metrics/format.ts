import { groupDigits } from '../core/quantities.ts'
import { meanInterval } from '../statistics/estimate.ts'
import { type Cell } from './rows/rows.ts'
import { computeRange } from './statistics.ts'

/**
 * Decimals to print; `upTo`: without trailing zeros. Null: a number as it is written, for parameters. "significant":
 * three significant digits.
 */
export type Digits = Decimals | 'significant' | null

/** Number of decimals; `upTo` drops trailing zeros. */
export type Decimals = number | { readonly upTo: number }

/** A cell as text for people; empty if unknown. */
export function cellText(cell: Cell, digits: Digits): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return cell
  if (digits === null) return groupDigits(cell)
  if (digits === 'significant') return readableNumber(cell)
  const decimals = Math.min(typeof digits === 'number' ? digits : digits.upTo, usefulDecimals(cell))
  return typeof digits === 'number' ? numberText(cell, decimals) : withoutLastZeros(numberText(cell, decimals))
}

/** Digits that any spread of runs leaves: 18137 and 243.3, but 87.45. */
const usefulDigits = 4

const usefulDecimals = (value: number): number =>
  Math.abs(value) < 1 ? Infinity : Math.max(0, usefulDigits - 1 - Math.floor(Math.log10(Math.abs(value))))

/** A number of a sentence: whole from 100, else three significant digits; integers unchanged. */
export const readableNumber = (value: number): string =>
  Number.isInteger(value) || Math.abs(value) >= 100
    ? groupDigits(value.toFixed(0))
    : String(Number(value.toPrecision(3)))

/** A ratio: three decimals where effects of a few percent are. */
export const ratioText = (ratio: number): string => (ratio < 10 ? numberText(ratio, 3) : readableNumber(ratio))

/** A number with fixed decimals. A small number is never shown as 0: it keeps two significant digits. */
export function numberText(value: number, digits: number): string {
  const text = value.toFixed(digits)
  if (value === 0 || Number(text) !== 0) return groupDigits(text)
  return value.toFixed(Math.min(20, 1 - getExponent(value)))
}

/** The decimal exponent of a number rounded to two significant digits. */
function getExponent(value: number): number {
  const [, exponent] = value.toExponential(1).split('e')
  return Number(exponent)
}

const withoutLastZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** How far runs lie apart: an interval of 95 % of their mean, or just the lowest and the highest of them. */
export type RunRange = { readonly kind: 'interval' | 'ends'; readonly low: number; readonly high: number }

/** The range of the values of runs: an interval with six or more runs. Null for a single value. */
export function rangeOfRuns(values: readonly number[]): RunRange | null {
  if (values.length < 2) return null
  const interval = computeInterval(values)
  if (interval !== null) return { kind: 'interval', low: interval.low, high: interval.high }
  const { min, max } = computeRange(values)
  return { kind: 'ends', low: min, high: max }
}

/** Half the width of the interval of 95 % in percent of the mean. Null for fewer than six runs. */
export function halfWidthPercent(values: readonly number[]): number | null {
  const interval = computeInterval(values)
  return interval && ((interval.high - interval.low) / 2 / interval.mean) * 100
}

/** Logarithms need values above 0. */
const computeInterval = (values: readonly number[]): ReturnType<typeof meanInterval> =>
  values.every((value) => value > 0) ? meanInterval(values) : null

/** "5281 to 5491 (95 %)" or "5228 to 5491 (min, max)" */
export function rangeText({ kind, low, high }: RunRange, digits: Digits): string {
  return `${cellText(low, digits)} to ${cellText(high, digits)} (${kind === 'interval' ? '95 %' : 'min, max'})`
}
