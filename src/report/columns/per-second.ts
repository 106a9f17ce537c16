import { type OperationResult } from '../../results/schema/calls.ts'
import { type Calls, type Scope } from '../scope.ts'
import { type Series } from './column.ts'

type Counts = 'ok' | 'failed' | 'unknown' | 'documents'
type Times = 'p50Ms' | 'p99Ms' | 'maxMs'

/** Steps are not counted second by second. */
const isTimed = (calls: Calls): calls is OperationResult => 'perSecond' in calls

/** Counts of all operations in the scope, second by second, per second. */
export function countPerSecond(scope: Scope, ...names: readonly Counts[]): Series {
  const series = scope.operations.filter(isTimed).flatMap(({ perSecond }) => names.map((name) => perSecond[name]))
  const seconds = Math.max(0, ...series.map((counts) => counts.length))
  const sums = Array.from({ length: seconds }, (_, second) =>
    series.reduce((total, counts) => total + (counts[second] ?? 0), 0),
  )
  return asRates(sums, scope.phase.wallSeconds)
}

/** Counts of a shorter last second, as if it had been a whole one. */
export function asRates(counts: Series, wallSeconds: number): Series {
  return counts.map((count, second) => {
    const length = lengthOfSecond(second, counts, wallSeconds)
    return count === null || length === 0 ? null : count / length
  })
}

/**
 * The last second of a window is a part of one. 0 where it is less than half of one, or came after the window with a length
 * that is not known: too little to draw.
 */
export function lengthOfSecond(second: number, { length }: Series, wallSeconds: number): number {
  const part = second < length - 1 ? 1 : Math.min(1, wallSeconds - second)
  return part < 0.5 ? 0 : part
}

/** Percentiles of several operations cannot be put together from their percentiles: null then. */
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
