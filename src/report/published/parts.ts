import { type Result } from '../../results/schema.ts'
import { type Picture } from '../charts/picture.ts'
import { atOf } from '../../metrics/pivot.ts'
import { type FullReportSpec } from '../report-spec.ts'
import { type ColumnSpec } from '../../metrics/report-schema.ts'
import { type TableColumn } from '../tables/table.ts'
import { type MeasuredTable, metricOf, showsInterval } from '../tables/measured.ts'
import { comparePublished, type Comparison } from './compare.ts'
import { comparisonPicture } from './picture.ts'
import { rowNames, distinguishesRows } from './row-names.ts'
import { comparisonTable } from './table.ts'

/** What a comparison with published figures adds to a report: a table and a chart. */
export type ComparisonParts = {
  readonly comparison: Comparison
  readonly table: MeasuredTable
  /** Number of tables of the report before it: it follows the first table with the same rows. */
  readonly position: number
  readonly picture: Picture
}

/**
 * The comparison of a report. Null if the spec names no published figures.
 * @param tables The tables of the report without the comparison.
 */
export function comparisonParts(
  result: Result,
  spec: FullReportSpec,
  tables: readonly MeasuredTable[],
): ComparisonParts | null {
  if (spec.published === undefined) return null
  const comparison = comparePublished(result, spec.published)
  const names = rowNames(spec.published, result, spec)
  const main = spec.tables.findIndex(distinguishesRows)
  return {
    comparison,
    table: comparisonTable(comparison, names, (one) => measuredColumn(one, spec, tables)),
    position: main < 0 ? spec.tables.length : main + 1,
    picture: comparisonPicture(comparison, names),
  }
}

/** The column of the measured figures as another table of the report shows it, else with its defaults. */
function measuredColumn(
  { spec, address }: Comparison,
  written: FullReportSpec,
  tables: readonly MeasuredTable[],
): TableColumn {
  const isShown = (column: ColumnSpec): boolean =>
    metricOf(column) === spec.metric && atOf(column) === undefined && !showsInterval(column)
  const [shown] = written.tables.flatMap(({ columns, transpose }, index) => {
    const all = tables[index]?.columns ?? []
    // Added columns come first.
    const ofWritten = all.slice(all.length - columns.length)
    return transpose ? [] : (ofWritten[columns.findIndex(isShown)] ?? [])
  })
  const { title, unit, digits } = address.column
  return shown ?? { name: spec.metric, title, unit, digits }
}
