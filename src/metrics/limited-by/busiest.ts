import { serverColumns } from '../columns/server.ts'
import { type Scope } from '../scope.ts'
import { clientCpu } from './client-cpu.ts'
import { type Limit } from './index.ts'
import { inPercent } from './rule.ts'
import { serverCpu } from './server-cpu.ts'

/**
 * Finds the CPU that was busiest in a phase, whether or not it was used up. A response time reaches its limit before a
 * resource is used up: calls already wait for each other. Null: how busy the host of the server was is not known.
 */
export function findBusiest(scope: Scope): Limit | null {
  const client = scope.phase.client.eventLoopUtilization
  const percent = serverColumns.cpuPercent.value(scope)
  if (percent === null) return null
  const host = percent / 100
  return host > client
    ? { name: serverCpu.name, share: host, text: `its host ${inPercent(host)} busy` }
    : { name: clientCpu.name, share: client, text: `event loop ${inPercent(client)} busy` }
}
