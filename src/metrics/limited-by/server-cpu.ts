import { serverColumns } from '../columns/server.ts'
import { type Scope } from '../scope.ts'
import { isNumber, ratio, sum } from '../statistics.ts'
import { inPercent, type LimitFinding, type LimitRule, nearlyAll } from './rule.ts'

/** Where client and server share a machine, its cores are used up before the server alone has used them. */
const minHostBusy = 0.9
/** The rest of a busy host is of the client, of others, or stolen. */
const minShareOfServers = 0.5

/** The cores that the server may use, or all cores of its host. */
export const serverCpu: LimitRule = {
  name: 'server CPU',
  remedy: 'more or faster cores for the server, or operations that examine fewer documents',
  finds: (scope) => ofItsCores(scope) ?? ofItsHost(scope),
}

function ofItsCores(scope: Scope): LimitFinding | null {
  const used = serverColumns.serverCpuPercent.value(scope)
  const cores = scope.variant.server?.cores ?? null
  if (used === null || cores === null) return null
  // A worker waits for one operation, which one thread of the server executes.
  const usable = Math.min(cores, scope.phase.workers)
  const share = used / 100 / usable
  if (share < nearlyAll) return null
  return { share, text: `${inPercent(share)} of ${usable === 1 ? 'a core' : `${usable} cores`}` }
}

function ofItsHost(scope: Scope): LimitFinding | null {
  const busy = (serverColumns.cpuPercent.value(scope) ?? 0) / 100
  if (busy < minHostBusy || shareOfServers(scope) < minShareOfServers) return null
  return { share: busy, text: `its host ${inPercent(busy)} busy` }
}

/** The share of the servers in what kept the host of the primary busy. Members elsewhere make it larger, never smaller. */
function shareOfServers({ phase: { members } }: Scope): number {
  const busyMs = members.find(({ role }) => role !== 'secondary')?.totals.hostCpuBusyMs ?? null
  const usedUs = sum(members.map(({ totals }) => totals.processCpuUs).filter(isNumber))
  return ratio(usedUs / 1000, busyMs) ?? 0
}
