import { type Warning } from '../../results/schema/warnings.ts'
import { calls } from './call-counts.ts'
import { ofCalls } from './calls.ts'
import { ofClaims } from './claims.ts'
import { ofClient } from './client.ts'
import { type WarningRule, type Measured } from './warning.ts'
import { endedEarly } from './ended-early.ts'
import { ofFaults } from './faults.ts'
import { ofOpenLoops } from './open-loops.ts'
import { ofSearches } from './searches.ts'
import { ofServers } from './servers.ts'
import { ofStreams } from './streams.ts'
import { ofThreads } from './threads.ts'
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

/** The warnings that apply to a phase. */
export function findWarnings(phase: Measured): Warning[] {
  // Without calls there are no figures to warn about.
  const rules = phase.operations.some((operation) => calls(operation) > 0) ? warningRules : endedEarly
  return rules.flatMap(({ code, finds, advice }) => {
    const message = finds(phase)
    return message === undefined ? [] : [{ code, message, advice: typeof advice === 'string' ? advice : advice(phase) }]
  })
}
