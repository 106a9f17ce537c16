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

type FilledColumn = { readonly column: TableColumn; readonly cell: (compared: ComparedRow) => Cell }

/**
 * The table of a comparison.
 * @param measured The column of the measured figures.
 */
export function comparisonTable(
  comparison: Comparison,
  names: readonly RowName[],
  measured: TableColumn,
): MeasuredTable {
  const { rows, address } = comparison
  const columns = [...names.map(nameColumn), ...figureColumns(comparison, measured)]
  const { place } = address
  const phases = place === null || place.kind === 'check' ? null : new Set([place.phase])
  return {
    title: comparisonTitle,
    kind: 'variants',
    columns: columns.map(({ column }) => column),
    rows: rows.map((compared) => ({ cells: columns.map(({ cell }) => cell(compared)) })),
    judged: rows.map(({ row }) => judge(row, phases)),
    remarks: remarksOn(comparison),
    isTransposed: false,
  }
}

const nameColumn = ({ parameter, title }: RowName): FilledColumn => ({
  column: { name: parameter, title, unit: '', digits: null },
  cell: ({ row }) => parameterCell(row.variant, parameter),
})

function figureColumns(comparison: Comparison, shown: TableColumn): readonly FilledColumn[] {
  const { table, rows } = comparison
  const plain = { unit: '', digits: null }
  const ratio = { unit: '', digits: 'significant' } as const
  return [
    {
      column: { ...shown, title: `Measured ${shown.title}` },
      cell: ({ measured }) => measured?.value ?? null,
    },
    {
      column: { name: 'published', title: `Published ${table.column}`, ...plain, unit: shown.unit },
      cell: ({ published }) => published,
    },
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
