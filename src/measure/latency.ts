import { encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js'
import { type Latency } from '../results/schema/latency.ts'
import { clampUs, createHistogram } from './histogram.ts'

/** Samples of one operation and one outcome: a histogram for percentiles, the rest exact. All in integer microseconds. */
export type LatencySamples = {
  readonly histogram: Histogram
  count: number
  sumUs: number
  minUs: number
  maxUs: number
  /** Samples outside of the histogram's range, counted at its nearest end. */
  clamped: number
}

export function emptySamples(): LatencySamples {
  return { histogram: createHistogram(), count: 0, sumUs: 0, minUs: Infinity, maxUs: 0, clamped: 0 }
}

/** Never throws: a sample that the histogram cannot take is clamped and counted. */
export function addSample(samples: LatencySamples, us: number): void {
  const clampedUs = clampUs(us)
  if (clampedUs !== us) samples.clamped += 1
  samples.histogram.recordValue(clampedUs)
  samples.count += 1
  samples.sumUs += us
  if (us < samples.minUs) samples.minUs = us
  if (us > samples.maxUs) samples.maxUs = us
}

/** What the result keeps of samples. There must be at least one. */
export function toLatency({ histogram, count, sumUs, minUs, maxUs, clamped }: LatencySamples): Latency {
  // A percentile is the upper end of its bucket, which may lie above the largest sample.
  const percentileMs = (percentile: number): number =>
    Math.max(minUs, Math.min(maxUs, histogram.getValueAtPercentile(percentile))) / 1000
  return {
    count,
    meanMs: sumUs / count / 1000,
    minMs: minUs / 1000,
    maxMs: maxUs / 1000,
    p50Ms: percentileMs(50),
    p95Ms: percentileMs(95),
    p99Ms: percentileMs(99),
    p999Ms: percentileMs(99.9),
    clamped,
    histogram: encodeIntoCompressedBase64(histogram),
  }
}
