import { RecentMap } from '../../core/recent-map.ts'
import { type Arrivals, computeBurstSize } from '../../load/plan/arrival-times.ts'
import { type CallsOverTime, countOverTime } from './calls-over-time.ts'

/** How calls arrived. */
export type ArrivalSummary = {
  readonly perSecond: number
  /** Calls in the fullest second. */
  readonly maxPerSecond: number
  /**
   * Variance of the calls in 100 ms divided by their mean: 1 where they come randomly (Poisson), more in bursts, less in step. It is
   * that of neighbouring windows, half the mean square of their difference, so that a rate that rises and falls is no burst. Null: too few windows.
   */
  readonly dispersion: number | null
  readonly overTime: CallsOverTime
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
  readonly result: (durationUs: number) => ArrivalSummary
} {
  const windows = new RecentMap<number, number>(minKept)
  const seconds = new RecentMap<number, number>(minKept)
  const overTime = countOverTime()
  const callsIn = (window: number): number => windows.get(window) ?? 0
  let calls = 0
  let callsInFirst = 0
  /** Sums over the calls of all windows: of their squares, and of their products with those of the next window. */
  let squares = 0
  let products = 0
  let maxPerSecond = 0
  return {
    add(startUs) {
      calls++
      const window = Math.floor(startUs / windowUs)
      if (window === 0) callsInFirst++
      squares += 2 * increment(windows, window) - 1
      products += callsIn(window - 1) + callsIn(window + 1)
      const second = Math.floor(window / windowsPerSecond)
      maxPerSecond = Math.max(maxPerSecond, increment(seconds, second))
      overTime.add(second)
    },
    result(durationUs) {
      const number = Math.floor(durationUs / windowUs)
      // The last window is not whole.
      const [last, inNotWhole] = [callsIn(number - 1), callsIn(number)]
      const differences =
        2 * (squares - inNotWhole ** 2) - callsInFirst ** 2 - last ** 2 - 2 * (products - last * inNotWhole)
      const mean = (calls - inNotWhole) / number
      return {
        perSecond: durationUs > 0 ? (calls / durationUs) * 1_000_000 : 0,
        maxPerSecond,
        dispersion: number < minWindows || mean === 0 ? null : differences / 2 / (number - 1) / mean,
        overTime: overTime.result(Math.floor(durationUs / 1_000_000)),
      }
    },
  }
}

/** Bounds within which arrivals are taken for those of a Poisson process. */
const random = { min: 0.5, max: 1.5 }

/** The arrivals of an open load that come as these did. */
export function toArrivals(dispersion: number | null): Arrivals {
  if (dispersion !== null && dispersion < random.min) return 'constant'
  if (dispersion === null || dispersion <= random.max) return 'poisson'
  return { burstsOf: Number(computeBurstSize(dispersion).toPrecision(2)) }
}

/** @returns the count. */
function increment(counts: RecentMap<number, number>, key: number): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}
