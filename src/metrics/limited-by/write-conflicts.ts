import { total } from '../columns/from-metrics.ts'
import { numberText } from '../format.ts'
import { countCalls, type Scope } from '../scope.ts'
import { sum } from '../statistics.ts'
import { type LimitRule } from './rule.ts'

/** Minimum share of attempts that were for nothing. */
const minLost = 1 / 3

/** Writes that were tried again because another one changed the document first. */
export const writeConflicts: LimitRule = {
  name: 'write conflicts',
  remedy: 'spread the writes over more documents',
  finds(scope) {
    const conflicts = (total(scope, ['writeConflicts']) ?? 0) + conflictsOfTransactions(scope)
    const writes = writesIn(scope)
    const share = conflicts === 0 ? 0 : conflicts / (conflicts + writes)
    return share < minLost ? null : { share, text: `${numberText(conflicts / writes, 1)} per write` }
  },
}

/** Counts conflicts that abort an attempt: they are not in the counter of the server. */
const conflictsOfTransactions = ({ phase }: Scope): number =>
  sum(phase.operations.map(({ transaction }) => transaction?.conflicts ?? 0))

/** Documents where a call writes several. */
function writesIn(scope: Scope): number {
  const { operations } = scope.phase
  const documents = operations.map(
    ({ modified, inserted, deleted, upserted }) => modified + inserted + deleted + upserted,
  )
  return Math.max(sum(documents), countCalls({ ...scope, operations }))
}
