import { type Result } from '../results/schema.ts'
import { parseAddress } from './address.ts'
import { columnOf } from './columns.ts'
import { type Note, notesOf } from './notes.ts'
import { parameterCell, plainCell, requireParameter } from './parameters.ts'
import { type FullReportSpec, reportSpecOf } from './report-spec.ts'
import { type Cell, measuredCell, type Row, rowPartCell, rowPartTitles, rowsOf } from './rows.ts'
import { type ColumnSpec, type TableRows, type TableSpec } from './schema.ts'
import { type Shape, shapeOf } from './scope.ts'

/** A table before it becomes text: what markdown, CSV and JSON share. */
export type Table = {
  readonly title: string
  readonly kind: TableRows
  readonly columns: readonly TableColumn[]
  readonly rows: readonly TableRow[]
}

export type TableColumn = {
  /** The address, parameter or fact that it shows. */
  readonly name: string
  readonly title: string
  readonly unit: string
  /** Decimals to print. Null: as it is written. */
  readonly digits: number | null
}

export type TableRow = { readonly cells: readonly Cell[]; readonly notes: readonly Note[] }

/** @param spec The report part, when it is not that of the result. */
export function tablesOf(result: Result, spec: FullReportSpec = reportSpecOf(result)): readonly Table[] {
  const shape = shapeOf(result)
  return spec.tables.map((table) => tableOf(result, table, shape))
}

function tableOf(result: Result, spec: TableSpec, shape: Shape): Table {
  const columns = distinctTitles(spec.columns.map((column) => columnFor(result, column, spec.rows, shape)))
  const rows = rowsOf(result, spec.rows).map((row) => ({
    cells: columns.map(({ cell }) => cell(row)),
    notes: spec.rows === 'once' ? [] : notesOf(row),
  }))
  return { title: spec.title, kind: spec.rows, columns: columns.map(({ column }) => column), rows }
}

type FilledColumn = { readonly column: TableColumn; readonly cell: (row: Row) => Cell }

function columnFor(result: Result, spec: ColumnSpec, rows: TableRows, shape: Shape): FilledColumn {
  if (typeof spec === 'string') return columnFor(result, { metric: spec }, rows, shape)
  if ('metric' in spec) return measuredColumn(spec, rows, shape)
  if ('parameter' in spec) {
    requireParameter(result, spec.parameter)
    return plainColumn(spec.parameter, spec, ({ variant }) => parameterCell(variant, spec.parameter))
  }
  if ('fact' in spec) return plainColumn(spec.fact, spec, ({ variant }) => plainCell(variant.facts[spec.fact]))
  return plainColumn(spec.row, { ...spec, title: spec.title ?? rowPartTitles[spec.row] }, (row) =>
    rowPartCell(row, spec.row),
  )
}

type Look = { readonly title?: string | undefined; readonly digits?: number | undefined }

function measuredColumn(spec: { readonly metric: string } & Look, rows: TableRows, shape: Shape): FilledColumn {
  const address = parseAddress(spec.metric, shape, rows)
  const { title, unit, digits } = columnOf(address.measure)
  return {
    column: { name: spec.metric, title: spec.title ?? title, unit, digits: spec.digits ?? digits },
    cell: (row) => measuredCell(row, address),
  }
}

function plainColumn(name: string, look: Look, cell: (row: Row) => Cell): FilledColumn {
  return { column: { name, title: look.title ?? name, unit: '', digits: look.digits ?? null }, cell }
}

/** Two columns of one measure, of different phases, say in their heading which is which. */
function distinctTitles(columns: readonly FilledColumn[]): readonly FilledColumn[] {
  return columns.map(({ column, cell }) => {
    const twins = columns.filter((other) => other.column.title === column.title)
    const place = column.name.split('.').slice(0, -1).join('.')
    return {
      column: twins.length < 2 || place === '' ? column : { ...column, title: `${place}: ${column.title}` },
      cell,
    }
  })
}
