import { type Note } from './notes.ts'
import { type Cell } from './rows.ts'
import { type Table } from './tables.ts'

/** A table in the format of RFC 4180: numbers in full, empty fields for missing values, codes of notes in the last field (transposed: the last record). */
export function tableCsv({ columns, rows }: Table): string {
  const titles = columns.map(({ title }) => title)
  const isTransposed = columns.some(({ notes }) => notes !== undefined)
  const records = isTransposed
    ? [
        titles,
        ...rows.map(({ cells }) => cells.map(fieldText)),
        columns.map(({ notes }) => (notes === undefined ? 'Notes' : codes(notes))),
      ]
    : [[...titles, 'Notes'], ...rows.map(({ cells, notes }) => [...cells.map(fieldText), codes(notes)])]
  return records.map((record) => `${record.map(quoted).join(',')}\r\n`).join('')
}

const codes = (notes: readonly Note[]): string => notes.map(({ kind }) => kind).join('; ')

function fieldText(cell: Cell): string {
  return cell === null ? '' : String(cell)
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
