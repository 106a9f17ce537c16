import type { Path } from '../../../core/json.ts'
import { nearest } from '../../../core/nearest.ts'
import { type Finding, oneFinding } from '../../../language/issues.ts'
import { metricIn, readAddress } from '../../../metrics/address.ts'
import { findComparedMetric } from '../../../metrics/against.ts'
import { getColumn, isMetric } from '../../../metrics/columns/index.ts'
import { type RatioSpec, ratioIn } from '../../../metrics/ratios.ts'
import type { ColumnSpec, PublishedSpec, ReportSpec, TableRows, TableSpec } from '../../../metrics/report-schema.ts'
import { type Named, parameterIssues } from '../../../metrics/rows/parameters.ts'
import { getAt, isAt, pivotNames } from '../../../metrics/rows/siblings.ts'
import type { Shape } from '../../../metrics/scope.ts'
import { textNames } from '../../../metrics/text-names.ts'
import { findTable, listAdjacentSpecs } from '../../published/find-table.ts'
import { findPublishedRow } from '../../published/match.ts'
import { validateCharts } from './validate-charts.ts'
import { rowPartIssues, validateExpression, validateMetricAddress } from './validate-expression.ts'

/**
 * The issues of a report part that its schema does not find. It is called before anything is measured.
 * @param shape The measured phases of the spec.
 * @param parameters The names of its parameters.
 */
export function validateReport(report: ReportSpec, shape: Shape, parameters: readonly string[]): readonly Finding[] {
  return [
    ...validateLet(report, shape),
    ...(report.tables ?? []).flatMap((table, index) =>
      validateTable(table, { path: ['tables', index], shape, parameters, names: Object.keys(report.let ?? {}) }),
    ),
    ...validateCharts(report, shape, parameters),
    ...validatePublished(report, shape, parameters),
    ...validateTexts(report),
  ]
}

function validateLet({ let: given = {} }: ReportSpec, shape: Shape): readonly Finding[] {
  const names = Object.keys(given)
  return Object.entries(given).flatMap(([name, node], index) =>
    validateExpression(node, {
      path: ['let', name],
      shape,
      rows: 'variants',
      names: names.slice(0, index),
    }),
  )
}

function validateTexts(report: ReportSpec): readonly Finding[] {
  const values = report.let ?? {}
  const names = Object.keys(values)
  return textNames(report).flatMap(({ name, path, ofRatio }) => {
    if (!names.includes(name))
      return oneFinding(path, `"let" of the report has no value "${name}"`, nearest(name, names))
    if (ofRatio === false) return []
    const ratio = ratioIn(values[name])
    if (ratio === null) return oneFinding(path, `"${name}" of "let" is not a "@ratio"`)
    return ofRatio === 'published' && !isPublished(ratio, report)
      ? oneFinding(path, `"published" of the report has no figures of ${metricIn(ratio.of)}, which "${name}" compares`)
      : []
  })
}

const isPublished = ({ of }: RatioSpec, { published }: ReportSpec): boolean =>
  published !== undefined &&
  [published, ...(published.beside ?? [])].some(({ metric }) => metricIn(metric) === metricIn(of))

type TableContext = {
  readonly path: Path
  readonly shape: Shape
  readonly parameters: readonly string[]
  /** Names that `@var` may read. */
  readonly names: readonly string[]
}

function validateTable(table: TableSpec, context: TableContext): readonly Finding[] {
  const { path, shape, names } = context
  const merged = pivotNames(table.columns)
  return [
    ...(table.where === undefined
      ? []
      : validateExpression(table.where, { path: [...path, 'where'], shape, rows: table.rows, names })),
    ...table.columns.flatMap((column, index) => {
      const ofColumn = { ...context, path: [...path, 'columns', index] }
      const found = validateColumn(column, table, ofColumn)
      return found.length > 0 ? found : validateMerged(column, merged, ofColumn.path)
    }),
    ...validateComparison(table, { ...context, path: [...path, 'compare'] }),
  ]
}

function validateComparison(table: TableSpec, { path, shape, parameters }: TableContext): readonly Finding[] {
  const { compare, rows, columns } = table
  if (compare === undefined) return []
  if (rows !== 'variants' || pivotNames(columns).length > 0)
    return oneFinding(path, 'only tables with a row for each variant, and no "at", compare their rows')
  if (Object.keys(compare.to).length === 0) return oneFinding([...path, 'to'], 'it must name a parameter')
  const names = Object.keys(compare.to).flatMap((name) => parameterIssues([...path, 'to', name], name, parameters))
  const addresses = compare.of === undefined ? [] : validateMetricAddress(compare.of, [...path, 'of'], shape, rows)
  if (names.length + addresses.length > 0 || findComparedMetric(table, compare, shape) !== undefined)
    return [...names, ...addresses]
  return compare.of === undefined
    ? oneFinding(path, 'no column of the table can be compared: name a metric with "of"')
    : oneFinding([...path, 'of'], `rows cannot be compared by "${compare.of}"`, 'opsPerSecond')
}

