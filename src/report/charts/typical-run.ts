import { type VariantResult } from '../../results/schema.ts'
import { throughputColumns } from '../columns/throughput.ts'
import { type Row } from '../rows.ts'
import { sum } from '../statistics.ts'

/** Seconds or calls of different runs cannot be put together, so the run in the middle by throughput is drawn. */
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
