import { figure, type WarningRule, type Measured, wording } from './warning.ts'

/** Pages per operation that still count as none: checkpoints and other background work read a few. */
const maxPagesWhenCached = 0.05
/** An operation that misses the cache reads a page of the index, of the data, or both; half of them may hit. */
const minPagesWhenUncached = 0.5

/** Pages read into the cache of all members, per successful call. Undefined when no member reports them. */
function pagesPerCall({ members, operations }: Measured): number | undefined {
  const pages = members.flatMap(({ totals }) => totals.pagesReadIntoCache ?? [])
  const ok = operations.reduce((sum, operation) => sum + operation.ok, 0)
  return pages.length === 0 || ok === 0 ? undefined : pages.reduce((sum, one) => sum + one, 0) / ok
}

/** Warnings about phases that contradict their claims. */
export const ofClaims: readonly WarningRule[] = [
  {
    code: 'not-cached',
    finds(phase) {
      const pages = phase.claims?.cached === true ? pagesPerCall(phase) : undefined
      return pages !== undefined && pages > maxPagesWhenCached
        ? wording`The row is called cached, but the servers read ${figure(pages, '', 2)} pages per operation`
        : undefined
    },
    advice: 'Read fewer rows, warm up for longer, or give the server a larger cache.',
  },
  {
    code: 'not-uncached',
    finds(phase) {
      const pages = phase.claims?.cached === false ? pagesPerCall(phase) : undefined
      return pages !== undefined && pages < minPagesWhenUncached
        ? wording`The row is called not cached, but the servers read only ${figure(pages, '', 2)} pages per operation`
        : undefined
    },
    advice: 'Use more rows or a smaller cache: what was read came from memory.',
  },
]
