import { groupBy } from './group-by.ts'
import { type ColumnSpec } from './report-schema.ts'
import { type Cell, type Row } from './rows.ts'
import { type At, isAt, keyWithout } from './siblings.ts'

/** The rows of the result behind one row of a table: one, or those that differ only in the parameters of `at`. */
export type Group = {
  /** Used by columns with an `at`. */
  readonly all: readonly Row[]
  /** Those that match the `where` of the table, used by all other columns. */
  readonly shown: readonly Row[]
  /** Position among all groups, from 0, including hidden ones. */
  readonly index: number
}

/** The `at` of a column. */
export const getAt = (column: ColumnSpec): At | undefined =>
  typeof column === 'object' && 'at' in column ? column.at : undefined

/** The parameters of all `at`: rows that differ only in them are merged. */
export const pivotNames = (columns: readonly ColumnSpec[]): readonly string[] => [
  ...new Set(columns.flatMap((column) => Object.keys(getAt(column) ?? {}))),
]

/**
 * Groups the rows of a table, without groups that are hidden.
 * @param names The parameters of all `at` of the table; without any, every row is a group.
 * @param varied The parameters that vary between rows.
 */
export function createRowGroups(
  rows: readonly Row[],
  names: readonly string[],
  varied: readonly string[],
  isShown: (row: Row) => boolean,
): readonly Group[] {
  const toGroup = (all: readonly Row[], index: number): Group => ({ all, shown: all.filter(isShown), index })
  const groups =
    names.length === 0
      ? rows.map((row) => toGroup([row], row.variant.row))
      : [...groupBy(rows, (row) => keyWithout(names, row, varied)).values()].map(toGroup)
  return groups.filter(({ shown }) => shown.length > 0)
}

/** The common cell of the rows of a group. Null if they differ. */
export function groupCell({ all, shown }: Group, at: At | undefined, cell: (row: Row) => Cell): Cell {
  const rows = at === undefined ? shown : all.filter(({ variant }) => isAt(variant, at))
  const cells = new Set(rows.map(cell))
  return cells.size === 1 ? ([...cells][0] ?? null) : null
}

/** All distinct cells of a group, for facts of servers, which may differ between rows. */
export function allCells({ all }: Group, cell: (row: Row) => Cell): Cell {
  const cells = new Set(all.map(cell))
  const [only = null] = cells
  return cells.size <= 1 ? only : [...cells].flatMap((each) => each ?? []).join('; ')
}

/** Every row that a cell of the group may come from. */
export function groupRows({ all, shown }: Group, columns: readonly ColumnSpec[]): readonly Row[] {
  const ats = columns.map(getAt).filter((at) => at !== undefined)
  return all.filter((row) => shown.includes(row) || ats.some((at) => isAt(row.variant, at)))
}
