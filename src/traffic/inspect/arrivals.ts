import { type Arrivals, computeBurstSize } from '../../load/plan/arrival-times.ts'
import { sum } from '../../metrics/statistics.ts'

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
}

const windowUs = 100_000
const windowsPerSecond = 10
/** Fewer windows say nothing. */
const minWindows = 50

/** Counts calls by the time at which they begin. */
export function createArrivals(): {
  readonly add: (startUs: number) => void
  readonly result: (durationUs: number) => ArrivalSummary
} {
  /** Calls by window; windows without calls are not there. */
  const windows = new Map<number, number>()
  const seconds = new Map<number, number>()
  let calls = 0
  return {
    add(startUs) {
      calls++
      const window = Math.floor(startUs / windowUs)
      increment(windows, window)
      increment(seconds, Math.floor(window / windowsPerSecond))
    },
    result(durationUs) {
      // The last window is not whole.
      const number = Math.floor(durationUs / windowUs)
      const variance =
        sum([...windows.keys()].map((window) => squaresAround(windows, window, number))) / 2 / (number - 1)
      return {
        perSecond: durationUs > 0 ? (calls / durationUs) * 1_000_000 : 0,
        maxPerSecond: [...seconds.values()].reduce((max, count) => Math.max(max, count), 0),
        dispersion: number < minWindows || calls === 0 ? null : variance / (calls / number),
      }
    },
  }
}

/** The squares of the differences between a window with calls and its neighbours, where the next one does not add the second. */
function squaresAround(windows: ReadonlyMap<number, number>, window: number, end: number): number {
  const [before = 0, count = 0, after] = [-1, 0, 1].map((offset) => windows.get(window + offset))
  if (window >= end) return 0
  const isBeforeEmptyOne = after === undefined && window + 1 < end
  return (window === 0 ? 0 : (count - before) ** 2) + (isBeforeEmptyOne ? count ** 2 : 0)
}

/** Bounds within which arrivals are taken for those of a Poisson process. */
const random = { min: 0.7, max: 1.5 }

/** The arrivals of an open load that come as these did. */
export function toArrivals(dispersion: number | null): Arrivals {
  if (dispersion !== null && dispersion < random.min) return 'constant'
  if (dispersion === null || dispersion <= random.max) return 'poisson'
  return { burstsOf: Number(computeBurstSize(dispersion).toPrecision(2)) }
}

const increment = (counts: Map<number, number>, key: number): void => void counts.set(key, (counts.get(key) ?? 0) + 1)
