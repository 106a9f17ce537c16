import { minCpuOfOthers } from '../../results/warnings/weights.ts'
import { serverColumns } from '../columns/server.ts'
import { inPercent, type LimitRule, nearlyAll } from './rule.ts'

/** Other processes on a machine of the run that had no CPU time left: what is busy there may be busy because of them. */
export const otherLoad: LimitRule = {
  name: 'other programs',
  remedy: 'end what else runs on the machine, and measure again',
  finds(scope) {
    // Older results have only the use of the server's host.
    const ofHost = serverColumns.cpuPercent.value(scope) ?? 0
    const [most = 0] = scope.phase.otherLoad
      .filter(({ usedPercent }) => (usedPercent ?? ofHost) / 100 >= nearlyAll)
      .map(({ cpuPercent }) => cpuPercent / 100)
      .toSorted((one, other) => other - one)
    return most < minCpuOfOthers ? null : { share: most, text: `${inPercent(most)} of the CPU time` }
  },
}
