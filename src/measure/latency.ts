import { decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js'
import { type Latency } from '../results/schema.ts'
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

/** All samples of several latencies as one: of the operations of a phase, or of the runs of a row. Null when there are none. */
export function mergeLatencies(latencies: readonly (Latency | null)[]): Latency | null {
  const merged = emptySamples()
  for (const latency of latencies) {
    if (!latency) continue
    merged.histogram.add(decodeFromCompressedBase64(latency.histogram))
    merged.count += latency.count
    merged.sumUs += latency.meanMs * latency.count * 1000
    merged.minUs = Math.min(merged.minUs, latency.minMs * 1000)
    merged.maxUs = Math.max(merged.maxUs, latency.maxMs * 1000)
    merged.clamped += latency.clamped
  }
  return merged.count > 0 ? toLatency(merged) : null
}
