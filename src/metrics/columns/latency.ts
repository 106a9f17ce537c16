import { type Statistic, successes } from '../latency.ts'
import { defineColumns, ofClient, type PerRun, latencyStatistic } from './column.ts'
import { maxPerSecond, timePerSecond } from './per-second.ts'

const shared = { ...ofClient, better: 'lower' } as const

export const latencyColumns = defineColumns(shared, {
  meanMs: {
    title: 'Average Op Latency (ms)',
    meaning: 'Mean latency of successful operations, measured at the client.',
    ...latency('meanMs'),
  },
  minMs: {
    title: 'Min (ms)',
    meaning: 'Minimum latency of successful operations, measured at the client.',
    ...latency('minMs'),
  },
  p50Ms: {
    title: 'p50 (ms)',
    meaning: 'Median latency of successful operations, measured at the client.',
    ...latency('p50Ms'),
    perSecond: (scope) => timePerSecond(scope, 'p50Ms'),
  },
  p90Ms: {
    title: 'p90 (ms)',
    meaning: '90th percentile of the latency of successful operations, measured at the client.',
    ...latency('p90Ms'),
  },
  p95Ms: {
    title: 'p95 (ms)',
    meaning: '95th percentile of the latency of successful operations, measured at the client.',
    ...latency('p95Ms'),
  },
  p99Ms: {
    title: 'p99 (ms)',
    meaning: '99th percentile of the latency of successful operations, measured at the client.',
    ...latency('p99Ms'),
    perSecond: (scope) => timePerSecond(scope, 'p99Ms'),
  },
  p999Ms: {
    title: 'p99.9 (ms)',
    meaning: '99.9th percentile of the latency of successful operations, measured at the client.',
    ...latency('p999Ms'),
  },
  maxMs: {
    title: 'Max (ms)',
    meaning: 'Maximum latency of successful operations, measured at the client.',
    ...latency('maxMs'),
    perSecond: maxPerSecond,
  },
  answerMs: {
    title: 'Average Time to Answer (ms)',
    meaning:
      'Mean time at the client until the reply, the error or the deadline of an operation, whatever its outcome.',
    ...latencyStatistic('meanMs', ({ operations }) =>
      operations.flatMap(({ latency: { ok, failed, unknown } }) => [ok, failed, unknown].flatMap((one) => one ?? [])),
    ),
  },
})

function latency(name: Statistic): Pick<PerRun, 'value' | 'together' | 'percentile'> {
  return latencyStatistic(
    name,
    ({ operations }) => successes(operations),
    ({ phase, operations }) => (operations === phase.operations ? phase.latency : null),
  )
}
