import { checkColumns } from './columns/checks.ts'
import { type Column } from './columns/column.ts'
import { documentColumns } from './columns/documents.ts'
import { efficiencyColumns } from './columns/efficiency.ts'
import { explainColumns } from './columns/explain.ts'
import { faultColumns } from './columns/faults.ts'
import { latencyColumns } from './columns/latency.ts'
import { limitedByColumns } from './columns/limited-by.ts'
import { memberColumns } from './columns/members.ts'
import { openLoopColumns } from './columns/open-loop.ts'
import { peakColumns } from './columns/peak.ts'
import { serverColumns } from './columns/server.ts'
import { singleCallColumns } from './columns/single-calls.ts'
import { storageColumns } from './columns/storage.ts'
import { streamColumns } from './columns/streams.ts'
import { throughputColumns } from './columns/throughput.ts'
import { transactionColumns } from './columns/transactions.ts'
import { trustColumns } from './columns/trust.ts'

/** Every measure that tables, charts and thresholds can name. To add one, add an entry to its family. */
export const columns = {
  ...throughputColumns,
  ...latencyColumns,
  ...openLoopColumns,
  ...peakColumns,
  ...documentColumns,
  ...explainColumns,
  ...transactionColumns,
  ...streamColumns,
  ...singleCallColumns,
  ...serverColumns,
  ...memberColumns,
  ...faultColumns,
  ...storageColumns,
  ...efficiencyColumns,
  ...trustColumns,
  ...limitedByColumns,
  ...checkColumns,
} as const

/** The name of a measure. */
export type Measure = keyof typeof columns

/** All names of measures. */
export const measures = Object.keys(columns) as readonly Measure[]

/** Whether a name is that of a measure. */
export function isMeasure(name: string): name is Measure {
  return Object.hasOwn(columns, name)
}

/** The column of a measure. */
export function columnOf(measure: Measure): Column {
  return columns[measure]
}
