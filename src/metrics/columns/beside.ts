import { meanRatio, stretchFigures } from '../stretches.ts'
import { type Column, type Columns } from './column.ts'

const createRatio = (name: keyof typeof stretchFigures, what: string): Column => ({
  title: `${what} beside the Load (×)`,
  unit: '×',
  meaning: `${what} while the load beside it that is on and off in turn ("alternate") was on, divided by that while it was off: the mean over the pairs of stretches. The report has its interval. Empty for other phases.`,
  source: 'client',
  digits: 2,
  better: stretchFigures[name].better,
  of: ['phase'],
  value: ({ phase }) => meanRatio(phase, stretchFigures[name].read),
})

/** Columns for a load beside one that is on and off in turn. */
export const besideColumns = {
  besideOpsRatio: createRatio('opsPerSecond', 'Throughput'),
  besideP50Ratio: createRatio('p50Ms', 'Median latency'),
  besideP99Ratio: createRatio('p99Ms', '99th percentile of latency'),
} as const satisfies Columns
