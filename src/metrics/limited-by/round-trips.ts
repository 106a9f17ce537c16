import { latencyColumns } from '../columns/latency.ts'
import { serverColumns } from '../columns/server.ts'
import { readableNumber } from '../format.ts'
import { countCalls, type Scope } from '../scope.ts'
import { ratio, sum } from '../statistics.ts'
import { inPercent, type LimitFinding, type LimitRule } from './rule.ts'

/** From this share on, round trips are most of the latency. */
const minShare = 0.5

/** Time on the links between the client and the servers, or of a single worker outside of the server. */
export const roundTrips: LimitRule = {
  name: 'round trips',
  remedy: 'a client closer to the server, or fewer commands in each operation',
  finds: (scope) => ofLinks(scope) ?? ofOneWorker(scope),
}

function ofLinks(scope: Scope): LimitFinding | null {
  const meanMs = latencyColumns.meanMs.value(scope)
  const rttMs = linkMs(scope) + replicationMs(scope)
  const calls = callsPerOperation(scope)
  const share = ratio(rttMs * calls, meanMs) ?? 0
  if (meanMs === null || share < minShare) return null
  return { share, text: `${readableNumber(calls)} × ${readableNumber(rttMs)} of ${readableNumber(meanMs)} ms` }
}

/** A single worker leaves everything idle while it waits. */
function ofOneWorker(scope: Scope): LimitFinding | null {
  const meanMs = latencyColumns.meanMs.value(scope)
  const serverMs = serverColumns.serverLatencyMs.value(scope)
  if (scope.phase.workers !== 1 || meanMs === null || serverMs === null) return null
  const share = 1 - (serverMs * callsPerOperation(scope)) / meanMs
  return share < minShare ? null : { share, text: `${inPercent(share)} of the latency outside of the server` }
}

const pairsIn = ({ variant }: Scope) => variant.server?.links?.pairs ?? []

const primaryIn = ({ phase }: Scope): string | undefined => phase.members.find(({ role }) => role === 'primary')?.member

/** The achieved round trip between two ends. 0: no delay was added. */
function achievedMs(scope: Scope, one: string, other: string | undefined): number {
  const pair = pairsIn(scope).find(({ from, to }) => (from === one && to === other) || (from === other && to === one))
  return Math.max(0, pair?.achievedMs ?? 0)
}

const linkMs = (scope: Scope): number => achievedMs(scope, 'client', primaryIn(scope))

/** A write that waits for a majority waits for the nearest members that make one with the primary. */
function replicationMs(scope: Scope): number {
  const { writeConcern, members, operations } = scope.phase
  const primary = primaryIn(scope)
  const writes = sum(
    operations.map(({ modified, inserted, deleted, upserted }) => modified + inserted + deleted + upserted),
  )
  if (writeConcern['w'] !== 'majority' || primary === undefined || writes === 0) return 0
  const others = members.flatMap(({ member }) => (member === primary ? [] : achievedMs(scope, primary, member)))
  return others.toSorted((one, other) => one - other)[Math.floor(members.length / 2) - 1] ?? 0
}

/** Steps are calls of their own; a transaction ends with one more. */
function callsPerOperation(scope: Scope): number {
  const { operations } = scope.phase
  const calls = sum(
    operations.map(({ ok, failed, unknown, steps, transaction }) => {
      const ofSteps = sum(steps.map((step) => step.ok + step.failed + step.unknown))
      return (steps.length === 0 ? ok + failed + unknown : ofSteps) + (transaction?.commits ?? 0)
    }),
  )
  return ratio(calls, countCalls({ ...scope, operations })) ?? 1
}
