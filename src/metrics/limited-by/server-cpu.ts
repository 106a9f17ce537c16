import { serverColumns } from '../columns/server.ts'
import { type Scope } from '../scope.ts'
import { inPercent, type LimitFinding, type LimitRule, nearlyAll } from './rule.ts'

/** Where client and server share a machine, its cores are used up before the server alone has used them. */
const minHostBusy = 0.9

/** The cores that the server may use, or all cores of its host. */
export const serverCpu: LimitRule = {
  name: 'server CPU',
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
  return busy < minHostBusy ? null : { share: busy, text: `its host ${inPercent(busy)} busy` }
}
