import { type Share, sharesOf } from '../../../load/plan/share.ts'

/**
 * Splits a phase over agents: one share for each thread while there are workers for it, given out in turns, so that few workers
 * are on many machines.
 * @param threads Of each agent.
 * @param workers Of the phase, at its smallest.
 * @returns The shares of each agent, next to each other; none where there are more agents than workers.
 */
export function splitShares(threads: readonly number[], workers: number): readonly (readonly Share[])[] {
  const counts = threads.map(() => 0)
  let left = Math.min(
    workers,
    threads.reduce((sum, own) => sum + own, 0),
  )
  const total = left
  while (left > 0)
    for (const [i, own] of threads.entries()) {
      if (left === 0 || (counts[i] ?? 0) >= own) continue
      counts[i] = (counts[i] ?? 0) + 1
      left -= 1
    }
  const shares = sharesOf(total)
  let next = 0
  return counts.map((count) => shares.slice(next, (next += count)))
}
