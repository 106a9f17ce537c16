import { type Trust } from '../../metrics/trust/judge.ts'
import { makeReadable, trustMarks } from '../tables/readable-table.ts'
import { type Table } from '../tables/table.ts'
import { escapeCell, escapeLine } from './escape.ts'

/** A table with the trust in its rows, and its remarks below. */
export function tableMarkdown(table: Table): string {
  const { columns, rows, remarks } = makeReadable(table)
  const lines = rows.map(({ cells, trust }) =>
    cells.map(({ text, isAlarming }, index) => {
      const escaped = isAlarming ? `**${escapeCell(text)}**` : escapeCell(text)
      return index === 0 ? withMark(escaped, trust) : escaped
    }),
  )
  const headings = columns.map(({ title, trust }) => withMark(escapeCell(title), trust))
  const aligns = columns.map(({ isNumeric }) => (isNumeric ? 'right' : 'left'))
  return [tableOfCells([headings, ...lines], aligns), ...remarks.map(escapeLine)].join('\n\n')
}

/** "≥ 64 (lower bound)" */
const withMark = (text: string, trust: Trust | null): string =>
  trust === null || trust.level === 'comparable' ? text : `${trustMarks[trust.level]} ${text} (${trust.level})`

export type Align = 'left' | 'right'

/**
 * A table that is padded so that it is readable in a terminal.
 * @param cells Markdown. The first row is the header.
 * @param align Of all columns, or of each. Default: right, as in the published tables.
 */
export function tableOfCells(cells: readonly (readonly string[])[], align: Align | readonly Align[] = 'right'): string {
  const [header = []] = cells
  const alignOf = (column: number): Align => (typeof align === 'string' ? align : (align[column] ?? 'right'))
  const widths = header.map((_, column) => Math.max(4, ...cells.map((row) => countCharacters(row[column] ?? ''))))
  const [head = [], ...body] = cells.map((row) =>
    row.map((cell, column) => padded(cell, widths[column] ?? 0, alignOf(column))),
  )
  const rule = widths.map((width, column) =>
    alignOf(column) === 'right' ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  return [head, rule, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function padded(cell: string, width: number, align: Align): string {
  const spaces = ' '.repeat(Math.max(0, width - countCharacters(cell)))
  return align === 'right' ? spaces + cell : cell + spaces
}

function countCharacters(text: string): number {
  return [...text].length
}
