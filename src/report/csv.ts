import { type Cell } from '../metrics/rows.ts'
import { type Table } from './tables/table.ts'
import { type JudgedRow } from './trust/judge.ts'
import { withTrust } from './tables/with-trust.ts'

/** A table in the format of RFC 4180: numbers in full, empty fields for missing values, the trust and the codes of warnings in the last fields (transposed: the last records). */
export function tableCsv(table: Table): string {
  const { judged, isTransposed } = table
  const { columns, rows } = withTrust(table)
  const titles = columns.map(({ title }) => title)
  const cells = rows.map((row) => row.cells.map(fieldText))
  const notes = judged.map(codes)
  const records = isTransposed
    ? [titles, ...cells, ['Notes', ...notes]]
    : [[...titles, 'Notes'], ...cells.map((fields, index) => fields.concat(notes[index] ?? ''))]
  return records.map((record) => `${record.map(quoted).join(',')}\r\n`).join('')
}

const codes = ({ notes }: JudgedRow): string => [...new Set(notes.map(({ kind }) => kind))].join('; ')

function fieldText(cell: Cell): string {
  return cell === null ? '' : String(cell)
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
