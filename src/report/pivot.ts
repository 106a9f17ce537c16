import { groupBy } from './group-by.ts'
import { firstOfEachKind, type Note, notesOf } from './notes.ts'
import { type Cell, type Row } from './rows.ts'
import { type ColumnSpec } from './schema.ts'
import { type At, isAt, keyWithout } from './siblings.ts'

/** What one row of a table is made of: one row of the result, or those that differ in the parameters of `at` alone. */
export type Group = {
  /** Read by columns with an `at`. */
  readonly all: readonly Row[]
  /** Those for which the `where` of the table holds: read by all other columns. */
  readonly shown: readonly Row[]
  /** Position among the groups, from 0, whether they are shown or not. */
  readonly index: number
}

export const atOf = (column: ColumnSpec): At | undefined =>
  typeof column === 'object' && 'at' in column ? column.at : undefined

/** The parameters in which rows may differ and still become one. */
export const pivotNames = (columns: readonly ColumnSpec[]): readonly string[] => [
  ...new Set(columns.flatMap((column) => Object.keys(atOf(column) ?? {}))),
]

/**
 * @param names The parameters of all `at` of the table; without any, every row is a group of its own.
 * @param varied The parameters that vary from row to row.
 */
export function groupsOf(
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

/** The cell that all rows of a group agree on. Null where they do not, for then no one number would be true. */
export function groupCell({ all, shown }: Group, at: At | undefined, cell: (row: Row) => Cell): Cell {
  const rows = at === undefined ? shown : all.filter(({ variant }) => isAt(variant, at))
  const cells = new Set(rows.map(cell))
  return cells.size === 1 ? ([...cells][0] ?? null) : null
}

/** All that the rows of a group have, each once: the first row does not stand for servers that others ran on. */
export function allCells({ all }: Group, cell: (row: Row) => Cell): Cell {
  const cells = new Set(all.map(cell))
  const [only = null] = cells
  return cells.size <= 1 ? only : [...cells].flatMap((each) => each ?? []).join('; ')
}

/**
 * The doubts about every row that a cell of the group may come from.
 * @param phases Those that the cells tell of. Null: any.
 */
export function groupNotes(
  { all, shown }: Group,
  columns: readonly ColumnSpec[],
  phases: ReadonlySet<string> | null,
): readonly Note[] {
  const ats = columns.map(atOf).filter((at) => at !== undefined)
  const rows = all.filter((row) => shown.includes(row) || ats.some((at) => isAt(row.variant, at)))
  return firstOfEachKind(rows.flatMap((row) => notesOf(row, phases)))
}
