import { groupDigits } from '../../core/quantities.ts'
import { meanMs, total } from '../columns/from-metrics.ts'
import { serverColumns } from '../columns/server.ts'
import { numberText } from '../format.ts'
import { type LimitRule } from './rule.ts'

/**
 * How many syncs of the journal end while a write is on the server, where writes wait for nothing else: one worker waits for
 * its own sync, and with several workers a write waits for the rest of one sync and for the next. Where more end, the write
 * waited for something else.
 */
const min = 0.7
const max = 3

/** Syncs of the journal, one after the other, that writes wait for. */
export const journalSyncs: LimitRule = {
  name: 'journal syncs',
  remedy: 'a disk that syncs faster, or a write concern that does not wait for the journal',
  finds(scope) {
    const syncs = serverColumns.journalSyncsPerSecond.value(scope)
    const writeMs = meanMs(['writeLatencyUs'], ['writeOps']).value(scope)
    const mostlyWrites = (total(scope, ['writeOps']) ?? 0) > (total(scope, ['readOps']) ?? 0)
    if (syncs === null || writeMs === null || !mostlyWrites) return null
    const during = (syncs * writeMs) / 1000
    if (during < min || during > max) return null
    return {
      share: Math.min(1, during),
      text: `${groupDigits(Math.round(syncs))} syncs/s, ${numberText(during, 1)} while a write waits`,
    }
  },
}
