import { type AgentRun } from '../../results/schema/agents.ts'
import { type OtherLoad } from '../../results/schema/client.ts'
import { type MemberResources } from '../../results/schema/servers.ts'
import { type MachineReadings } from './machine-meter.ts'

export type MeasuredServer = {
  readonly name: string
  /** The machine that it runs on, under any name that identifies it. */
  readonly machine: string
  /** Whether the client runs there too. */
  readonly isHere: boolean
}

type Servers = {
  readonly startedByUs: boolean
  /** None, where they are behind a router. */
  readonly servers: readonly MeasuredServer[]
  /** Agents that made the load. Default: none. */
  readonly agents?: readonly AgentRun[]
}

/** Kernels count CPU time in ticks of 1 to 10 ms: a shorter window has too few of them. */
const minWallMs = 1000

type Usage = { readonly usedMs: number | null; readonly ownMs: number | null; readonly totalMs: number | null }

/** Computes the usage by other processes on the machines of a run, where that is known. */
export function otherLoad(
  readings: MachineReadings,
  { startedByUs, servers, agents = [] }: Servers,
  members: readonly MemberResources[],
): OtherLoad[] {
  if (readings.wallMs < minWallMs) return []
  const totalsOf = (name: string): MemberResources['totals'] =>
    members.find(({ member }) => member === name)?.totals ?? {}
  const ownMsOf = (those: readonly MeasuredServer[]): number | null =>
    sum(those.map(({ name }) => toMs(totalsOf(name).processCpuUs)))

  const here = servers.filter(({ isHere }) => isHere)
  const elsewhere = servers.filter(({ isHere }) => !isHere)
  const serversHereMs = startedByUs ? readings.startedMs : servers.length === 0 ? null : ownMsOf(here)
  const agentsHere = agents.filter(({ sameMachine }) => sameMachine)
  const agentsMs = agentsHere.map(({ cpuSeconds }) => cpuSeconds * 1000)
  const onThis = entry(['client', ...listNames(agentsHere), ...listNames(here)], {
    // Where /proc is not that of a kernel, it may count nothing.
    usedMs: readings.busyMs > 0 ? readings.busyMs : null,
    ownMs: sum([readings.clientMs, ...agentsMs, serversHereMs]),
    totalMs: readings.wallMs * readings.cores,
  })
  const onOthers = [...new Set(elsewhere.map(({ machine }) => machine))].flatMap((name) => {
    const those = elsewhere.filter(({ machine }) => machine === name)
    const { hostCpuProcessesMs = null, hostCpuTotalMs = null } = totalsOf(those[0]?.name ?? '')
    return entry(listNames(those), { usedMs: hostCpuProcessesMs, ownMs: ownMsOf(those), totalMs: hostCpuTotalMs })
  })
  return [...onThis, ...onOthers]
}

function entry(runs: readonly string[], { usedMs, ownMs, totalMs }: Usage): OtherLoad[] {
  if (usedMs === null || ownMs === null || totalMs === null || totalMs <= 0) return []
  const cpuPercent = (Math.max(0, usedMs - ownMs) / totalMs) * 100
  return [{ runs: [...runs], cpuPercent, usedPercent: (usedMs / totalMs) * 100 }]
}

const listNames = (those: readonly { readonly name: string }[]): readonly string[] => those.map(({ name }) => name)

const toMs = (us: number | null | undefined): number | null => (us === null || us === undefined ? null : us / 1000)

const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce((total, value) => (total === null || value === null ? null : total + value), 0)
