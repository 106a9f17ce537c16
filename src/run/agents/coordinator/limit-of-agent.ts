import { type AgentRun } from '../../../results/schema/agents.ts'
import { type AgentLoad } from '../messages.ts'

/** Share of the CPU time of a machine from which on there is none left. */
const busyPercent = 95
/** Threads whose process gets less of a core each waited for CPU, however busy they look: the time of an event loop goes on meanwhile. */
const ownCorePercent = 80

/** What kept an agent from sending more. Null: nothing of its own. */
export function limitOf(
  { cpuPercent, machineCpuPercent }: Pick<AgentLoad, 'cpuPercent' | 'machineCpuPercent'>,
  { threads, isSaturated }: { readonly threads: number; readonly isSaturated: boolean },
): AgentRun['limitedBy'] {
  const isMachineBusy = machineCpuPercent > busyPercent
  if (isSaturated && !(isMachineBusy && cpuPercent < threads * ownCorePercent)) return 'event loop'
  return isMachineBusy ? 'CPU' : null
}
