import type { Digits } from '../../metrics/format.ts'
import type { Cell } from '../../metrics/rows/rows.ts'
import { type JudgedRow, trustText } from '../../metrics/trust/judge.ts'

export type Fact = { readonly name: string; readonly value: string }

/** Header of a table of settings, by which documents find it. */
export const settingsHeader = ['Setting', 'Value'] as const

export const settingsTable = (facts: readonly Fact[]): Table =>
  plainTable(
    'Settings',
    [
      { title: settingsHeader[0], cell: ({ name }) => name },
      { title: settingsHeader[1], cell: ({ value }) => value },
    ],
    facts,
  )

/** A table as data, for all formats. */
export type Table = {
  readonly title: string
  readonly columns: readonly TableColumn[]
  readonly rows: readonly TableRow[]
  /** How far its rows can be believed, in their order before it was transposed. Empty where that is no question. */
  readonly judged: readonly JudgedRow[]
  /** Sentences under the table. */
  readonly remarks: readonly string[]
  /** Whether its rows became columns: the first column has what were headings, and each other one is a row. */
  readonly isTransposed: boolean
  /** Whether it shows columns that are equal in all rows, as those of a published table. Default: they become a remark. */
  readonly isWhole?: boolean
}

export type TableColumn = {
  /** The address, parameter or fact that it shows. */
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly digits: Digits
  /** The runs of a row that lie far apart, of which its cell shows the middle. Default: none. */
  readonly apart?: { readonly low: number; readonly high: number } | undefined
  /** Values that readers must not overlook. Default: none. */
  readonly alarming?: readonly string[] | undefined
}

export type TableRow = {
  readonly cells: readonly Cell[]
  /** Why cells are empty, by their places. Null, and default: it is not known. */
  readonly reasons?: readonly Cell[]
  /** In a transposed table, replaces the digits of the columns. */
  readonly digits?: Digits
}

/** A column of a table of items, and its cell for an item. */
export type PlainColumn<Item> = {
  readonly title: string
  readonly cell: (item: Item) => Cell
  /** Default: a number as it is written. */
  readonly digits?: Digits
} & Pick<TableColumn, 'alarming'>

/** A table of items whose trust is no question, with a row for each. */
export function plainTable<Item>(title: string, columns: readonly PlainColumn<Item>[], items: readonly Item[]): Table {
  return {
    title,
    columns: columns.map(({ title: name, digits = null, alarming }) => ({
      name,
      title: name,
      unit: '',
      digits,
      alarming,
    })),
    rows: items.map((item) => ({ cells: columns.map(({ cell }) => cell(item)) })),
    judged: [],
    remarks: [],
    isTransposed: false,
  }
}

/** A table that is not transposed, without the columns that no row has a value for. */
export function withoutEmptyColumns(table: Table): Table {
  const { columns, rows } = table
  const isFilled = (_: unknown, index: number): boolean =>
    rows.some(({ cells }) => cells[index] !== null && cells[index] !== undefined && cells[index] !== '')
  return {
    ...table,
    columns: columns.filter(isFilled),
    rows: rows.map(({ cells }) => ({ cells: cells.filter(isFilled) })),
  }
}

const trustColumn: TableColumn = { name: 'trust', title: 'Trust', unit: '', digits: null }

/** The columns and rows of a table with the trust in its rows: the last column, or the last row of a transposed table. */
export function withTrust({ columns, rows, judged, isTransposed }: Table): Pick<Table, 'columns' | 'rows'> {
  const cells = judged.map(({ trust }) => trustText(trust))
  if (cells.length === 0) return { columns, rows }
  if (isTransposed) return { columns, rows: [...rows, { cells: [trustColumn.title, ...cells], digits: null }] }
  return {
    columns: [...columns, trustColumn],
    rows: rows.map((row, index) => ({ ...row, cells: [...row.cells, cells[index] ?? null] })),
  }
}
