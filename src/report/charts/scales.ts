import { formatNumber } from '../../core/quantities.ts'
import { computeRange } from '../../metrics/statistics.ts'
import { type Tick } from './picture.ts'

const rangeForLog = 50

/** Logarithmic if small values would otherwise be invisible: all above 0, and the maximum over 50 times the minimum. */
export function scaleFor(values: readonly number[], wanted?: 'linear' | 'log' | undefined): 'linear' | 'logarithmic' {
  const { min, max } = computeRange(values)
  const canBeLog = values.length > 0 && min > 0
  if (wanted !== undefined) return wanted === 'log' && canBeLog ? 'logarithmic' : 'linear'
  return canBeLog && max / min > rangeForLog ? 'logarithmic' : 'linear'
}

/** The share of a logarithmic axis that is left free at each end. */
const roomAtEnds = 0.05
const minFactorAtEnds = 1.05

/** The ends of a logarithmic axis: a little beyond the values. */
export function logRange(values: readonly number[]): readonly [min: number, max: number] {
  const { min, max } = computeRange(values)
  const factor = Math.max(minFactorAtEnds, (max / min) ** roomAtEnds)
  return [min / factor, max * factor]
}

const minTicks = 4
const maxTicks = 9
const decadeSteps = [[1, 2, 5], [1]] as const

/**
 * Ticks between the ends of a logarithmic axis: 1, 2, 5, 10, 20 and so on, only powers of ten for a wide range, and steps of
 * the same size for a narrow one.
 * @param limit Maximum number of ticks. Default 9.
 */
export function logTicks([from, to]: readonly [min: number, max: number], limit: number = maxTicks): readonly Tick[] {
  const [first, last] = [Math.floor(Math.log10(from)), Math.floor(Math.log10(to))]
  const exponents = Array.from({ length: last - first + 1 }, (_, decade) => first + decade)
  const all = decadeSteps.map((steps) =>
    exponents
      .flatMap((exponent) => steps.map((step) => Number(`${step}e${exponent}`)))
      .filter((tick) => tick >= from && tick <= to),
  )
  const isNarrow = (all[0]?.length ?? 0) < minTicks
  const fitting = all.find(({ length }) => length <= limit) ?? everyOther(all.at(-1) ?? [])
  return (isNarrow ? evenTicks(from, to, limit) : fitting).map(tickAt)
}

const everyOther = (ticks: readonly number[]): readonly number[] => ticks.filter((_, index) => index % 2 === 0)

/** Round steps of the same size. */
function evenTicks(from: number, to: number, limit: number): readonly number[] {
  const exponent = Math.floor(Math.log10(to - from)) - 1
  const step = [1, 2, 5, 10, 20].map((one) => Number(`${one}e${exponent}`)).find((one) => (to - from) / one <= limit)
  const width = step ?? to - from
  const first = Math.ceil(from / width)
  return Array.from({ length: Math.floor(to / width) - first + 1 }, (_, index) =>
    Number(((first + index) * width).toPrecision(6)),
  )
}

/** A tick with its number: "12,500", "0.05". */
export const tickAt = (value: number): Tick => ({
  value,
  label: formatNumber(value, { maximumSignificantDigits: Math.abs(value) >= 1000 ? 15 : 6 }),
})

/** A number on a bar: whole from 1000, else three significant digits. */
export const barNumber = (value: number): string =>
  formatNumber(value, Math.abs(value) >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 })
