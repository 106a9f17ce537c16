import { type Scope } from '../scope.ts'
import { meanRatio, stretchFigures } from '../stretches.ts'
import { defineColumns } from './column.ts'

const createRatio = (name: keyof typeof stretchFigures, what: string) => ({
  title: `${what} beside the Load (×)`,
  meaning: `${what} while the load beside it that is on and off in turn ("alternate") was on, divided by that while it was off: the mean over the pairs of stretches. The report has its interval. Empty for other phases.`,
  digits: 2,
  better: stretchFigures[name].better,
  value: ({ phase }: Scope): number | null => meanRatio(phase, stretchFigures[name].read),
})

/** Columns for a load beside one that is on and off in turn. */
export const besideColumns = defineColumns(
  { source: 'client', of: ['phase'] },
  {
    besideOpsRatio: createRatio('opsPerSecond', 'Throughput'),
    besideP50Ratio: createRatio('p50Ms', 'Median latency'),
    besideP99Ratio: createRatio('p99Ms', '99th percentile of latency'),
  },
)
