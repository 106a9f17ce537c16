import { type ServerLimits, unlimited } from '../servers/targets/server/limits/server-limits.ts'
import { type RunningTarget } from '../servers/targets/target.ts'

/**
 * Lets servers of ours get ready for a row as fast as the machine can: a load is not measured, and on the slowest disk of a
 * table it takes minutes. Memory stays limited, or caches would be there afterwards that the row must not have.
 * @param limits What the servers are held to, before and after.
 */
export async function withoutLimits<Value>(
  { changeLimits }: Pick<RunningTarget, 'changeLimits'>,
  limits: readonly (ServerLimits | null)[],
  prepare: () => Promise<Value>,
): Promise<Value> {
  const lifted = limits.map((limit) => limit && { ...unlimited, memoryMB: limit.memoryMB })
  if (changeLimits === undefined || JSON.stringify(lifted) === JSON.stringify(limits)) return await prepare()
  await changeLimits(lifted)
  try {
    return await prepare()
  } finally {
    await changeLimits(limits)
  }
}
