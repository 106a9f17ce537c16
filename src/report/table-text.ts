import { cellText, type Digits } from '../metrics/format.ts'
import { escapeText, markdownTable } from './markdown-table.ts'
import { type Table } from './tables.ts'
import { withTrust } from './trust/with-trust.ts'

/** A table as Markdown, with the trust in its rows and its remarks. */
export function tableText(table: Table): string {
  const { columns, rows } = withTrust(table)
  const { remarks = [] } = table
  const header = columns.map(({ title }) => title)
  const lines = rows.map(({ cells, digits }) => {
    const digitsOf = (column: number): Digits => (digits === undefined ? (columns[column]?.digits ?? null) : digits)
    return cells.map((cell, column) => cellText(cell, digitsOf(column)))
  })
  return [markdownTable(header, lines), ...remarks.map(escapeText)].filter((part) => part !== '').join('\n\n')
}
