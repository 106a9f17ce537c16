import { RecentMap } from '../../core/recent-map.ts'

/** How calls arrive. */
export type Arrivals = {
  readonly perSecond: number
  /** Calls in the fullest second. */
  readonly maxPerSecond: number
  /** Variance of the calls in 100 ms divided by their mean: 1 as by chance (Poisson), more in bursts, less in step. Null: too few windows. */
  readonly dispersion: number | null
}

const windowUs = 100_000
const windowsPerSecond = 10
/** Fewer windows say nothing. */
const minWindows = 50
/** Calls come at most so many windows, or seconds, after later ones: see `RecordedCall.startUs`. */
const minKept = 1000

/** Counts calls by the time at which they begin, in memory that does not grow with their number. */
export function createArrivals(): {
  readonly add: (startUs: number) => void
  readonly result: (durationUs: number) => Arrivals
} {
  const windows = new RecentMap<number, number>(minKept)
  const seconds = new RecentMap<number, number>(minKept)
  let calls = 0
  /** Of the calls in each window. */
  let squares = 0
  let maxPerSecond = 0
  return {
    add(startUs) {
      calls++
      const window = Math.floor(startUs / windowUs)
      squares += 2 * increment(windows, window) - 1
      maxPerSecond = Math.max(maxPerSecond, increment(seconds, Math.floor(window / windowsPerSecond)))
    },
    result(durationUs) {
      const number = Math.floor(durationUs / windowUs)
      const mean = calls / number
      // The last window is not whole.
      const last = windows.get(number) ?? 0
      const deviations = squares - last ** 2 - 2 * mean * (calls - last) + number * mean ** 2
      return {
        perSecond: durationUs > 0 ? (calls / durationUs) * 1_000_000 : 0,
        maxPerSecond,
        dispersion: number < minWindows || calls === 0 ? null : deviations / number / mean,
      }
    },
  }
}

/** @returns the count. */
function increment(counts: RecentMap<number, number>, key: number): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}
