import { rangeOf } from '../statistics.ts'
import { type Tick } from './picture.ts'

const rangeForLog = 50

/** Logarithmic when small values would otherwise lie on the axis: all above 0, the largest over 50 times the smallest. */
export function scaleFor(values: readonly number[], wanted?: 'linear' | 'log' | undefined): 'linear' | 'logarithmic' {
  const { min, max } = rangeOf(values)
  const canBeLog = values.length > 0 && min > 0
  if (wanted !== undefined) return wanted === 'log' && canBeLog ? 'logarithmic' : 'linear'
  return canBeLog && max / min > rangeForLog ? 'logarithmic' : 'linear'
}

/** 1, 2, 5, 10, 20 and so on, from below the smallest value to above the largest; powers of ten alone over a long range. */
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

/** For reading off a chart: "12,500", "0.05". */
function axisNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: Math.abs(value) >= 1000 ? 15 : 6 })
}

/** For the top of a bar: whole from 1000 up, else three digits that count. */
export function barNumber(value: number): string {
  const digits = Math.abs(value) >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 }
  return value.toLocaleString('en-US', digits)
}
