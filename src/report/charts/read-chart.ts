import { type Evaluation } from '../../metrics/evaluate.ts'
import { type ChartSpec, type Dimension } from '../../metrics/report-schema.ts'
import { chartRows } from '../../metrics/shown-metrics.ts'
import { chooseDimensions } from './dimensions.ts'

/** Finds the rows that a chart draws, which match its `where`, and the dimensions that tell their lines apart. */
export function readChart(
  { result, rows: listRows, holds }: Evaluation,
  chart: ChartSpec,
  {
    x = null,
    kind = chartRows(chart),
  }: { readonly x?: Dimension | null; readonly kind?: ReturnType<typeof chartRows> } = {},
) {
  const rows = listRows(kind).filter((row) => holds(chart.where, row))
  return { kind, rows, series: chooseDimensions(result, rows, { x, series: chart.series ?? [] }) }
}
