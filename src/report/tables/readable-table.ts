import { metricIn } from '../../metrics/address.ts'
import { isMetric } from '../../metrics/columns/index.ts'
import { cellText, type Digits, readableNumber } from '../../metrics/format.ts'
import { type Cell } from '../../metrics/rows/rows.ts'
import { type Trust } from '../../metrics/trust/judge.ts'
import { type TrustLevel } from '../../results/warnings/weights.ts'
import { inBrackets } from '../../statistics/verdict-text.ts'
import { writeConstants } from '../charts/labels.ts'
import { type Table, type TableColumn, type TableRow } from './table.ts'

/** A table as people read it: its cells as texts, columns without a difference below it, and how far to believe each row. */
export type ReadableTable = Pick<Table, 'title' | 'remarks' | 'isTransposed'> & {
  readonly columns: readonly ReadableColumn[]
  readonly rows: readonly ReadableRow[]
}

export type ReadableColumn = {
  readonly title: string
  readonly unit: string
  /** Whether most of its cells are figures, which stand to the right. */
  readonly isNumeric: boolean
  /** How far to believe it, in a transposed table. Null: its figures have no trust of their own. */
  readonly trust: Trust | null
}

export type ReadableRow = {
  /** Null: its figures have no trust of their own, or it is one of a transposed table. */
  readonly trust: Trust | null
  readonly cells: readonly ReadableCell[]
}

export type ReadableCell = {
  readonly text: string
  readonly isNumber: boolean
  /** Whether readers must not overlook it. */
  readonly isAlarming: boolean
  /** Why it is empty. Null, and default: it is not known. */
  readonly reason?: Cell
}

/** Marks in front of what is not comparable, with its word wherever there is room. */
export const trustMarks: Readonly<Record<TrustLevel, string>> = {
  comparable: '',
  unchecked: '?',
  'lower bound': '≥',
  'do not compare': '✗',
}

/** Names the columns in which runs of one row lie far apart: their cells show the middle of those. */
function describeApart(columns: readonly TableColumn[]): readonly string[] {
  const texts = columns.flatMap(({ title, apart }) =>
    apart ? [`${title} from ${readableNumber(apart.low)} to ${readableNumber(apart.high)}`] : [],
  )
  return texts.length === 0 ? [] : [`Runs of one row lie far apart: ${texts.join(', ')}.`]
}

/** Makes a table readable. Columns of measured rows that are equal in all of them become a remark, but for the first figure and for published tables. */
export function makeReadable(table: Table): ReadableTable {
  const { title, columns, rows, judged, remarks, isTransposed } = table
  const main = Math.max(
    1,
    columns.findIndex(({ unit }) => unit !== ''),
  )
  const equalColumns = columns.map((_, index) => index !== main && isEqualInAllRows(table, index))
  const shown = columns.flatMap((_, index) => (equalColumns[index] === true ? [] : index))
  const trustAt = (index: number): Trust | null => judged[index]?.trust ?? null
  const digitsOf = ({ digits }: TableRow, column: number): Digits =>
    digits === undefined ? (columns[column]?.digits ?? null) : digits
  const headings = columns.map((column) => column.title)
  const titles = isTransposed ? writeConstants(headings) : headings
  const texts = columns.map(({ name }, index) => {
    const plain = rows.map((row) => cellText(row.cells[index] ?? null, digitsOf(row, index)))
    // An error keeps its name.
    return isTransposed || isMetric(metricIn(name)) ? plain : writeConstants(plain)
  })
  return {
    title,
    columns: shown.map((index) => ({
      title: titles[index] ?? '',
      unit: columns[index]?.unit ?? '',
      isNumeric: isTransposed ? index > 0 : isNumeric(rows, index),
      trust: isTransposed ? trustAt(index - 1) : null,
    })),
    rows: rows.map((row, at) => ({
      trust: isTransposed ? null : trustAt(at),
      cells: shown.map((index) => {
        const cell = row.cells[index] ?? null
        const text = texts[index]?.[at] ?? ''
        const isAlarming = columns[index]?.alarming?.includes(text) ?? false
        return {
          text,
          isNumber: isNumber(cell),
          isAlarming,
          reason: text === '' ? (row.reasons?.[index] ?? null) : null,
        }
      }),
    })),
    remarks: [...describeEqualColumns(table, equalColumns), ...describeApart(columns), ...remarks],
    isTransposed,
  }
}

/** Makes columns of rows, for a page that is too narrow for all columns. */
export const transposeReadable = ({ columns: [first, ...others], rows, ...table }: ReadableTable): ReadableTable => ({
  ...table,
  columns: [
    ...(first === undefined ? [] : [first]),
    ...rows.map(({ cells, trust }) => ({ title: cells[0]?.text ?? '', unit: '', isNumeric: true, trust })),
  ],
  rows: others.map(({ title }, index) => ({
    trust: null,
    cells: [
      { text: title, isNumber: false, isAlarming: false },
      ...rows.flatMap(({ cells }) => cells[index + 1] ?? []),
    ],
  })),
})

/** The first column names the rows. One row equals itself, so that of its cells only those count that are not known. */
function isEqualInAllRows({ rows, judged, isTransposed, isWhole }: Table, index: number): boolean {
  if (isTransposed || isWhole === true || index === 0 || judged.length === 0) return false
  const [first, ...others] = rows.map(({ cells }) => cells[index] ?? null)
  return others.every((cell) => cell === first) && (judged.length > 1 || first === null)
}

/** "In every row: Errors 0, Runs 3." */
function describeEqualColumns({ columns, rows }: Table, equalColumns: readonly boolean[]): readonly string[] {
  const equal = columns.flatMap(({ title, digits }, index) =>
    equalColumns[index] === true ? [{ title, text: cellText(rows[0]?.cells[index] ?? null, digits), index }] : [],
  )
  // With several rows, the reasons may differ.
  const reasonsAt = (index: number) =>
    rows.length > 1 ? [] : rows.flatMap(({ reasons }) => reasons?.[index]?.toString() ?? [])
  const known = equal.flatMap(({ title, text }) => (text === '' ? [] : `${title} ${text}`))
  const unknown = equal.flatMap(({ title, text, index }) =>
    text === '' ? `${title}${inBrackets(reasonsAt(index))}` : [],
  )
  const sentences = [
    ...(known.length === 0 ? [] : [`In every row: ${known.join(', ')}.`]),
    ...(unknown.length === 0 ? [] : [`Not measured: ${unknown.join(', ')}.`]),
  ]
  return sentences.length === 0 ? [] : [sentences.join(' ')]
}

/** Whether a cell is a number, or shows one as text. */
const isNumber = (cell: Cell): boolean => typeof cell === 'number' || (cell !== null && /^-?[\d,]+\.?\d*$/.test(cell))

/** Whether at least half of the known cells of a column are numbers. */
function isNumeric(rows: readonly TableRow[], column: number): boolean {
  const cells = rows.map(({ cells: of }) => of[column] ?? null).filter((cell) => cell !== null)
  return cells.length > 0 && 2 * cells.filter(isNumber).length >= cells.length
}
