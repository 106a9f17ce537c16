import { jsonText } from '../../core/json.ts'
import { metricIn, parseAddress } from '../../metrics/address.ts'
import { type Against, againstName, createAgainst, getColumnMetric } from '../../metrics/against.ts'
import { getColumn, isMetric } from '../../metrics/columns/index.ts'
import { type Evaluation, toCell } from '../../metrics/evaluate.ts'
import { cellText, type Decimals, rangeText } from '../../metrics/format.ts'
import { type ColumnSpec, type TableRows, type TableSpec } from '../../metrics/report-schema.ts'
import {
  parameterCell,
  parameterTitle,
  plainCell,
  requireParameter,
  variedNames,
} from '../../metrics/rows/parameters.ts'
import { type Cell, type Row, rowPartCell, rowPartTitles, whyUnknown } from '../../metrics/rows/rows.ts'
import {
  allCells,
  getAt,
  type Group,
  groupCell,
  groupRows,
  createRowGroups,
  pivotNames,
  type At,
} from '../../metrics/rows/siblings.ts'
import { type Shape } from '../../metrics/scope.ts'
import { computeRange } from '../../metrics/statistics.ts'
import { judge, type JudgedRow, judgeTogether } from '../../metrics/trust/judge.ts'
import { type Result } from '../../results/schema.ts'
import { machineCell, machineTitles, whoseMachine } from './machine.ts'
import { missingParameters } from './missing-parameters.ts'
import { type Table, type TableColumn, type TableRow } from './table.ts'

export type MeasuredTable = Table & {
  readonly kind: TableRows
  /** Whether readers have to unfold it to see it. */
  readonly isFolded: boolean
}

export const createMeasuredTables = (evaluation: Evaluation): readonly MeasuredTable[] =>
  evaluation.spec.tables.map((table) =>
    table.transpose ? transposed(createMeasuredTable(evaluation, table)) : createMeasuredTable(evaluation, table),
  )

function createMeasuredTable(evaluation: Evaluation, spec: TableSpec): MeasuredTable {
  const { result } = evaluation
  const phases = phasesIn(spec, evaluation.shape)
  const isOnce = spec.rows === 'once'
  const isShown = (row: Row): boolean => evaluation.holds(spec.where, row)
  const groups = createRowGroups(evaluation.rows(spec.rows), pivotNames(spec.columns), variedNames(result), isShown)
  const added = missingColumns(evaluation, spec, groups)
  const against = createAgainst(spec, evaluation)
  const columns = distinctTitles([
    ...[...added, ...spec.columns].map((column) => columnFor(evaluation, column, spec.rows)),
    ...(against === null ? [] : [againstColumn(against)]),
  ])
  const remarks = [
    ...(spec.columns.some(isOfMachine) ? [whoseMachine(result)] : []),
    ...remarksOnFaults(spec, result),
    ...(against === null ? [] : [against.remark]),
  ]
  const rows = groups.map(({ index, shown, all }) => {
    // The columns of a table with "rows": "once" may use any row.
    const group: Group = { index, shown, all: isOnce ? evaluation.rows('variants') : all }
    return {
      cells: columns.map(({ cell, at, ofServer }) => {
        const here = (row: Row): Cell => cell(row, index)
        return isOnce && ofServer === true ? allCells(group, here) : groupCell(group, at, here)
      }),
      reasons: columns.map(({ at, whyEmpty }) => (whyEmpty === undefined ? null : groupCell(group, at, whyEmpty))),
    }
  })
  const judged = isOnce ? [] : groups.map((group) => judgeGroup(group, spec.columns, phases))
  return {
    title: spec.title,
    kind: spec.rows,
    isFolded: spec.fold === true,
    columns: columns.map((column) => describeColumn(column, groups)),
    rows,
    judged,
    remarks,
    isTransposed: false,
    isWhole: evaluation.spec.published !== undefined,
  }
}

const againstColumn = ({ title, cell }: Against): FilledColumn => ({
  column: { name: againstName, title, unit: '', digits: null },
  at: undefined,
  cell,
})

const judgeGroup = (group: Group, columns: readonly ColumnSpec[], phases: ReadonlySet<string> | null): JudgedRow =>
  judgeTogether(groupRows(group, columns).map((row) => judge(row, phases)))

