import { sum } from '../../../metrics/statistics.ts'
import { figure, type WarningRule, type Measured, wording } from './warning.ts'

/** Pages per operation that still count as none: checkpoints and other background work read a few. */
const maxPagesWhenCached = 0.05
/** An operation that misses the cache reads a page of the index, of the data, or both; half of them may hit. */
const minPagesWhenUncached = 0.5
/** KB per operation that still count as none: a page of 32 KB is written once for all operations that changed it. */
const maxWrittenKBWhenCached = 4

type Counter = 'pagesReadIntoCache' | 'bytesWrittenFromCache'

/** A counter of all members, per successful call or document that it changed. NaN, which no limit exceeds, when no member reports it. */
function perOperation({ members, operations }: Measured, counter: Counter): number {
  const counts = members.flatMap(({ totals }) => totals[counter] ?? [])
  const done = operations.map((one) => Math.max(one.ok, one.modified + one.inserted + one.upserted + one.deleted))
  return counts.length === 0 ? Number.NaN : sum(counts) / (sum(done) || Number.NaN)
}

export const ofClaims: readonly WarningRule[] = [
  {
    code: 'not-cached',
    finds(phase) {
      const pages = perOperation(phase, 'pagesReadIntoCache')
      return phase.claims?.cached === true && pages > maxPagesWhenCached
        ? wording`The row is called cached, but the servers read ${figure(pages, '', 2)} pages per operation`
        : undefined
    },
    advice: 'Read fewer rows, warm up for longer, or give the server a larger cache.',
  },
  {
    code: 'written-out',
    finds(phase) {
      const writtenKB = perOperation(phase, 'bytesWrittenFromCache') / 1024
      return phase.claims?.cached === true && phase.steadiness.checkpoints === 0 && writtenKB > maxWrittenKBWhenCached
        ? wording`The row is called cached, but the servers wrote ${figure(writtenKB, 'KB')} per operation from the cache`
        : undefined
    },
    advice:
      'Change fewer documents, or give the server a larger cache: it writes pages out when 5 % of it are changed.',
  },
  {
    code: 'not-uncached',
    finds(phase) {
      const pages = perOperation(phase, 'pagesReadIntoCache')
      return phase.claims?.cached === false && pages < minPagesWhenUncached
        ? wording`The row is labelled as not cached, but the servers read only ${figure(pages, '', 2)} pages per operation`
        : undefined
    },
    advice: 'Use more rows or a smaller cache: what was read came from memory.',
  },
]
