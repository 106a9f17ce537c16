import { checkColumns } from './columns/checks.ts'
import { type Column } from './columns/column.ts'
import { documentColumns } from './columns/documents.ts'
import { efficiencyColumns } from './columns/efficiency.ts'
import { explainColumns } from './columns/explain.ts'
import { faultColumns } from './columns/faults.ts'
import { latencyColumns } from './columns/latency.ts'
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

/** Every measure that a table, a chart or a threshold can name. A new one is one entry in its family. */
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
  ...checkColumns,
} as const

export type Measure = keyof typeof columns

export const measures = Object.keys(columns) as readonly Measure[]

export function isMeasure(name: string): name is Measure {
  return Object.hasOwn(columns, name)
}

export function columnOf(measure: Measure): Column {
  return columns[measure]
}
