import { isObject, type Json, jsonText, type Path } from '../json.ts'
import { validateBase } from '../report/published/validate-published.ts'
import { labelName, type Named, parameterCell } from '../report/parameters.ts'
import { type ReportSpec } from '../report/schema.ts'
import { isAt, parameterIs } from '../report/siblings.ts'
import { asExpression } from '../language/expression.ts'
import { type Issues, suggestion } from '../language/issues.ts'
import { type SpecRow } from '../schema/read-rows.ts'
import { type Report } from '../values/scope.ts'
import { validateTexts } from './texts.ts'

/**
 * What only all rows together show: there is one report for them all, and it may look from one row at another.
 * @param areChosen Whether these are only some of the rows of the spec: the row that is looked at may be another one.
 */
export function validateRows(rows: readonly SpecRow[], areChosen: boolean, issues: Issues): void {
  const [first] = rows
  if (first === undefined) return
  const report: Report = (path, reason, atKey) => issues.add({ path: first.source(path, atKey), reason, atKey })
  for (const part of ['report', 'thresholds'] as const) {
    const others = rows.map(({ spec }) => differenceBetween(first.spec[part] as Json, spec[part] as Json))
    const path = others.find((found) => found !== null)
    const way = part === 'report' ? '; only "value", "where" and "let" may' : ''
    if (path) report([part, ...path], `differs from row to row${way}`)
  }
  const varied = [...new Set(rows.flatMap((row) => row.varied))]
  const across = { rows: rows.map(asNamed), areChosen, varied, report }
  checkAts(first.spec.report as Json, ['report'], across)
  validateTexts(first.spec.report, across)
  checkPublishedBase(first.spec.report, across)
}

export const asNamed = ({ label, parameters }: SpecRow): Named => ({
  label,
  parameters: Object.fromEntries(parameters) as Named['parameters'],
})

/** Where two values of JSON part; null where they are equal. */
function differenceBetween(a: Json, b: Json, path: Path = []): Path | null {
  if (JSON.stringify(a) === JSON.stringify(b)) return null
  const areAlike = typeof a === 'object' && typeof b === 'object' && a !== null && b !== null
  if (!areAlike || Array.isArray(a) !== Array.isArray(b)) return path
  const [one, other] = [a as Readonly<Record<string, Json>>, b as Readonly<Record<string, Json>>]
  if (Object.keys(one).join() !== Object.keys(other).join()) return path
  for (const key of Object.keys(one)) {
    const inner = differenceBetween(one[key] ?? null, other[key] ?? null, [
      ...path,
      Array.isArray(a) ? Number(key) : key,
    ])
    if (inner !== null) return inner
  }
  return path
}

type Across = {
  readonly rows: readonly Named[]
  readonly areChosen: boolean
  readonly varied: readonly string[]
  readonly report: Report
}

function checkAts(node: Json, path: Path, across: Across): void {
  if (typeof node !== 'object' || node === null || asExpression(node)?.word === '@literal') return
  for (const [key, item] of Object.entries(node)) {
    const inner = [...path, Array.isArray(node) ? Number(key) : key]
    if (key === 'at' && isObject(item)) checkAt(item, inner, across)
    else checkAts(item, inner, across)
  }
}

function checkPublishedBase({ published }: ReportSpec, across: Across): void {
  if (published === undefined) return
  checkAt(published.base, ['report', 'published', 'base'], across)
  for (const { path, reason } of validateBase(published, across.rows)) across.report(['report', ...path], reason)
}

/** Rows are told apart by what varies, and some row has to be there. */
function checkAt(at: { readonly [name: string]: Json }, path: Path, across: Across): void {
  const { rows, areChosen, varied, report } = across
  const known = [...varied, labelName]
  for (const [name, wanted] of Object.entries(at)) {
    if (!known.includes(name.split('.')[0] ?? ''))
      return report([...path, name], `"${name}" does not vary from row to row${suggestion(name, known)}`, true)
    if (areChosen || rows.some((row) => parameterIs(row, name, wanted))) continue
    const values = rows.map((row) => String(parameterCell(row, name)))
    return report(
      [...path, name],
      `in no row is "${name}" ${JSON.stringify(wanted)}${suggestion(jsonText(wanted), new Set(values))}`,
    )
  }
  if (!areChosen && !rows.some((row) => isAt(row, at))) report(path, 'there is no such row')
}
