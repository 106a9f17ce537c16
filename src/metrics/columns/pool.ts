import { type Statistic } from '../latency.ts'
import { defineColumns, latencyStatistic } from './column.ts'

const ofPhase = { source: 'client', of: ['phase'] } as const

const poolWait = (statistic: Statistic, short: string, long: string) =>
  ({
    title: `Pool Wait ${short} (ms)`,
    meaning: `${long} from when an operation needed a connection of the pool until it had one, or gave up. The latency includes it. An operation that sends several commands needs a connection for each.`,
    better: 'lower',
    ...latencyStatistic(statistic, ({ phase: { pool } }) => pool?.wait ?? null),
  }) as const

/** Columns for the connection pool of a phase. Empty where each worker had a connection of its own. */
export const poolColumns = defineColumns(ofPhase, {
  poolSize: {
    title: 'Connections of the Pool',
    unit: 'connections',
    meaning: 'Maximum number of connections that the pool of the phase had to each server.',
    value: ({ phase: { pool } }) => pool?.maxPoolSize ?? null,
  },
  poolWaitMeanMs: poolWait('meanMs', 'Mean', 'Mean time'),
  poolWaitP99Ms: poolWait('p99Ms', 'p99', '99th percentile of the time'),
  poolWaitMaxMs: poolWait('maxMs', 'Max', 'Maximum time'),
})
