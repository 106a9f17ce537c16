import { build, type Histogram } from 'hdr-histogram-js'

/** Range of a histogram in microseconds: 1 µs to 10 min. */
const shortestUs = 1
const longestUs = 600_000_000

/**
 * Fixed range, three significant digits: 85 KiB, never resized. Plain JavaScript: the WASM form needs an explicit destroy
 * for each, and nothing is gained below 20,000 operations per second.
 */
export function createHistogram(): Histogram {
  return build({
    bitBucketSize: 32,
    autoResize: false,
    lowestDiscernibleValue: shortestUs,
    highestTrackableValue: longestUs,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  })
}

/** The nearest value that a histogram takes: outside of its range it would throw. */
export function clampUs(us: number): number {
  if (us > longestUs) return longestUs
  return us >= shortestUs ? us : shortestUs
}
