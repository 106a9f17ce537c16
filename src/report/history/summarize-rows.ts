import { listRows } from '../../metrics/rows/rows.ts'
import { describeShape } from '../../metrics/scope.ts'
import type { Result } from '../../results/schema.ts'
import { type ComparedMetric, defaultMetrics } from '../comparison/metrics.ts'
import type { RowPair } from '../comparison/pair-results.ts'
import { valuesOfChoice } from '../comparison/values.ts'
import { type MedianInterval, medianInterval } from './median-interval.ts'

/** Returns the median of each metric that is compared by default, with its interval over the runs, for each row. */
export function summarizeRows(result: Result): { row: string; values: Record<string, MedianInterval> }[] {
  const isOnly = describeShape(result).phases.length === 1
  return listRows(result, 'variants').map((row) => {
    const label = row.variant.label
    const pair: RowPair = { label, a: row, b: row }
    // All of a choice: from run to run, a percentile may have enough samples or not.
    const measured = defaultMetrics(pair, isOnly)
      .flat()
      .flatMap((measure) => {
        const interval = intervalIn(measure, pair)
        return interval === null ? [] : [[measure.text, interval] as const]
      })
    return { row: label, values: Object.fromEntries(measured) }
  })
}

function intervalIn(measure: ComparedMetric, pair: RowPair): MedianInterval | null {
  const values = valuesOfChoice([measure], pair, { rounds: 'unpaired', roundOf: null })
  const interval = 'kind' in values ? null : medianInterval(values.a)
  return (
    interval && {
      ...interval,
      median: rounded(interval.median),
      low: rounded(interval.low),
      high: rounded(interval.high),
    }
  )
}

/** Six digits are more than any table prints. */
const rounded = (value: number): number => Number(value.toPrecision(6))
