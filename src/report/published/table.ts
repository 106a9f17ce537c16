import { parameterCell } from '../../metrics/parameters.ts'
import { intervalText } from '../../metrics/ratios.ts'
import { type Cell } from '../../metrics/rows.ts'
import { type TableColumn } from '../tables/table.ts'
import { type MeasuredTable } from '../tables/measured.ts'
import { judge } from '../trust/judge.ts'
import { type ComparedRow, type Comparison } from './compare.ts'
import { remarksOn } from './remarks.ts'
import { type RowName } from './row-names.ts'
import { unitOfRate } from './server-cpu.ts'

/** Heading of the table and the chart of a comparison. */
export const comparisonTitle = 'Published beside measured'

type FilledColumn = { readonly column: TableColumn; readonly cell: (compared: ComparedRow, index: number) => Cell }

/** The column of the measured figures of a comparison. */
type ShownAs = (comparison: Comparison) => TableColumn

/** The table of a comparison. */
export function comparisonTable(comparison: Comparison, names: readonly RowName[], shownAs: ShownAs): MeasuredTable {
  const { rows } = comparison
  const columns = [...names.map(nameColumn), ...figureColumns(comparison, shownAs)]
  const phases = [comparison, ...comparison.beside].map(({ address: { place } }) =>
    place === null || place.kind === 'check' ? null : place.phase,
  )
  return {
    title: comparisonTitle,
    kind: 'variants',
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
    { column: { name: 'factor', title: 'Measured ÷ Published', unit: '', digits: 2 }, cell: ({ factor }) => factor },
    ...cpuColumns(comparison),
    ...comparison.beside.flatMap((one) => bothColumns(one, shownAs(one), `published ${one.spec.metric}`)),
  ]
}

/** The measured and the published figures. */
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
