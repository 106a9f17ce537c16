import { cpus } from 'node:os'
import { startClientMeter } from '../../../load/measure/client-health.ts'
import { type AgentLoad } from '../messages.ts'

type CpuTimes = { readonly busy: number; readonly all: number }

function cpuTimes(): CpuTimes {
  let [busy, all] = [0, 0]
  for (const { times } of cpus()) {
    const used = times.user + times.nice + times.sys + times.irq
    busy += used
    all += used + times.idle
  }
  return { busy, all }
}

/** Watches this process and its machine from now on. Call the returned function at the end of the pass, once. */
export function startLoadMeter(): () => AgentLoad {
  const readClient = startClientMeter()
  const before = cpuTimes()
  return () => {
    const after = cpuTimes()
    const all = after.all - before.all
    const { cpuPercent, rssMB } = readClient()
    return { cpuPercent, rssMB, machineCpuPercent: all > 0 ? ((after.busy - before.busy) / all) * 100 : 0 }
  }
}
