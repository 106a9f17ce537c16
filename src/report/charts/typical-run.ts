import { type VariantResult } from '../../results/schema.ts'
import { throughputColumns } from '../../metrics/columns/throughput.ts'
import { type Row } from '../../metrics/rows.ts'
import { sum } from '../../metrics/statistics.ts'

/** The row with its median run by throughput, because time lines of different runs cannot be combined. */
export function typicalRun(row: Row): Row {
  const byThroughput = row.runs.toSorted((a, b) => throughput(a) - throughput(b))
  const run = byThroughput[Math.floor((byThroughput.length - 1) / 2)]
  return run === undefined ? row : { ...row, runs: [run] }
}

function throughput(variant: VariantResult): number {
  return sum(
    variant.phases.map((phase) => {
      const { operations, streams } = phase
      return throughputColumns.opsPerSecond.value({ variant, phase, operations, streams }) ?? 0
    }),
  )
}
