import { listRunAgents } from '../../load/load-unit.ts'
import { startMachineMeter } from '../../load/measure/machine-meter.ts'
import { otherLoad } from '../../load/measure/other-load.ts'
import { type PhaseResult } from '../../results/schema.ts'
import { type AgentRun } from '../../results/schema/agents.ts'
import { hostName, isThisMachine } from '../../servers/targets/connection/loopback.ts'
import { type OpenInstrument } from './instrument.ts'

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
