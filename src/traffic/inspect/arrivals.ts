import { RecentMap } from '../../core/recent-map.ts'
import { type Arrivals, computeBurstSize } from '../../load/plan/arrival-times.ts'

/** Calls over time: per second, or in longer bins of equal length for a long recording. */
export type CallsOverTime = {
  readonly secondsPerBin: number
  /** Calls in each complete bin. */
  readonly calls: readonly number[]
}

/** How calls arrived. */
export type ArrivalSummary = {
  readonly perSecond: number
  /** Maximum number of calls in a second. */
  readonly maxPerSecond: number
  /**
   * Variance of the calls per 100 ms divided by their mean: 1 for random arrivals (Poisson), more for bursts, less for even ones. The variance is
   * half the mean squared difference of neighbouring windows, so that a slowly changing rate is not a burst. Null: too few windows.
   */
  readonly dispersion: number | null
  readonly overTime: CallsOverTime
}

const windowUs = 100_000
const windowsPerSecond = 10
/** Minimum number of windows for a dispersion. */
const minWindows = 50
/** Maximum number of windows, or seconds, by which a call may be late in the file: see `RecordedCall.startUs`. */
const minKept = 1000

/** Counts calls by their start, in constant memory. */
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
  let firstSecond: number | undefined
  return {
    add(startUs) {
      calls++
      const window = Math.floor(startUs / windowUs)
      if (window === 0) callsInFirst++
      squares += 2 * increment(windows, window) - 1
      products += callsIn(window - 1) + callsIn(window + 1)
      const second = Math.floor(window / windowsPerSecond)
      maxPerSecond = Math.max(maxPerSecond, increment(seconds, second))
      // As --from and --until count.
      overTime.add(Math.max(0, second - (firstSecond ??= second)))
    },
    result(durationUs) {
      const number = Math.floor(durationUs / windowUs)
      // The last window is incomplete.
      const [last, inNotWhole] = [callsIn(number - 1), callsIn(number)]
      const differences =
        2 * (squares - inNotWhole ** 2) - callsInFirst ** 2 - last ** 2 - 2 * (products - last * inNotWhole)
      const mean = (calls - inNotWhole) / number
      return {
        perSecond: durationUs > 0 ? (calls / durationUs) * 1_000_000 : 0,
        maxPerSecond,
        dispersion: number < minWindows || mean === 0 ? null : differences / 2 / (number - 1) / mean,
        overTime: overTime.result(Math.floor(durationUs / 1_000_000) - (firstSecond ?? 0)),
      }
    },
  }
}

/** Maximum number of bins: enough for a chart. */
const maxBins = 512

/** Counts calls by second in constant memory: pairs of bins are merged when a later one does not fit. */
function countOverTime(): {
  readonly add: (second: number) => void
  readonly result: (seconds: number) => CallsOverTime
} {
  let secondsPerBin = 1
  let calls = Array.from({ length: maxBins }, () => 0)

  function makeRoom(seconds: number): void {
    while (seconds > secondsPerBin * maxBins) {
      secondsPerBin *= 2
      const narrow = calls
      calls = narrow.map((_, i) => (narrow[2 * i] ?? 0) + (narrow[2 * i + 1] ?? 0))
    }
  }

  return {
    add(second) {
      makeRoom(second + 1)
      const bin = Math.floor(second / secondsPerBin)
      calls[bin] = (calls[bin] ?? 0) + 1
    },
    result(seconds) {
      makeRoom(seconds)
      return { secondsPerBin, calls: calls.slice(0, Math.floor(seconds / secondsPerBin)) }
    },
  }
}

/** Dispersions that are taken for a Poisson process. */
const random = { min: 0.5, max: 1.5 }

/** Chooses the arrivals of an open load that match a dispersion. */
export function toArrivals(dispersion: number | null): Arrivals {
  if (dispersion !== null && dispersion < random.min) return 'constant'
  if (dispersion === null || dispersion <= random.max) return 'poisson'
  return { burstsOf: Number(computeBurstSize(dispersion).toPrecision(2)) }
}

/** Adds one. @returns the new count. */
function increment(counts: RecentMap<number, number>, key: number): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}
