import { type Warning } from '../../results/schema/warnings.ts'
import { calls } from './call-counts.ts'
import { ofCalls } from './calls.ts'
import { ofClaims } from './claims.ts'
import { ofClient } from './client.ts'
import { type Doubt, type Measured } from './warning.ts'
import { endedEarly } from './ended-early.ts'
import { ofFaults } from './faults.ts'
import { ofOpenLoops } from './open-loops.ts'
import { ofSearches } from './searches.ts'
import { ofServers } from './servers.ts'
import { ofStreams } from './streams.ts'
import { ofWindow } from './window.ts'

/** Every reason to doubt a phase, what matters most first. A new one is an entry in the list of its file. */
export const allDoubts: readonly Doubt[] = [
  ...endedEarly,
  ...ofFaults,
  ...ofClaims,
  ...ofOpenLoops,
  ...ofClient,
  ...ofCalls,
  ...ofStreams,
  ...ofSearches,
  ...ofWindow,
  ...ofServers,
]

export function doubts(phase: Measured): Warning[] {
  // Where nothing was called there are no figures to doubt.
  const asked = phase.operations.some((operation) => calls(operation) > 0) ? allDoubts : endedEarly
  return asked.flatMap(({ code, finds, advice }) => {
    const message = finds(phase)
    return message === undefined ? [] : [{ code, message, advice: typeof advice === 'string' ? advice : advice(phase) }]
  })
}