/** Columns that are added because rows would otherwise look the same: the operation, and parameters. */
function missingColumns(evaluation: Evaluation, table: TableSpec, groups: readonly Group[]): readonly ColumnSpec[] {
  const { result, spec } = evaluation
  const cellIn = (column: ColumnSpec, group: Group): Cell => {
    const { at, cell } = columnFor(evaluation, column, table.rows)
    return groupCell(group, at, (row) => cell(row, group.index))
  }
  const isUnnamed = table.rows === 'operations' && groups.length > 1 && !table.columns.some(namesOperation)
  return [
    ...missingParameters(result, spec, table, groups, cellIn).map((parameter) => ({
      parameter,
      title: parameterTitle(spec, parameter),
    })),
    ...(isUnnamed ? [{ row: 'operation' } as const] : []),
  ]
}

const namesOperation = (column: ColumnSpec): boolean =>
  typeof column === 'object' && 'row' in column && column.row === 'operation'

const isOfMachine = (column: ColumnSpec): boolean => typeof column === 'object' && 'machine' in column

/** Whether a column shows how far the runs lie apart, and not their figure. */
export const showsInterval = (column: ColumnSpec): boolean =>
  typeof column === 'object' && 'metric' in column && column.show === 'interval'

/** A remark that cells are those of the worst fault, if a phase had several. */
function remarksOnFaults({ columns, rows }: TableSpec, { variants }: Result): readonly string[] {
  const measures = columns.map((column) => metricIn(getColumnMetric(column) ?? ''))
  const showsWorst = rows !== 'faults' && measures.some((name) => isMetric(name) && getColumn(name).ofWorstFault)
  const areSeveral = variants.some(({ phases }) => phases.some(({ availability }) => availability.length > 1))
  return showsWorst && areSeveral ? ['If there were several faults, gaps and times are from the worst.'] : []
}

/** The phases that the cells of a table show. Null: all, because an expression may use any. */
function phasesIn({ columns, rows }: TableSpec, shape: Shape): ReadonlySet<string> | null {
  const phases = new Set<string>()
  for (const column of columns) {
    if (typeof column === 'object' && 'value' in column) return null
    const metric = getColumnMetric(column)
    const place = metric === undefined ? undefined : parseAddress(metric, shape, rows).target
    if (place === null) return null
    if (place !== undefined && place.kind !== 'check') phases.add(place.phase)
  }
  return phases.size === 0 ? null : phases
}

type FilledColumn = {
  readonly column: TableColumn
  readonly at: At | undefined
  /** Whether it is a fact of the server, which may differ between rows. */
  readonly ofServer?: boolean
  /** The values of the runs behind a cell. Default: it is no figure of runs. */
  readonly runs?: (row: Row) => readonly number[]
  /** Why a cell is empty. Default: it is not known. */
  readonly whyEmpty?: (row: Row) => Cell
  /** @param index Position of the row in the table, from 0. */
  readonly cell: (row: Row, index: number) => Cell
}

function columnFor(evaluation: Evaluation, spec: ColumnSpec, rows: TableRows): FilledColumn {
  return {
    at: getAt(spec),
    ...createColumnContent(evaluation, typeof spec === 'string' ? { metric: spec } : spec, rows),
  }
}

type Content = Omit<FilledColumn, 'at'>

function createColumnContent(evaluation: Evaluation, spec: Exclude<ColumnSpec, string>, rows: TableRows): Content {
  const { result } = evaluation
  if ('metric' in spec) return (spec.show === 'interval' ? rangeColumn : measuredColumn)(spec, rows, evaluation)
  if ('value' in spec) {
    const cell = (row: Row): Cell => toCell(evaluation.value(spec.value, row))
    return { column: { name: spec.title, title: spec.title, unit: '', digits: spec.digits ?? 'significant' }, cell }
  }
  if ('parameter' in spec) {
    requireParameter(result, spec.parameter)
    return plainColumn(spec.parameter, spec, ({ variant }) => parameterCell(variant, spec.parameter))
  }
  if ('fact' in spec) {
    return {
      ...plainColumn(spec.fact, spec, ({ variant }) => plainCell(variant.facts[spec.fact])),
      ofServer: true,
    }
  }
  if ('machine' in spec) {
    const titled = { ...spec, title: spec.title ?? machineTitles[spec.machine] }
    return plainColumn(spec.machine, titled, () => machineCell(result, spec.machine))
  }
  const titled = { ...spec, title: spec.title ?? rowPartTitles[spec.row] }
  const ofServer = spec.row === 'serverVersion' || spec.row === 'topology'
  return { ...plainColumn(spec.row, titled, (row, index) => rowPartCell(row, spec.row, index)), ofServer }
}

