import { median, computeRange } from '../../metrics/statistics.ts'

/** A median and how far it can be trusted. */
export type MedianInterval = {
  readonly median: number
  readonly low: number
  readonly high: number
  readonly runs: number
}

/** How often the interval is to contain the true median. */
const confidence = 0.95

/**
 * The median with its interval of 95 % by order statistics, which assumes nothing about the form of the noise. Below six runs no interval is that
 * wide: minimum and maximum then. Null for no values.
 */
export function medianInterval(values: readonly number[]): MedianInterval | null {
  const middle = median(values)
  if (middle === null) return null
  const sorted = values.toSorted((a, b) => a - b)
  const left = leftOut(values.length)
  const { min, max } = computeRange(sorted.slice(left, sorted.length - left))
  return { median: middle, low: min, high: max, runs: values.length }
}

/** Values to leave out at each end: the median is beyond as many as that in a row only if as few of `runs` tosses of a coin are heads. */
function leftOut(runs: number): number {
  let [left, chance, tail] = [0, 0.5 ** runs, 0]
  for (;;) {
    tail += chance
    if (2 * tail > 1 - confidence || left * 2 >= runs) return Math.max(0, left - 1)
    chance *= (runs - left) / (left + 1)
    left += 1
  }
}
