import { listRunAgents } from '../../load/load-unit.ts'
import { startClientMeter, withThreads } from '../../load/measure/client-health.ts'
import { type PhaseResult } from '../../results/schema.ts'
import { type AgentRun } from '../../results/schema/agents.ts'
import { type ClientHealth } from '../../results/schema/client.ts'
import { type OpenInstrument } from './instrument.ts'

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
