import { build, decodeFromCompressedBase64, type Histogram } from 'hdr-histogram-js'
import { type Latency, type LatencySummary } from '../results/schema/latency.ts'
import { type Calls } from './scope.ts'
import { sum } from './statistics.ts'

const merged = new WeakMap<readonly Calls[], LatencySummary | null>()

/**
 * Latency of the successful executions of several operations together, in milliseconds. Percentiles cannot be averaged, so
 * the histograms are merged; null if a compact result has none. Cached by list, because every column of a row needs it.
 */
export function latencyOf(operations: readonly Calls[]): LatencySummary | null {
  const known = merged.get(operations)
  if (known !== undefined) return known
  const summary = summaryOf(successes(operations))
  merged.set(operations, summary)
  return summary
}

/** The merged histogram of the successful executions of several operations, in microseconds. Null if none succeeded or no histogram was kept. */
export function histogramOf(operations: readonly Calls[]): Histogram | null {
  const parts = successes(operations)
  return parts.length === 0 ? null : addUp(parts)
}

function successes(operations: readonly Calls[]): readonly Latency[] {
  return operations.flatMap(({ latency }) => (latency.ok === null || latency.ok.count === 0 ? [] : [latency.ok]))
}

/** Merges latencies. Null: there are none, or several without histograms. */
export function summaryOf(parts: readonly Latency[]): LatencySummary | null {
  const [only, ...others] = parts
  if (only === undefined) return null
  if (others.length === 0) return only
  const histogram = addUp(parts)
  if (histogram === null) return null
  const count = sum(parts.map((part) => part.count))
  const minMs = Math.min(...parts.map((part) => part.minMs))
  const maxMs = Math.max(...parts.map((part) => part.maxMs))
  // A histogram returns the upper end of a bucket, which may be above the maximum.
  const percentileMs = (percentile: number): number =>
    Math.min(histogram.getValueAtPercentile(percentile) / 1000, maxMs)
  return {
    count,
    meanMs: sum(parts.map((part) => part.meanMs * part.count)) / count,
    minMs,
    maxMs,
    p50Ms: percentileMs(50),
    p95Ms: percentileMs(95),
    p99Ms: percentileMs(99),
    p999Ms: percentileMs(99.9),
  }
}

function addUp(parts: readonly Latency[]): Histogram | null {
  const kept = parts.flatMap(({ histogram }) => histogram ?? [])
  if (kept.length < parts.length) return null
  const total = build({ bitBucketSize: 64, autoResize: true, numberOfSignificantValueDigits: 3 })
  for (const histogram of kept) total.add(decodeFromCompressedBase64(histogram))
  return total
}