function validateColumn(
  column: ColumnSpec,
  { rows }: TableSpec,
  { path, shape, parameters, names }: TableContext,
): readonly Finding[] {
  if (typeof column === 'string') return validateMetricAddress(column, path, shape, rows)
  if ('metric' in column) {
    const found = validateMetricAddress(column.metric, [...path, 'metric'], shape, rows)
    return found.length === 0 && column.show === 'interval' ? intervalIssues(column.metric, path, shape, rows) : found
  }
  if ('value' in column) return validateExpression(column.value, { path: [...path, 'value'], shape, rows, names })
  if ('parameter' in column) return parameterIssues([...path, 'parameter'], column.parameter, parameters)
  if ('row' in column) return rowPartIssues([...path, 'row'], column.row, rows)
  if (!('machine' in column) || rows === 'once') return []
  return oneFinding(
    [...path, 'machine'],
    'the machine is the same for all rows: show it in a table with "rows": "once"',
  )
}

/** The runs lie apart only in what each of them has a value of. */
function intervalIssues(address: string, path: Path, shape: Shape, rows: TableRows): readonly Finding[] {
  const read = readAddress(address, shape, rows)
  if ('reason' in read || 'value' in read.column) return []
  return oneFinding([...path, 'show'], `"${read.metric}" is not computed for each run`, 'figure')
}

/** If rows are merged, a column must select one of them. */
function validateMerged(column: ColumnSpec, merged: readonly string[], path: Path): readonly Finding[] {
  if (merged.length === 0 || getAt(column) !== undefined) return []
  const isMeasured = typeof column === 'string' || 'metric' in column
  const isMerged = typeof column === 'object' && 'parameter' in column && merged.includes(column.parameter)
  if (!isMeasured && !isMerged) return []
  const names = merged.map((name) => `"${name}"`).join(', ')
  return oneFinding(
    path,
    `rows that differ only in ${names} are merged in this table: ${isMerged ? 'they have no common value' : 'select one with "at"'}`,
  )
}

/** The issues of the published figures that a report compares with. */
function validatePublished({ published }: ReportSpec, shape: Shape, parameters: readonly string[]): readonly Finding[] {
  if (published === undefined) return []
  const beside = listAdjacentSpecs(published).map((one, index) => ({ one, at: ['beside', index] }))
  const issues = issuesIn(findTable(published))
  return [
    // What is wrong with the document, or with the key columns, is reported once.
    ...(issues.length > 0 ? issues : beside.flatMap(({ one, at }) => issuesIn(findTable(one, at)))),
    ...validatePublishedMetric(published.metric, shape, []),
    ...beside.flatMap(({ one, at }) => validatePublishedMetric(one.metric, shape, at)),
    ...published.rows.flatMap(({ parameter }, index) =>
      parameterIssues(['published', 'rows', index, 'parameter'], parameter, parameters),
    ),
  ]
}

const issuesIn = (found: ReturnType<typeof findTable>): readonly Finding[] => ('issues' in found ? found.issues : [])

function validatePublishedMetric(metric: string, shape: Shape, at: Path): readonly Finding[] {
  const path = ['published', ...at, 'metric']
  const measure = metricIn(metric)
  if (isMetric(measure) && getColumn(measure).isText)
    return oneFinding(path, `"${measure}" is text, and only metrics can be compared`)
  return validateMetricAddress(metric, path, shape, 'variants')
}

/** The issues of "base", which must select one row that is also published. */
export function validateBase(published: PublishedSpec, rows: readonly Named[]): readonly Finding[] {
  const path = ['published', 'base']
  const found = findTable(published)
  const [base, ...others] = rows.filter((row) => isAt(row, published.base))
  if (base === undefined || 'issues' in found) return []
  if (others.length > 0) return oneFinding(path, `${others.length + 1} rows match: select one by more parameters`)
  if (findPublishedRow(base, published, found) !== null) return []
  const columns = published.rows.map(({ column }) => `"${column}"`).join(' and ')
  return oneFinding(
    path,
    `the base row "${base.label}" is not published: compare its parameters with the cells under ${columns}`,
  )
}
