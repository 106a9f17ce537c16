import { formatQuantity } from '../../core/quantities.ts'
import { metricIn, parseAddress } from '../../metrics/address.ts'
import { describeShape } from '../../metrics/scope.ts'
import { type Result } from '../../results/schema.ts'
import { formatAddressTitle } from '../comparison/figures.ts'
import { summarizeRows } from '../history/summarize-rows.ts'

/** The metrics that comparisons judge by default, over the runs of each row, by their addresses. */
function listFollowed(result: Result) {
  const shape = describeShape(result)
  return summarizeRows(result).flatMap(({ row, values }) =>
    Object.entries(values).map(([measure, value]) => ({
      value,
      name: row === '' ? result.spec.name : `${result.spec.name}, ${row}`,
      measure,
      address: parseAddress(measure, shape),
    })),
  )
}

/**
 * Results as the action github-action-benchmark reads them: its tool "customBiggerIsBetter" takes the metrics of which higher values are better,
 * "customSmallerIsBetter" the others.
 */
export const actionBenchmarks = (results: readonly Result[], better: 'higher' | 'lower'): readonly object[] =>
  results.flatMap(listFollowed).flatMap(({ name, address, value: { median, low, high, runs } }) => {
    if (address.column.better !== better) return []
    const spread = Math.max(high - median, median - low)
    return {
      name: `${name}: ${formatAddressTitle(address)}`,
      unit: address.column.unit,
      value: median,
      range: runs > 1 ? `± ${Number(spread.toPrecision(3))}` : undefined,
      extra: `median of ${formatQuantity(runs, 'run')}`,
    }
  })

type BencherMetric = { readonly value: number; readonly lower_value?: number; readonly upper_value?: number }

/** Results in the Bencher Metric Format: benchmarks by name, with their measures. */
export function bencherMetrics(results: readonly Result[]): Readonly<Record<string, Record<string, BencherMetric>>> {
  const benchmarks: Record<string, Record<string, BencherMetric>> = {}
  for (const {
    name,
    measure,
    value: { median: value, low, high, runs },
  } of results.flatMap(listFollowed)) {
    const metric = metricIn(measure)
    const place = measure.slice(0, -metric.length - 1)
    const benchmark = (benchmarks[place === '' ? name : `${name}: ${place}`] ??= {})
    benchmark[metric] = { value, ...(runs > 1 && { lower_value: low, upper_value: high }) }
  }
  return benchmarks
}
