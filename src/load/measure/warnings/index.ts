import { formatMessage } from '../../../results/warnings/parts.ts'
import type { RowWarning } from '../../../results/warnings/weights.ts'
import { ofCalls } from './calls.ts'
import { ofClaims } from './claims.ts'
import { ofClient } from './client.ts'
import { endedEarly } from './ended-early.ts'
import { ofFaults } from './faults.ts'
import { ofOpenLoops } from './open-loops.ts'
import { ofSearches } from './searches.ts'
import { ofServers } from './servers.ts'
import { ofStreams } from './streams.ts'
import { ofThreads } from './threads.ts'
import { type Measured, type WarningRule, calls } from './warning.ts'
import { ofWindow } from './window.ts'

/** All rules for warnings about a phase, the most important first. A new one is an entry in the list of its file. */
export const warningRules: readonly WarningRule[] = [
  ...endedEarly,
  ...ofFaults,
  ...ofClaims,
  ...ofOpenLoops,
  ...ofClient,
  ...ofThreads,
  ...ofCalls,
  ...ofStreams,
  ...ofSearches,
  ...ofWindow,
  ...ofServers,
]

export function findWarnings(phase: Measured): RowWarning[] {
  // Without calls there are no figures to warn about.
  const rules = phase.operations.some((operation) => calls(operation) > 0) ? warningRules : endedEarly
  return rules.flatMap(({ code, finds, advice }) => {
    const found = finds(phase)
    if (found === undefined) return []
    const given = typeof advice === 'string' ? advice : advice(phase)
    if (typeof found === 'string') return [{ code, message: found, advice: given }]
    return [{ code, message: formatMessage(found), parts: [...found], advice: given }]
  })
}
