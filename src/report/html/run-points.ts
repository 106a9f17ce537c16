import { type Result } from '../../results/schema.ts'
import { type Address, parseAddress } from '../../metrics/address.ts'
import { measuredCell, type Row, rowsOf, valuesOf } from '../../metrics/rows.ts'
import { isNumber } from '../../metrics/statistics.ts'
import { shapeOf } from '../../metrics/scope.ts'
import { trustTexts } from '../charts/explanation.ts'
import { trustAt } from '../charts/point-trust.ts'
import { type ColumnSpec, type TableRows } from '../../metrics/report-schema.ts'
import { type FullReportSpec } from '../report-spec.ts'
import { labelled } from './labelled.ts'
import { type RunPoints } from './page-data.ts'
import { rounded } from './rounded.ts'

const maxMeasures = 6
const shownRows: ReadonlySet<TableRows> = new Set(['variants', 'operations'])

/** With whether higher values are better, as for throughput: such measures come first, because the time taken is often given. */
type RankedPoints = RunPoints & { readonly isFirst: boolean }

/** The values of every run, for the measures that the tables show. Empty where rows were run once. */
export function runPointsOf(result: Result, spec: FullReportSpec): readonly RunPoints[] {
  const shape = shapeOf(result)
  const measures = spec.tables
    .filter(({ rows }) => shownRows.has(rows))
    .flatMap(({ rows, columns }) => columns.flatMap((column) => measureIn(column).map((metric) => ({ metric, rows }))))
  const distinct = [...new Map(measures.map((measure) => [JSON.stringify(measure), measure])).values()]
  return distinct
    .flatMap(({ metric, rows: kind }): readonly RankedPoints[] => {
      const address = parseAddress(metric, shape, kind)
      const rows = rowsOf(result, kind)
      const points = labelled(result, spec, rows).map(({ row, label }) =>
        Object.assign(trustAt(row, address), {
          label: label || 'all operations',
          values: valuesOf(row, address).map(rounded),
          figure: figureIn(row, address),
        }),
      )
      const known = points.filter(({ values }) => values.length > 0)
      const place = metric.split('.').slice(0, -1).join('.')
      const isFirst = address.column.better === 'higher'
      const title = [place, address.column.title].filter((part) => part !== '').join(': ')
      return known.some(({ values }) => values.length > 1)
        ? [{ title, rows: known, remark: trustTexts(known, isFirst).join('; '), isFirst }]
        : []
    })
    .toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst))
    .slice(0, maxMeasures)
    .map(({ title, remark, rows }) => ({ title, remark, rows }))
}

function figureIn(row: Row, address: Address): number | null {
  const cell = measuredCell(row, address)
  return isNumber(cell) ? rounded(cell) : null
}

const measureIn = (column: ColumnSpec): readonly string[] => {
  if (typeof column === 'string') return [column]
  return 'metric' in column && column.at === undefined ? [column.metric] : []
}
