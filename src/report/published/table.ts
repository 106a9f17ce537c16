import { parameterCell } from '../parameters.ts'
import { type Cell } from '../rows.ts'
import { type Table, type TableColumn } from '../tables.ts'
import { judge } from '../trust/judge.ts'
import { type ComparedRow, type Comparison } from './compare.ts'
import { remarksOn } from './remarks.ts'
import { type RowName } from './row-names.ts'

/** Heading of the table and the chart of a comparison. */
export const comparisonTitle = 'Published beside measured'

type FilledColumn = { readonly column: TableColumn; readonly cell: (compared: ComparedRow) => Cell }

/**
 * The table of a comparison.
 * @param measured The column of the measured figures.
 */
export function comparisonTable(comparison: Comparison, names: readonly RowName[], measured: TableColumn): Table {
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
  }
}

const nameColumn = ({ parameter, title }: RowName): FilledColumn => ({
  column: { name: parameter, title, unit: '', digits: null },
  cell: ({ row }) => parameterCell(row.variant, parameter),
})

function figureColumns({ table }: Comparison, shown: TableColumn): readonly FilledColumn[] {
  const plain = { unit: '', digits: null }
  const ratio = { unit: '', digits: 2 }
  return [
    {
      column: { ...shown, title: `Measured ${shown.title}` },
      cell: ({ measured }) => measured?.value ?? null,
    },
    {
      column: { name: 'published', title: `Published ${table.column}`, ...plain, unit: shown.unit },
      cell: ({ published }) => published?.value ?? null,
    },
    {
      column: { name: 'measuredRatio', title: 'Measured Ratio', ...ratio },
      cell: ({ measuredRatio }) => measuredRatio,
    },
    {
      column: { name: 'publishedRatio', title: 'Published Ratio', ...ratio },
      cell: ({ publishedRatio }) => publishedRatio,
    },
    { column: { name: 'direction', title: 'Direction', ...plain }, cell: ({ verdict }) => verdict },
  ]
}
