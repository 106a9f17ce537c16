import { cellText, type Digits } from '../../metrics/format.ts'
import { type Table } from '../tables/table.ts'
import { withTrust } from '../tables/with-trust.ts'
import { escapeCell, escapeLine } from './escape.ts'

/** A table with the trust in its rows, and its remarks below. */
export function tableMarkdown(table: Table): string {
  const { columns, rows } = withTrust(table)
  const lines = rows.map(({ cells, digits }) => {
    const digitsOf = (column: number): Digits => (digits === undefined ? (columns[column]?.digits ?? null) : digits)
    return cells.map((cell, column) => {
      const text = cellText(cell, digitsOf(column))
      return columns[column]?.alarming?.includes(text) ? `**${escapeCell(text)}**` : escapeCell(text)
    })
  })
  return [
    tableOfCells([columns.map(({ title }) => escapeCell(title)), ...lines]),
    ...table.remarks.map(escapeLine),
  ].join('\n\n')
}

/**
 * A right-aligned table like the published ones, padded so that it is readable in a terminal.
 * @param cells Markdown. The first row is the header.
 */
export function tableOfCells(cells: readonly (readonly string[])[]): string {
  const [header = []] = cells
  const widths = header.map((_, column) => Math.max(4, ...cells.map((row) => lengthOf(row[column] ?? ''))))
  const [head = [], ...body] = cells.map((row) => row.map((cell, column) => padded(cell, widths[column] ?? 0)))
  const rule = widths.map((width) => `${'-'.repeat(width - 1)}:`)
  return [head, rule, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function padded(cell: string, width: number): string {
  return ' '.repeat(Math.max(0, width - lengthOf(cell))) + cell
}

function lengthOf(text: string): number {
  return [...text].length
}
