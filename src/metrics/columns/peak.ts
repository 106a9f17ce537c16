import { type PeakStep } from '../../results/schema/peak.ts'
import { type Scope } from '../scope.ts'
import { asPercentile, type Columns } from './column.ts'

const ofSearch = { source: 'client', of: ['phase'] } as const

/** Columns for a search for the best number of workers. Empty for other phases. */
export const peakColumns = {
  peakWorkers: {
    ...ofSearch,
    title: 'Best Number of Workers',
    unit: 'workers',
    meaning:
      'Result of a search ("kind": "findPeak"): the smallest number of workers whose throughput was within the margin of the maximum.',
    digits: 0,
    value: ({ phase }) => phase.peak?.workers ?? null,
  },
  peakOpsPerSecond: {
    ...ofSearch,
    title: 'Throughput with the Best Number of Workers (ops/s)',
    unit: 'ops/s',
    meaning: 'Successful operations in the step with the best number of workers, divided by the length of that step.',
    digits: 0,
    better: 'higher',
    value: ({ phase }) => phase.peak?.opsPerSecond ?? null,
  },
  peakMeanMs: {
    ...ofSearch,
    title: 'Average Op Latency with the Best Number of Workers (ms)',
    unit: 'ms',
    meaning: 'Mean latency of successful operations in the step with the best number of workers.',
    digits: 2,
    better: 'lower',
    value: (scope) => bestStepOf(scope)?.latency?.meanMs ?? null,
  },
  peakP99Ms: {
    ...ofSearch,
    title: 'p99 with the Best Number of Workers (ms)',
    unit: 'ms',
    meaning: '99th percentile of the latency of successful operations in the step with the best number of workers.',
    digits: 2,
    better: 'lower',
    value: (scope) => bestStepOf(scope)?.latency?.p99Ms ?? null,
    ...asPercentile('p99Ms', (scope) => bestStepOf(scope)?.latency?.count ?? null),
  },
} as const satisfies Columns

const bestStepOf = ({ phase: { peak } }: Scope): PeakStep | undefined =>
  peak?.steps.find(({ workers }) => workers === peak.workers)
