import { intervalText } from '../../metrics/ratios.ts'
import {
  type ColumnSpec,
  type PublishedSpec,
  type TableSpec,
  type FullReportSpec,
} from '../../metrics/report-schema.ts'
import { parameterCell, parameterTitle, variedNames, varyingParameters } from '../../metrics/rows/parameters.ts'
import { type Cell } from '../../metrics/rows/rows.ts'
import { pivotNames } from '../../metrics/rows/siblings.ts'
import { judge } from '../../metrics/trust/judge.ts'
import { type Result } from '../../results/schema.ts'
import { plainText } from '../../spec/published/match.ts'
import { type MeasuredTable } from '../tables/measured.ts'
import { type TableColumn } from '../tables/table.ts'
import { type ComparedRow, type Comparison, unitOfRate } from './compare.ts'
import { remarksOn } from './remarks.ts'

/** Heading of the table and the chart of a comparison. */
export const comparisonTitle = 'Published beside measured'

type FilledColumn = { readonly column: TableColumn; readonly cell: (compared: ComparedRow, index: number) => Cell }

/** The column of the measured figures of a comparison. */
type ShownAs = (comparison: Comparison) => TableColumn

export function comparisonTable(comparison: Comparison, names: readonly RowName[], shownAs: ShownAs): MeasuredTable {
  const { rows } = comparison
  const columns = [...names.map(nameColumn), ...figureColumns(comparison, shownAs)]
  const phases = [comparison, ...comparison.beside].map(({ address: { target } }) =>
    target === null || target.kind === 'check' ? null : target.phase,
  )
  return {
    title: comparisonTitle,
    kind: 'variants',
    isFolded: false,
    columns: columns.map(({ column }) => column),
    rows: rows.map((compared, index) => ({ cells: columns.map(({ cell }) => cell(compared, index)) })),
    judged: rows.map(({ row }) => judge(row, phases.every((name) => name !== null) ? new Set(phases) : null)),
    remarks: remarksOn(comparison),
    isTransposed: false,
  }
}

const nameColumn = ({ parameter, title }: RowName): FilledColumn => ({
  column: { name: parameter, title, unit: '', digits: null },
  cell: ({ row }) => parameterCell(row.variant, parameter),
})

function figureColumns(comparison: Comparison, shownAs: ShownAs): readonly FilledColumn[] {
  const { rows } = comparison
  const ratio = { unit: '', digits: 'significant' } as const
  return [
    ...bothColumns(comparison, shownAs(comparison), 'published'),
    {
      column: { name: 'measuredRatio', title: 'Measured Ratio', ...ratio },
      cell: ({ measuredRatio }) => measuredRatio,
    },
    ...(rows.some(({ interval }) => interval !== null) ? [intervalColumn] : []),
    {
      column: { name: 'publishedRatio', title: 'Published Ratio', ...ratio },
      cell: ({ publishedRatio }) => publishedRatio,
    },
    ...(rows.some(({ verdict }) => verdict !== null) ? [verdictColumn] : []),
    { column: { name: 'factor', title: 'Measured ÷ Published', unit: '', digits: 2 }, cell: ({ factor }) => factor },
    ...cpuColumns(comparison),
    ...comparison.beside.flatMap((one) => bothColumns(one, shownAs(one), `published ${one.spec.metric}`)),
  ]
}

function bothColumns({ table, rows }: Comparison, shown: TableColumn, name: string): readonly FilledColumn[] {
  return [
    {
      column: { ...shown, title: `Measured ${shown.title}` },
      cell: (_, index) => rows[index]?.measured?.value ?? null,
    },
    {
      column: { name, title: `Published ${table.column}`, unit: shown.unit, digits: null },
      cell: (_, index) => rows[index]?.cell ?? null,
    },
  ]
}

const intervalColumn: FilledColumn = {
  column: { name: 'interval', title: '95 % Interval', unit: '', digits: null },
  cell: ({ interval }) => interval && intervalText(interval),
}

const verdictColumn: FilledColumn = {
  column: { name: 'publishedVerdict', title: 'Against Published', unit: '', digits: null },
  cell: ({ verdict }) => verdict,
}

/** CPU times of the server, where the document has them too. */
function cpuColumns({ cpu, address }: Comparison): readonly FilledColumn[] {
  if (cpu.of === 0) return []
  const unit = `µs/${unitOfRate(address)}`
  return [
    {
      column: { name: 'measuredCpuUs', title: `Measured Server CPU (${unit})`, unit, digits: 0 },
      cell: ({ cpuUs }) => cpuUs.measured,
    },
    {
      column: { name: 'publishedCpuUs', title: `Published CPU (${unit})`, unit, digits: 0 },
      cell: ({ cpuUs }) => cpuUs.published,
    },
    {
      column: { name: 'cpuFactor', title: 'CPU: Measured ÷ Published', unit: '', digits: 2 },
      cell: ({ cpuUs }) => cpuUs.factor,
    },
  ]
}

/** A parameter that identifies rows, with its heading. */
export type RowName = { readonly parameter: string; readonly title: string }

/** The parameters that identify rows: those of the report, and key columns of the published table with other names. */
export function rowNames({ rows: keys }: PublishedSpec, result: Result, spec: FullReportSpec): readonly RowName[] {
  const own = spec.tables.find(distinguishesRows)?.columns.flatMap(parameterIn) ?? varyingParameters(result)
  const known = new Set([...own, ...variedNames(result)])
  const shown = needed(
    [...known].filter((parameter) => differs(result, parameter)),
    result,
  )
  return [
    ...shown.map((parameter) => ({ parameter, title: parameterTitle(spec, parameter) })),
    ...keys
      .filter(({ parameter }) => !shown.includes(parameter))
      .map(({ parameter, column }) => ({ parameter, title: `Published ${plainText(column)}` })),
  ]
}

/** Whether every row of a table is one row of the result, and its parameters identify it. */
export const distinguishesRows = ({ rows, columns }: TableSpec): boolean =>
  rows === 'variants' && pivotNames(columns).length === 0 && columns.flatMap(parameterIn).length > 0

const parameterIn = (column: ColumnSpec): readonly string[] =>
  typeof column === 'object' && 'parameter' in column ? [column.parameter] : []

/** Whether a parameter differs between rows. A single row is identified by all its parameters. */
const differs = ({ variants }: Result, parameter: string): boolean =>
  variants.length < 2 || new Set(variants.map((variant) => parameterCell(variant, parameter))).size > 1

/** The first parameters that distinguish all rows: "16 clients" needs no additional 16. All, if they do not. */
function needed(parameters: readonly string[], { variants }: Result): readonly string[] {
  const rows = new Set(variants.map(({ row }) => row)).size
  const distinguished = (count: number): number =>
    new Set(
      variants.map((variant) =>
        parameters
          .slice(0, count)
          .map((name) => parameterCell(variant, name))
          .join('\n'),
      ),
    ).size
  const count = parameters.findIndex((_, index) => distinguished(index + 1) >= rows)
  return count < 0 ? parameters : parameters.slice(0, count + 1)
}
