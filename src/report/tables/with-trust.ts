import { trustText } from '../../metrics/trust/judge.ts'
import { type Table, type TableColumn } from './table.ts'

const trustColumn: TableColumn = { name: 'trust', title: 'Trust', unit: '', digits: null }

/** The columns and rows of a table with the trust in its rows: the last column, or the last row of a transposed table. */
export function withTrust({ columns, rows, judged, isTransposed }: Table): Pick<Table, 'columns' | 'rows'> {
  const cells = judged.map(({ trust }) => trustText(trust))
  if (cells.length === 0) return { columns, rows }
  if (isTransposed) return { columns, rows: [...rows, { cells: [trustColumn.title, ...cells], digits: null }] }
  return {
    columns: [...columns, trustColumn],
    rows: rows.map((row, index) => ({ ...row, cells: [...row.cells, cells[index] ?? null] })),
  }
}
