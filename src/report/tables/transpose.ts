import { cellText } from '../../metrics/format.ts'
import { type Table, type TableColumn, type TableRow } from './table.ts'

/** Transposes a table: the cells of the first column become headings, and every other column becomes a row. */
export function transposed<Given extends Table>(table: Given): Given {
  const [first, ...others] = table.columns
  if (first === undefined) return table
  const headings = table.rows.map(({ cells }): TableColumn => {
    const title = cellText(cells[0] ?? null, first.digits)
    return { name: title, title, unit: '', digits: null }
  })
  const rows = others.map(({ title, digits }, index): TableRow => ({
    cells: [title, ...table.rows.map(({ cells }) => cells[index + 1] ?? null)],
    digits,
  }))
  return { ...table, columns: [{ ...first, digits: null }, ...headings], rows, isTransposed: true }
}
