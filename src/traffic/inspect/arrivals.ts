/** How calls arrive. */
export type Arrivals = {
  readonly perSecond: number
  /** Calls in the fullest second. */
  readonly maxPerSecond: number
  /** Variance of the calls in 100 ms divided by their mean: 1 as by chance (Poisson), more in bursts, less in step. Null: too few windows. */
  readonly dispersion: number | null
  /** Calls of each second that has any, in order. */
  readonly bySecond: readonly (readonly [second: number, calls: number])[]
}

const windowUs = 100_000
const windowsPerSecond = 10
/** Fewer windows say nothing. */
const minWindows = 50

/** Counts calls by the time at which they begin. */
export function createArrivals(): {
  readonly add: (startUs: number) => void
  readonly result: (durationUs: number) => Arrivals
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
      const number = Math.floor(durationUs / windowUs)
      const mean = calls / number
      // The last window is not whole.
      const counts = [...windows].filter(([window]) => window < number).map(([, count]) => count)
      const squares = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0)
      const empty = (number - counts.length) * mean ** 2
      return {
        perSecond: durationUs > 0 ? (calls / durationUs) * 1_000_000 : 0,
        maxPerSecond: [...seconds.values()].reduce((max, count) => Math.max(max, count), 0),
        dispersion: number < minWindows || calls === 0 ? null : (squares + empty) / number / mean,
        bySecond: [...seconds].toSorted(([one], [other]) => one - other),
      }
    },
  }
}

const increment = (counts: Map<number, number>, key: number): void => void counts.set(key, (counts.get(key) ?? 0) + 1)
