import { type Digits } from '../../metrics/format.ts'
import { type Cell } from '../../metrics/rows/rows.ts'
import { type Table, type TableColumn } from './table.ts'

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
