import { type Statistic, successes } from '../latency.ts'
import { type Column, type Columns, ofCalls, type PerRun, latencyStatistic } from './column.ts'
import { maxPerSecond, timePerSecond } from './per-second.ts'

/** Columns for the latency of successful operations. */
export const latencyColumns = {
  meanMs: {
    ...milliseconds('Average Op Latency (ms)', 'Mean latency of successful operations, measured at the client.'),
    ...latency('meanMs'),
  },
  minMs: {
    ...milliseconds('Min (ms)', 'Minimum latency of successful operations, measured at the client.'),
    ...latency('minMs'),
  },
  p50Ms: {
    ...milliseconds('p50 (ms)', 'Median latency of successful operations, measured at the client.'),
    ...latency('p50Ms'),
    perSecond: (scope) => timePerSecond(scope, 'p50Ms'),
  },
  p90Ms: {
    ...milliseconds('p90 (ms)', '90th percentile of the latency of successful operations, measured at the client.'),
    ...latency('p90Ms'),
  },
  p95Ms: {
    ...milliseconds('p95 (ms)', '95th percentile of the latency of successful operations, measured at the client.'),
    ...latency('p95Ms'),
  },
  p99Ms: {
    ...milliseconds('p99 (ms)', '99th percentile of the latency of successful operations, measured at the client.'),
    ...latency('p99Ms'),
    perSecond: (scope) => timePerSecond(scope, 'p99Ms'),
  },
  p999Ms: {
    ...milliseconds('p99.9 (ms)', '99.9th percentile of the latency of successful operations, measured at the client.'),
    ...latency('p999Ms'),
  },
  maxMs: {
    ...milliseconds('Max (ms)', 'Maximum latency of successful operations, measured at the client.'),
    ...latency('maxMs'),
    perSecond: maxPerSecond,
  },
  answerMs: {
    ...milliseconds(
      'Average Time to Answer (ms)',
      'Mean time at the client until the reply, the error or the deadline of an operation, whatever its outcome.',
    ),
    ...latencyStatistic('meanMs', ({ operations }) =>
      operations.flatMap(({ latency: { ok, failed, unknown } }) => [ok, failed, unknown].flatMap((one) => one ?? [])),
    ),
  },
} as const satisfies Columns

function milliseconds(title: string, meaning: string): Omit<Column, 'value' | 'overRuns' | 'perCall'> {
  return { title, unit: 'ms', meaning, source: 'client', digits: 2, better: 'lower', of: ofCalls }
}

function latency(name: Statistic): Pick<PerRun, 'value' | 'together' | 'percentile'> {
  return latencyStatistic(
    name,
    ({ operations }) => successes(operations),
    ({ phase, operations }) => (operations === phase.operations ? phase.latency : null),
  )
}
