import { isUnderASecond } from '../../results/warnings/weights.ts'
import { type Scope } from '../scope.ts'
import { groupBy, findMiddle } from '../statistics.ts'
import { clientCpu } from './client-cpu.ts'
import { diskIops } from './disk-iops.ts'
import { diskThroughput } from './disk-throughput.ts'
import { journalSyncs } from './journal-syncs.ts'
import { offeredRate } from './offered-rate.ts'
import { otherLoad } from './other-load.ts'
import { poolConnections } from './pool-connections.ts'
import { roundTrips } from './round-trips.ts'
import { type LimitFinding, type LimitRule } from './rule.ts'
import { serverCpu } from './server-cpu.ts'
import { ticketsUsedUp } from './tickets.ts'
import { writeConflicts } from './write-conflicts.ts'

/**
 * The rules for what limits a phase. The first that is found counts: other processes make everything else look busy, a busy client hides
 * what the server could do, conflicts and tickets explain its CPU time, calls of a busy
 * server wait for connections too, and waiting explains only what nothing busy does.
 */
export const limitRules: readonly LimitRule[] = [
  otherLoad,
  offeredRate,
  clientCpu,
  writeConflicts,
  ticketsUsedUp,
  serverCpu,
  diskThroughput,
  diskIops,
  poolConnections,
  journalSyncs,
  roundTrips,
]

/** Shown where no rule finds anything, or the runs disagree. */
export const unknownLimit = 'not known'

/** Shown for windows in which it is not known what other programs used. */
const unknownInWindow = `${unknownLimit} (window under 1 s)`

export type Limit = LimitFinding & { readonly name: string }

/** Finds what limited a phase in one run. Null: not known. */
export function findLimit(scope: Scope): Limit | null {
  const { phase, member: _, ...rest } = scope
  if (isUnderASecond(phase) || phase.operations.every(({ ok }) => ok === 0)) return null
  for (const { name, finds } of limitRules) {
    // The server counts for the whole phase.
    const found = finds({ ...rest, phase, operations: phase.operations })
    if (found !== null) return { name, ...found }
  }
  return null
}

/** Finds what limited most runs, with the figures of the middle one. Null: not known, or the runs disagree. */
export function limitOfMost(scopes: readonly Scope[]): Limit | null {
  const limits = scopes.flatMap((scope) => findLimit(scope) ?? [])
  const same = [...groupBy(limits, ({ name }) => name).values()].find(({ length }) => length * 2 > scopes.length)
  return findMiddle(same?.toSorted((one, other) => one.share - other.share) ?? []) ?? null
}

/** The same as text: "server CPU (its host 97 % busy)". Null: there are no runs. */
export function limitText(scopes: readonly Scope[]): string | null {
  const limit = limitOfMost(scopes)
  if (limit !== null) return `${limit.name} (${limit.text})`
  if (scopes.length === 0) return null
  return scopes.every(({ phase }) => isUnderASecond(phase)) ? unknownInWindow : unknownLimit
}
