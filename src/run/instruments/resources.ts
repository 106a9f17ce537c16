import { listRunAgents } from '../../load/load-unit.ts'
import { startClientMeter, withThreads } from '../../load/measure/client-health.ts'
import { startMachineMeter } from '../../load/measure/machine-meter.ts'
import { otherLoad } from '../../load/measure/other-load.ts'
import type { PhaseResult } from '../../results/schema.ts'
import type { AgentRun } from '../../results/schema/agents.ts'
import type { ClientHealth } from '../../results/schema/client.ts'
import { hostName, isThisMachine } from '../../servers/targets/connection/loopback.ts'
import type { OpenInstrument } from './instrument.ts'

/** Watches what other processes use of the machines of a run. */
export const machine: OpenInstrument<Pick<PhaseResult, 'otherLoad'>> = async (_, { target, cpuOfStarted }) => {
  const { startedByUs, members } = target
  const servers = members.map(({ name, host }) => ({ name, machine: hostName(host), isHere: isThisMachine(host) }))
  const read = startMachineMeter(cpuOfStarted)
  let readings: ReturnType<typeof read> | undefined
  let agents: readonly AgentRun[] = []
  return {
    async close({ run }) {
      readings = read()
      agents = listRunAgents(run)
    },
    contribute: async (soFar) => ({
      otherLoad:
        readings === undefined ? [] : otherLoad(readings, { startedByUs, servers, agents }, soFar.members ?? []),
    }),
  }
}

/** Watches the event loop, CPU time and memory of this process, and takes what agents have seen of theirs. */
export const clientHealth: OpenInstrument<Pick<PhaseResult, 'client' | 'agents'>> = async ({ phase }) => {
  const read = startClientMeter()
  let client: ClientHealth | undefined
  let agents: readonly AgentRun[] = []
  return {
    async close({ run }) {
      const threads = run.units.flatMap(({ health, endMs, calls }) =>
        health === undefined ? [] : [{ ...health, operations: calls, endedAtSeconds: (endMs - run.startMs) / 1000 }],
      )
      agents = listRunAgents(run)
      client = withThreads(read(), threads, phase.streams.length > 0)
    },
    contribute: async () => ({ client: client ?? read(), agents: [...agents] }),
  }
}

/** Reads the counters of the servers around the window. They may be known up to two seconds later. */
export const servers: OpenInstrument<Pick<PhaseResult, 'members'>> = async (_, { sampler }) => {
  const window = await sampler.openWindow()
  let members: Promise<PhaseResult['members']> = Promise.resolve([])
  return {
    async close() {
      members = (await window.close()).members
    },
    contribute: async () => ({ members: await members }),
  }
}
