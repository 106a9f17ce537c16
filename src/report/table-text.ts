import { type Footnotes } from './footnotes.ts'
import { cellText, type Digits } from './format.ts'
import { escapeText, markdownTable } from './markdown-table.ts'
import { type Note } from './notes.ts'
import { type Table } from './tables.ts'

const unitRule = 'KB = 1024 B, MB = 1024 KB.'

/** A table as Markdown, with the notes of its rows. */
export function tableText(table: Table, notes: Footnotes): string {
  const marked = (text: string, about: readonly Note[]): string =>
    [text, notes.marker(about)].filter((part) => part !== '').join(' ')
  const header = table.columns.map(({ title, notes: ofColumn = [] }) => marked(title, ofColumn))
  const rows = table.rows.map(({ cells, digits, notes: ofRow }) => {
    const digitsOf = (column: number): Digits =>
      digits === undefined ? (table.columns[column]?.digits ?? null) : digits
    const [first = '', ...others] = cells.map((cell, column) => cellText(cell, digitsOf(column)))
    return [marked(first, ofRow), ...others]
  })
  const below = [
    usesUnits(table) ? unitRule : '',
    ...(table.remarks ?? []).map(escapeText),
    notes.listFor(table).map(escapeText).join('\n'),
  ]
  return [markdownTable(header, rows), ...below].filter((part) => part !== '').join('\n\n')
}

/** Whether KB or MB occur in the titles, which are the first cells in a transposed table. */
function usesUnits({ columns, rows }: Table): boolean {
  const titles = rows.flatMap(({ cells, digits }) => (digits === undefined ? [] : String(cells[0])))
  const texts = [...columns.map(({ title, unit }) => `${title} ${unit}`), ...titles]
  return texts.some((text) => /\b[KM]B\b/.test(text))
}
