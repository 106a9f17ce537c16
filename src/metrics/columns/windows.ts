import { type PhaseResult } from '../../results/schema.ts'
import { meanRatio, pairFigures } from '../pairs.ts'
import { type Scope } from '../scope.ts'
import { defineColumns } from './column.ts'

/** Reads a part of the answer of a search of a kind. Null for other phases. */
const readAnswer =
  (kind: PhaseResult['load'], part: 'found' | 'low' | 'high') =>
  ({ phase: { load, outcome } }: Scope): number | null =>
    load === kind ? (outcome?.[part] ?? null) : null

const createRatio = (name: keyof typeof pairFigures, what: string) => ({
  title: `${what}, Load On / Off (×)`,
  meaning: `${what} while the parallel load that is on and off in turn ("alternate") was on, divided by the same while it was off: the mean over the pairs of windows. The report has its interval. Empty for other phases.`,
  digits: 2,
  better: pairFigures[name].better,
  value: ({ phase }: Scope): number | null => meanRatio(phase, pairFigures[name].read),
})

/** Columns over the windows of a phase: answers of searches, and ratios of pairs. Figures of single windows have addresses: "mix@found.p99Ms". */
export const windowColumns = defineColumns(
  { source: 'client', of: ['phase'] },
  {
    foundWorkers: {
      title: 'Best Number of Workers',
      unit: 'workers',
      meaning:
        'Result of a search ("kind": "findPeak"): the smallest number of workers whose throughput was within the margin of the maximum. Empty for other phases.',
      value: readAnswer('findPeak', 'found'),
    },
    foundRate: {
      title: 'Rate under the Limits (ops/s)',
      meaning:
        'Result of a search ("kind": "findRate"): the highest rate at which its limits held, and a separate step confirmed that. Empty for other phases.',
      better: 'higher',
      value: readAnswer('findRate', 'found'),
    },
    foundRateLow: {
      title: 'Lower End (ops/s)',
      meaning:
        'The nearest rate below the found one, by a quarter of "precisionPercent" or more, at which the limits held.',
      value: readAnswer('findRate', 'low'),
    },
    foundRateHigh: {
      title: 'Upper End (ops/s)',
      meaning:
        'The nearest rate above the found one, by half of "precisionPercent" or more, at which a limit was missed: twice, or in a longer step. Empty if none was missed.',
      value: readAnswer('findRate', 'high'),
    },
    foundCacheMB: {
      title: 'Cache under the Limits (MB)',
      meaning:
        'Result of a search ("kind": "findCache"): the smallest cache with which its limits held. Empty for others.',
      better: 'lower',
      value: readAnswer('findCache', 'found'),
    },
    onOffOpsRatio: createRatio('opsPerSecond', 'Throughput'),
    onOffP50Ratio: createRatio('p50Ms', 'Median latency'),
    onOffP99Ratio: createRatio('p99Ms', '99th percentile of latency'),
  },
)
