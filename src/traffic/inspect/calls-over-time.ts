/** Calls over time: in each second, or in longer bins of equal length where a recording is long. */
export type CallsOverTime = {
  readonly secondsPerBin: number
  /** Whole bins, without the rest of the recording. */
  readonly calls: readonly number[]
}

/** Enough for a chart, and few enough to keep. */
const maxBins = 512

/** Counts calls by second in memory of a given size: bins grow together by pairs when there is no room for a later one. */
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
