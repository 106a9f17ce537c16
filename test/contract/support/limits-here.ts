import { tmpdir } from 'node:os'
import { planGroups } from '../../../src/servers/targets/server/limits/plan-groups.ts'
import { resolveLimits } from '../../../src/servers/targets/server/limits/server-limits.ts'

const all = resolveLimits({ cpus: 1, memoryMB: 1024, readIops: 1 })

/** Why no limits can be tried on this machine. Undefined where they can. */
export async function whyNoLimits(): Promise<string | undefined> {
  try {
    const plans = await planGroups(all, [tmpdir()], '/')
    return plans.length === 3 ? undefined : 'the files are named as in version 1, and this kernel has version 2'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