type Look = { readonly title?: string | undefined; readonly digits?: Decimals | undefined }

function measuredColumn(
  spec: { readonly metric: string } & Look,
  rows: TableRows,
  { shape, figure }: Evaluation,
): Content {
  const address = parseAddress(spec.metric, shape, rows)
  const { title, unit, digits } = address.column
  return {
    column: { name: spec.metric, title: spec.title ?? title, unit, digits: spec.digits ?? digits },
    cell: (row) => figure(row, address).cell,
    runs: (row) => figure(row, address).runs,
    whyEmpty: (row) => whyUnknown(row, address),
  }
}

/** Runs whose largest is so many times the smallest lie far apart, unless both are small beside the rest of their column. */
const farApart = 10

/** Describes a column with the runs of the row in which they lie furthest apart, if they lie far apart. */
function describeColumn({ column, runs = () => [] }: FilledColumn, groups: readonly Group[]): TableColumn {
  const all = groups.flatMap(({ shown }) => shown.map((row) => computeRange(runs(row))))
  const largest = Math.max(...all.map(({ max }) => max))
  const [worst] = all
    .filter(({ min, max }) => max >= largest / farApart && max > farApart * min && Number.isFinite(min))
    .toSorted((one, other) => other.max - other.min - (one.max - one.min))
  return worst === undefined ? column : { ...column, apart: { low: worst.min, high: worst.max } }
}

/** A column for how far the runs lie apart. */
function rangeColumn(
  spec: { readonly metric: string } & Look,
  rows: TableRows,
  { shape, figure }: Evaluation,
): Content {
  const address = parseAddress(spec.metric, shape, rows)
  const { title, unit } = address.column
  return {
    column: { name: spec.metric, title: spec.title ?? `${title} over Runs`, unit, digits: null },
    cell: (row) => {
      const { range } = figure(row, address)
      return range && rangeText(range, spec.digits ?? 'significant')
    },
  }
}

function plainColumn(name: string, look: Look, cell: FilledColumn['cell']): Content {
  return { column: { name, title: look.title ?? name, unit: '', digits: look.digits ?? null }, cell }
}

/** Adds the phase or row to the headings of columns that would be equal. */
function distinctTitles(columns: readonly FilledColumn[]): readonly FilledColumn[] {
  return columns.map((filled) => {
    const { column, at = {} } = filled
    const twins = columns.filter((other) => other.column.title === column.title)
    const place = column.name.split('.').slice(0, -1).join('.')
    const apart = [place, ...Object.entries(at).map(([name, value]) => `${name} ${jsonText(value)}`)]
    const prefix = apart.filter((part) => part !== '').join(', ')
    return twins.length < 2 || prefix === ''
      ? filled
      : { ...filled, column: { ...column, title: `${prefix}: ${column.title}` } }
  })
}

/** Transposes a table: the cells of the first column become headings, and every other column becomes a row. */
function transposed<Given extends Table>(table: Given): Given {
  const [first, ...others] = table.columns
  if (first === undefined) return table
  const headings = table.rows.map(({ cells }): TableColumn => {
    const title = cellText(cells[0] ?? null, first.digits)
    return { name: title, title, unit: '', digits: null }
  })
  const rows = others.map(({ title, digits }, index): TableRow => ({
    cells: [title, ...table.rows.map(({ cells }) => cells[index + 1] ?? null)],
    reasons: [null, ...table.rows.map(({ reasons }) => reasons?.[index + 1] ?? null)],
    digits,
  }))
  return { ...table, columns: [{ ...first, digits: null }, ...headings], rows, isTransposed: true }
}
