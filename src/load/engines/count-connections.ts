import { type PhasePlan } from '../plan/plan.ts'

/**
 * Counts the connections that stand ready before calls go out: one for each worker, or as many as the pool has.
 * @param workers Default: all, or those of the first step of a search.
 */
export const countConnections = (
  { load, pool, ...phase }: Pick<PhasePlan, 'load' | 'workers' | 'pool'>,
  workers = load.kind === 'findPeak' ? load.from : phase.workers,
): number => Math.min(workers, pool?.maxPoolSize ?? Infinity)
