import { type Path } from '../json.ts'
import { nearest } from '../nearest.ts'
import { checkCharts } from './check-charts.ts'
import { checkExpression, checkMeasure, fault, rowPartFaults, type ReportFault } from './check-expression.ts'
import { parameterFaults } from './parameters.ts'
import { atOf, pivotNames } from './pivot.ts'
import { checkPublished } from './published/check-published.ts'
import { type ColumnSpec, type ReportSpec, type TableSpec } from './schema.ts'
import { type Shape } from './scope.ts'
import { linesIn, namesIn } from './texts.ts'

export { type ReportFault } from './check-expression.ts'

/**
 * What is wrong with a report part beyond its form, so that it shows before anything is measured.
 * @param shape The measured phases of the spec.
 * @param parameters The names of its parameters.
 */
export function checkReport(report: ReportSpec, shape: Shape, parameters: readonly string[]): readonly ReportFault[] {
  return [
    ...checkLet(report, shape),
    ...(report.tables ?? []).flatMap((table, index) =>
      checkTable(table, { path: ['tables', index], shape, parameters, names: Object.keys(report.let ?? {}) }),
    ),
    ...checkCharts(report, shape, parameters),
    ...checkPublished(report, shape, parameters),
    ...validateTexts(report),
  ]
}

function checkLet({ let: given = {} }: ReportSpec, shape: Shape): readonly ReportFault[] {
  const names = Object.keys(given)
  return Object.entries(given).flatMap(([name, node], index) =>
    checkExpression(node, {
      path: ['let', name],
      shape,
      rows: 'variants',
      names: names.slice(0, index),
    }),
  )
}

function validateTexts(report: ReportSpec): readonly ReportFault[] {
  const names = Object.keys(report.let ?? {})
  return linesIn(report).flatMap(({ line, path }) =>
    namesIn(line)
      .filter((name) => !names.includes(name))
      .flatMap((name) => fault(path, `"let" of the report has no value "${name}"`, nearest(name, names))),
  )
}

type TablePlace = {
  readonly path: Path
  readonly shape: Shape
  readonly parameters: readonly string[]
  /** What `@var` may read. */
  readonly names: readonly string[]
}

function checkTable(table: TableSpec, place: TablePlace): readonly ReportFault[] {
  const { path, shape, names } = place
  const merged = pivotNames(table.columns)
  return [
    ...(table.where === undefined
      ? []
      : checkExpression(table.where, { path: [...path, 'where'], shape, rows: table.rows, names })),
    ...table.columns.flatMap((column, index) => {
      const ofColumn = { ...place, path: [...path, 'columns', index] }
      const found = checkColumn(column, table, ofColumn)
      return found.length > 0 ? found : checkMerged(column, merged, ofColumn.path)
    }),
  ]
}

function checkColumn(
  column: ColumnSpec,
  { rows }: TableSpec,
  { path, shape, parameters, names }: TablePlace,
): readonly ReportFault[] {
  if (typeof column === 'string') return checkMeasure(column, path, shape, rows)
  if ('metric' in column) return checkMeasure(column.metric, [...path, 'metric'], shape, rows)
  if ('value' in column) return checkExpression(column.value, { path: [...path, 'value'], shape, rows, names })
  if ('parameter' in column) return parameterFaults([...path, 'parameter'], column.parameter, parameters)
  if ('row' in column) return rowPartFaults([...path, 'row'], column.row, rows)
  if (!('machine' in column) || rows === 'once') return []
  return fault([...path, 'machine'], 'there is one machine for all rows: give it a table of "rows": "once"')
}

/** Where rows become one, a column must say which of them it shows. */
function checkMerged(column: ColumnSpec, merged: readonly string[], path: Path): readonly ReportFault[] {
  if (merged.length === 0 || atOf(column) !== undefined) return []
  const isMeasured = typeof column === 'string' || 'metric' in column
  const isMerged = typeof column === 'object' && 'parameter' in column && merged.includes(column.parameter)
  if (!isMeasured && !isMerged) return []
  const names = merged.map((name) => `"${name}"`).join(', ')
  return fault(
    path,
    `rows that differ in ${names} alone become one in this table: ${isMerged ? 'no one value is left' : 'say which with "at"'}`,
  )
}
