import { type Cell } from './rows.ts'
import { type Table } from './tables.ts'

/** A table as RFC 4180 has it: numbers in full, an empty field for what is not known, codes of notes in a last field. */
export function tableCsv({ columns, rows }: Table): string {
  const header = [...columns.map(({ title }) => title), 'Notes']
  const records = rows.map(({ cells, notes }) => [...cells.map(fieldText), notes.map(({ kind }) => kind).join('; ')])
  return [header, ...records].map((record) => `${record.map(quoted).join(',')}\r\n`).join('')
}

function fieldText(cell: Cell): string {
  return cell === null ? '' : String(cell)
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
