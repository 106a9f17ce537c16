import { type OperationResult } from '../../results/schema/calls.ts'
import { type Calls, type Scope } from '../scope.ts'
import { type Series } from './column.ts'

type Counts = 'ok' | 'failed' | 'unknown' | 'documents'
type Times = 'p50Ms' | 'p99Ms' | 'maxMs'

/** Steps have no counts per second. */
const isTimed = (calls: Calls): calls is OperationResult => 'perSecond' in calls

/** Rates of all operations in the scope, one for each second. */
export function countPerSecond(scope: Scope, ...names: readonly Counts[]): Series {
  const series = scope.operations.filter(isTimed).flatMap(({ perSecond }) => names.map((name) => perSecond[name]))
  const seconds = Math.max(0, ...series.map((counts) => counts.length))
  const sums = Array.from({ length: seconds }, (_, second) =>
    series.reduce((total, counts) => total + (counts[second] ?? 0), 0),
  )
  return asRates(sums, scope.phase.wallSeconds)
}

/** Converts counts to rates: the last second may be shorter. */
export function asRates(counts: Series, wallSeconds: number): Series {
  return counts.map((count, second) => {
    const length = lengthOfSecond(second, counts, wallSeconds)
    return count === null || length === 0 ? null : count / length
  })
}

/**
 * The length of a second: the last one of a window may be partial. 0 if it is shorter than half a second, or after the end
 * of the window, which is too short to draw.
 */
export function lengthOfSecond(second: number, { length }: Series, wallSeconds: number): number {
  const part = second < length - 1 ? 1 : Math.min(1, wallSeconds - second)
  return part < 0.5 ? 0 : part
}

/** A percentile per second. Null for several operations, whose percentiles cannot be combined. */
export function timePerSecond({ operations }: Scope, name: Times): Series | null {
  const [only, ...others] = operations
  return only === undefined || others.length > 0 || !isTimed(only) ? null : only.perSecond[name]
}

export function maxPerSecond({ operations }: Scope): Series {
  const series = operations.filter(isTimed).map(({ perSecond }) => perSecond.maxMs)
  const seconds = Math.max(0, ...series.map((times) => times.length))
  return Array.from({ length: seconds }, (_, second) => {
    const times = series.flatMap((values) => values[second] ?? [])
    return times.length === 0 ? null : Math.max(...times)
  })
}
