import { type Json } from '../core/json.ts'
import { compare } from '../language/functions/comparison.ts'
import { identifyChoice, labelName, type Named, namesBesideLabel, parameterValue, readValue } from './parameters.ts'
import { type Row } from './rows.ts'

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
export function keyWithout(
  names: readonly string[],
  { variant, target, member, fault, kind }: Row,
  varied: readonly string[],
): string {
  const apart = new Set(names.map((name) => name.split('.')[0]))
  const others = (apart.has(labelName) ? namesBesideLabel(variant) : varied).filter((name) => !apart.has(name))
  const values = others.map((name) => identifyChoice(variant, name))
  return JSON.stringify([
    values,
    target,
    member,
    fault,
    kind === 'runs' ? [variant.run, variant.excludedBecause] : null,
  ])
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
