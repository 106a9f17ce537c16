/** Calls over time: per second, or in longer bins of equal length for a long recording. */
export type CallsOverTime = {
  readonly secondsPerBin: number
  /** Calls in each complete bin. */
  readonly calls: readonly number[]
}

/** Maximum number of bins: enough for a chart. */
const maxBins = 512

/** Counts calls by second in constant memory: pairs of bins are merged when a later one does not fit. */
export function countOverTime(): {
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
