import { type PhasePlan } from '../plan/plan.ts'

/**
 * Counts the connections that stand ready before calls go out: one for each worker, or as many as the pool has.
 * @param workers Default: all.
 */
export const countConnections = (
  { pool, ...phase }: Pick<PhasePlan, 'workers' | 'pool'>,
  workers = phase.workers,
): number => Math.min(workers, pool?.maxPoolSize ?? Infinity)
