import { type Result } from '../../results/schema.ts'
import { type Row } from '../../metrics/rows.ts'
import { dimensionsOf, seriesText } from '../charts/dimensions.ts'
import { type FullReportSpec } from '../report-spec.ts'

/** Rows with what distinguishes them. A single row has an empty label. */
export function labelled(
  result: Result,
  spec: FullReportSpec,
  rows: readonly Row[],
): readonly { readonly row: Row; readonly label: string }[] {
  const dimensions = dimensionsOf(result, rows, { x: null, series: [] })
  return rows.map((row) => ({ row, label: seriesText(spec, row, dimensions) }))
}
