import { readAllowedCores, pinProcess } from '../servers/targets/cores/cores-here.ts'
import { type CoreDivision } from '../servers/targets/cores/divide-cores.ts'

/**
 * Does work with this process, and the threads that it starts, on the cores of the client, and puts back those that it had
 * before, however the work ends.
 * @param division Of the target. Where it has none, nothing is pinned.
 */
export async function onCoresOfClient<Value>(
  division: CoreDivision | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  const before = await readAllowedCores('/')
  if (division === undefined || 'reason' in division || before === undefined) return await work()
  try {
    await pinProcess(process.pid, division.client)
    return await work()
  } finally {
    await pinProcess(process.pid, before)
  }
}
