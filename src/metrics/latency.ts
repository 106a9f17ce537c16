import { type BuildRequest, type Histogram } from 'hdr-histogram-js'
import { hdrHistogram } from '../core/hdr-histogram.ts'
import { type Latency, type LatencySummary } from '../results/schema/latency.ts'
import { type OpenTimes } from '../results/schema/open-loop.ts'
import { type Column } from './columns/column.ts'
import { type Calls, type Scope } from './scope.ts'
import { sum } from './statistics.ts'

/** A statistic of latencies. Results keep all but the 90th percentile, which histograms have. */
export type Statistic = Exclude<keyof LatencySummary, 'count'> | 'p90Ms'

export function successes(operations: readonly Calls[]): readonly Latency[] {
  return operations.flatMap(({ latency }) => (latency.ok === null || latency.ok.count === 0 ? [] : [latency.ok]))
}

/** Whether operations followed the plan of an open loop: what counts then are times from their planned starts. */
export const areFromPlan = (operations: readonly Calls[]): boolean =>
  operations.some((calls) => getOpenLoopTimes(calls) !== null)

/** The times of the successful executions that count: in an open loop from the planned starts, which include waiting, else from sending. */
export function timesThatCount(operations: readonly Calls[]): readonly Latency[] {
  return operations.flatMap((calls) => {
    const plan = getOpenLoopTimes(calls)
    const times = plan === null ? calls.latency.ok : plan.response
    return times === null || times.count === 0 ? [] : [times]
  })
}

const getOpenLoopTimes = (calls: Calls): OpenTimes | null => ('openLoop' in calls ? calls.openLoop : null)

export const countSamples = (parts: readonly Latency[]): number => sum(parts.map(({ count }) => count))

/**
 * A statistic of several latencies together, in milliseconds: of several operations, or of several runs. Percentiles cannot be
 * averaged, so the histograms are merged. Null: there are no latencies, or a histogram that a percentile needs was not kept.
 */
export function computeStatistic(parts: readonly Latency[], name: Statistic): number | null {
  const [only, ...others] = parts
  if (only === undefined) return null
  if (others.length === 0 && name !== 'p90Ms') return only[name]
  if (isPercentile(name)) return computePercentiles(parts)?.[name] ?? null
  const values = parts.map((part) => part[name])
  if (name === 'minMs') return Math.min(...values)
  if (name === 'maxMs') return Math.max(...values)
  return sum(parts.map(({ count, meanMs }) => meanMs * count)) / countSamples(parts)
}

/** All statistics of several latencies together. Null: there are no latencies, or histograms were not kept. */
export function computeSummary(parts: readonly Latency[]): LatencySummary | null {
  const [only, ...others] = parts
  if (only === undefined) return null
  if (others.length === 0) return only
  const computed = computePercentiles(parts)
  if (computed === null) return null
  const { p90Ms: _, ...percentiles } = computed
  const of = (name: Statistic): number => computeStatistic(parts, name) ?? 0
  return { count: countSamples(parts), meanMs: of('meanMs'), minMs: of('minMs'), maxMs: of('maxMs'), ...percentiles }
}

/** The merged histogram of several latencies, in microseconds. Null: there are none, or a histogram was not kept. */
export function mergeHistograms(parts: readonly Latency[]): Histogram | null {
  const { build, decodeFromCompressedBase64 } = hdrHistogram()
  const kept = parts.flatMap(({ histogram }) => (histogram === null ? [] : [decodeFromCompressedBase64(histogram)]))
  const [first] = kept
  if (first === undefined || kept.length < parts.length) return null
  // With more digits than the parts have, every sample would move to the lower end of its bucket.
  const numberOfSignificantValueDigits = first.numberOfSignificantValueDigits as Digits
  const total = build({ bitBucketSize: 64, autoResize: true, numberOfSignificantValueDigits })
  for (const histogram of kept) total.add(histogram)
  return total
}

type Digits = NonNullable<BuildRequest['numberOfSignificantValueDigits']>

type Percentiles = Readonly<Record<PercentileName, number>>

/** Merged percentiles by their first part: every column of a row needs the percentiles of the same parts. */
const merged = new WeakMap<Latency, { readonly of: readonly Latency[]; readonly percentiles: Percentiles | null }>()

function computePercentiles(parts: readonly Latency[]): Percentiles | null {
  const [first] = parts
  if (first === undefined) return null
  const last = merged.get(first)
  if (last?.of.length === parts.length && last.of.every((part, index) => part === parts[index])) return last.percentiles
  const histogram = mergeHistograms(parts)
  const percentiles = histogram && percentilesIn(histogram, parts)
  merged.set(first, { of: parts, percentiles })
  return percentiles
}

function percentilesIn(histogram: Histogram, parts: readonly Latency[]): Percentiles {
  const at = (name: PercentileName): number => {
    const [from, to] = name === 'p90Ms' ? (['p50Ms', 'p95Ms'] as const) : ([name, name] as const)
    const value = histogram.getValueAtPercentile(percentileShares[name] * 100) / 1000
    // It lies between those of the parts, which are more precise than a bucket.
    return Math.min(
      Math.max(value, Math.min(...parts.map((part) => part[from]))),
      Math.max(...parts.map((part) => part[to])),
    )
  }
  return { p50Ms: at('p50Ms'), p90Ms: at('p90Ms'), p95Ms: at('p95Ms'), p99Ms: at('p99Ms'), p999Ms: at('p999Ms') }
}

/** The shares of percentiles, by the names of statistics. */
export const percentileShares = { p50Ms: 0.5, p90Ms: 0.9, p95Ms: 0.95, p99Ms: 0.99, p999Ms: 0.999 } as const

type PercentileName = keyof typeof percentileShares

/** Whether a statistic is a percentile, and not a mean or an end of the range. */
export const isPercentile = (statistic: string): statistic is PercentileName =>
  Object.hasOwn(percentileShares, statistic)

/** With fewer samples above it, a percentile is one of a few slow operations. */
const samplesAbove = 10

/** How many samples make a percentile: a median 20, a p99 1000. */
export const samplesNeeded = (share: number): number => Math.round(samplesAbove / (1 - share))

/** The samples of a percentile over some runs. */
export type Samples = { readonly needed: number; readonly found: number }

/** How many samples a percentile has, and how many it needs. Null: the column is no percentile. */
export function samplesFor(column: Column, scopes: readonly Scope[]): Samples | null {
  const percentile = 'value' in column ? column.percentile : undefined
  if (percentile === undefined) return null
  const found = sum(scopes.map((scope) => percentile.samples(scope) ?? 0))
  return { needed: samplesNeeded(percentile.share), found }
}

/** Whether a value is more than chance: a percentile needs samples above it, other values need none. */
export function hasEnoughSamples(column: Column, scopes: readonly Scope[]): boolean {
  const samples = samplesFor(column, scopes)
  return samples === null || samples.found >= samples.needed
}
