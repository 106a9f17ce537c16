import { cellText, type Digits } from '../../metrics/format.ts'
import { type Table, withTrust } from '../tables/table.ts'
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
 * A table that is padded so that it is readable in a terminal.
 * @param cells Markdown. The first row is the header.
 * @param align Default: right, as in the published tables.
 */
export function tableOfCells(cells: readonly (readonly string[])[], align: 'left' | 'right' = 'right'): string {
  const [header = []] = cells
  const widths = header.map((_, column) => Math.max(4, ...cells.map((row) => countCharacters(row[column] ?? ''))))
  const [head = [], ...body] = cells.map((row) => row.map((cell, column) => padded(cell, widths[column] ?? 0, align)))
  const rule = widths.map((width) => (align === 'right' ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  return [head, rule, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function padded(cell: string, width: number, align: 'left' | 'right'): string {
  const spaces = ' '.repeat(Math.max(0, width - countCharacters(cell)))
  return align === 'right' ? spaces + cell : cell + spaces
}

function countCharacters(text: string): number {
  return [...text].length
}
