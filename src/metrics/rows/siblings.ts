import { type Json } from '../../core/json.ts'
import { compare } from '../../language/functions/comparison.ts'
import { type ColumnSpec } from '../report-schema.ts'
import { groupBy } from '../statistics.ts'
import { identifyChoice, labelName, type Named, parameterValue, readValue } from './parameters.ts'
import { type Row, type Cell } from './rows.ts'

/** Values of parameters that select a row: `{"layout": "auto"}`. */
export type At = Readonly<Record<string, Json>>

/** Whether a parameter has a value or label. */
export function parameterIs(row: Named, name: string, wanted: Json): boolean {
  const label = row.parameters[name]?.label
  if (label !== undefined && label === wanted) return true
  return compare(readValue(parameterValue(row, name)), readValue(wanted)) === 0
}

/** Whether a row has all values of an `at`. */
export const isAt = (row: Named, at: At): boolean =>
  Object.entries(at).every(([name, wanted]) => parameterIs(row, name, wanted))

/**
 * A key of everything that varies except these parameters. A label identifies a whole variant, so excluding it excludes all
 * parameters of the variant.
 * @param varied The parameters that vary between rows.
 */
function keyWithout(
  names: readonly string[],
  { variant, target, member, fault, kind }: Row,
  varied: readonly string[],
): string {
  const apart = new Set(names.map((name) => name.split('.')[0]))
  const others = apart.has(labelName) ? [] : varied.filter((name) => !apart.has(name))
  const values = others.map((name) => identifyChoice(variant, name))
  return JSON.stringify([values, target, member, fault, kind === 'runs' ? variant.run : null])
}

/** The row that differs from this one only in the parameters of `at`. Null if there is none. */
export function findSibling(row: Row, at: At, rows: readonly Row[], varied: readonly string[]): Row | null {
  const names = Object.keys(at)
  if (names.length === 0) return row
  const found = rows.filter((other) => isAt(other.variant, at))
  // A table with "rows": "once" has no row of its own, so the only match is used.
  if (row.kind === 'once' && found.length === 1) return found[0] ?? null
  const key = keyWithout(names, row, varied)
  return found.find((other) => keyWithout(names, other, varied) === key) ?? null
}

/** The rows of the result behind one row of a table: one, or those that differ only in the parameters of `at`. */
export type Group = {
  /** Used by columns with an `at`. */
  readonly all: readonly Row[]
  /** Rows that match the `where` of the table, used by all other columns. */
  readonly shown: readonly Row[]
  /** Position among all groups, from 0, including hidden ones. */
  readonly index: number
}

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
  const groups = names.length === 0 ? [] : [...groupBy(rows, (row) => keyWithout(names, row, varied)).values()]
  const places = findPlaces(groups)
  const all =
    names.length === 0
      ? rows.map((row) => toGroup([row], row.variant.row))
      : groups.map((group, at) => toGroup(group, places[at] ?? at))
  return all.filter(({ shown }) => shown.length > 0)
}

/** Finds the places of groups among those of all rows, of which `--only` may have left some out: rows of a group are as far apart as there are groups. */
function findPlaces(groups: readonly (readonly Row[])[]): readonly number[] {
  const numbers = groups.map((rows) => rows.map(({ variant }) => variant.row))
  const apart = Math.min(...numbers.flatMap(([first = 0, second]) => (second === undefined ? [] : second - first)))
  const places = numbers.map(([first = 0], at) => (apart === Infinity ? at : first % apart))
  return new Set(places).size === places.length ? places : [...places.keys()]
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
