import { rangeOf } from '../../metrics/statistics.ts'
import { type Tick } from './picture.ts'

const rangeForLog = 50

/** Logarithmic if small values would otherwise be invisible: all above 0, and the maximum over 50 times the minimum. */
export function scaleFor(values: readonly number[], wanted?: 'linear' | 'log' | undefined): 'linear' | 'logarithmic' {
  const { min, max } = rangeOf(values)
  const canBeLog = values.length > 0 && min > 0
  if (wanted !== undefined) return wanted === 'log' && canBeLog ? 'logarithmic' : 'linear'
  return canBeLog && max / min > rangeForLog ? 'logarithmic' : 'linear'
}

/** Ticks 1, 2, 5, 10, 20 and so on that enclose the values; only powers of ten for a wide range. */
export function logTicks(values: readonly number[]): readonly Tick[] {
  const { min: smallest, max: largest } = rangeOf(values)
  const first = Math.floor(Math.log10(smallest))
  const last = Math.ceil(Math.log10(largest))
  const steps = last - first > 3 ? [1] : [1, 2, 5]
  const ticks = Array.from({ length: last - first + 1 }, (_, decade) => first + decade).flatMap((exponent) =>
    steps.map((step) => Number(`${step}e${exponent}`)),
  )
  const from = ticks.findLast((tick) => tick <= smallest) ?? smallest
  const to = ticks.find((tick) => tick >= largest) ?? largest
  return ticks.filter((tick) => tick >= from && tick <= to).map((value) => ({ value, label: axisNumber(value) }))
}

/** A number at a tick: "12,500", "0.05". */
function axisNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: Math.abs(value) >= 1000 ? 15 : 6 })
}

/** A number on a bar: whole from 1000, else three significant digits. */
export function barNumber(value: number): string {
  const digits = Math.abs(value) >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 }
  return value.toLocaleString('en-US', digits)
}
