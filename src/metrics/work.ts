import { groupDigits } from '../core/quantities.ts'
/** Counts of the work of a call, with the words for them: they are the same on every machine, busy or not. */
export const workMetrics = {
  docsExamined: 'documents examined',
  keysExamined: 'keys examined',
  docsReturned: 'documents returned',
  bytesReturned: 'bytes returned',
  commands: 'commands',
  roundTrips: 'round trips',
} as const

/** The name of a count of work: that of its column. */
export type WorkMetric = keyof typeof workMetrics

export const workMetricNames = Object.keys(workMetrics) as readonly WorkMetric[]

/** A count with its words: "1 document examined". */
export const formatCount = (metric: WorkMetric, count: number): string =>
  `${groupDigits(count)} ${count === 1 ? workMetrics[metric].replace(/s\b/, '') : workMetrics[metric]}`

/** The work of one call. Null: not known. */
export type CallWork = Readonly<Record<WorkMetric, number | null>>

/** The work of the call that needs the maximum, for each count by itself. Null: not known of a call, or there is none. */
export function mergeWork(calls: readonly CallWork[]): CallWork {
  const merged = workMetricNames.map((metric) => {
    const values = calls.flatMap((call) => call[metric] ?? [])
    return [metric, values.length === 0 || values.length < calls.length ? null : Math.max(...values)] as const
  })
  return Object.fromEntries(merged) as CallWork
}

/** A count of work on both sides. */
export type WorkChange = {
  readonly metric: WorkMetric
  readonly before: number
  readonly now: number
  readonly change: Change
}

type Change = 'more' | 'less' | 'same'

/**
 * Compares two counts.
 * @param tolerance The part of a count that does not matter: 0.02 is 2 %, 0 compares exactly.
 */
export const compareCounts = (before: number, now: number, tolerance: number): Change =>
  now > before * (1 + tolerance) ? 'more' : now < before / (1 + tolerance) ? 'less' : 'same'

/** Whether more keys spare at least as many documents, as those of a new index do: they are no more work. */
export const spareDocuments = (moreKeys: number, moreDocuments: number): boolean => moreDocuments <= -moreKeys

/** Compares the counts of work that are known on both sides. */
export function compareWork(before: CallWork, now: CallWork, tolerance: number): readonly WorkChange[] {
  const rise = (metric: WorkMetric): number => (now[metric] ?? 0) - (before[metric] ?? 0)
  return workMetricNames.flatMap((metric) => {
    const [a, b] = [before[metric], now[metric]]
    if (a === null || b === null) return []
    const change = compareCounts(a, b, tolerance)
    const isSpared =
      metric === 'keysExamined' && change === 'more' && spareDocuments(rise(metric), rise('docsExamined'))
    return { metric, before: a, now: b, change: isSpared ? 'same' : change }
  })
}
