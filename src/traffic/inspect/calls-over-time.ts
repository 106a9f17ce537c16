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
  const widen = (): void => {
    secondsPerBin *= 2
    calls = calls.map((_, i) => (calls[2 * i] ?? 0) + (calls[2 * i + 1] ?? 0))
  }
  return {
    add(second) {
      while (second >= secondsPerBin * maxBins) widen()
      const bin = Math.floor(second / secondsPerBin)
      calls[bin] = (calls[bin] ?? 0) + 1
    },
    result(seconds) {
      while (seconds > secondsPerBin * maxBins) widen()
      return { secondsPerBin, calls: calls.slice(0, Math.floor(seconds / secondsPerBin)) }
    },
  }
}
