import { isObject, type Json, type Path } from '../json.ts'
import { labelName, type Named, parameterCell } from '../report/parameters.ts'
import { isAt, parameterIs } from '../report/siblings.ts'
import { namesIn, textParts } from '../report/texts.ts'
import { type ReportSpec } from '../report/schema.ts'
import { asExpression } from '../language/expression.ts'
import { type Issues, suggestion } from '../language/issues.ts'
import { type SpecRow } from '../spec/read-rows.ts'

/**
 * What only all rows together show: there is one report for them all, and it may look from one row at another.
 * @param areChosen Whether these are only some of the rows of the spec: the row that is looked at may be another one.
 */
export function checkRows(rows: readonly SpecRow[], areChosen: boolean, issues: Issues): void {
  const [first] = rows
  if (first === undefined) return
  const report = (path: Path, reason: string, atKey?: boolean): void =>
    issues.add({ path: first.source(path, atKey), reason, atKey })
  for (const part of ['report', 'thresholds'] as const) {
    const others = rows.map(({ spec }) => differenceBetween(first.spec[part] as Json, spec[part] as Json))
    const path = others.find((found) => found !== null)
    const way = part === 'report' ? '; only "value", "where" and "let" may' : ''
    if (path) report([part, ...path], `differs from row to row${way}`)
  }
  const varied = [...new Set(rows.flatMap((row) => row.varied))]
  const across = { rows: rows.map(asNamed), areChosen, varied, report }
  checkAts(first.spec.report as Json, ['report'], across)
  checkTexts(first.spec.report, across)
}

const asNamed = ({ label, parameters }: SpecRow): Named => ({
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
  readonly report: (path: Path, reason: string, atKey?: boolean) => void
}

function checkAts(node: Json, path: Path, across: Across): void {
  if (typeof node !== 'object' || node === null || asExpression(node)?.word === '@literal') return
  for (const [key, item] of Object.entries(node)) {
    const inner = [...path, Array.isArray(node) ? Number(key) : key]
    if (key === 'at' && isObject(item)) checkAt(item, inner, across)
    else checkAts(item as Json, inner, across)
  }
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
      `in no row is "${name}" ${JSON.stringify(wanted)}${suggestion(String(wanted), new Set(values))}`,
    )
  }
  if (!areChosen && !rows.some((row) => isAt(row, at))) report(path, 'there is no such row')
}

/** A sentence stands once, so what it tells must be the same for every row. */
function checkTexts(report: ReportSpec, across: Across): void {
  const dependent = dependentNames(report, across)
  const way = `in a text, "@metric" says which row it means, by an "at" for ${across.varied.join(', ')}`
  for (const part of textParts) {
    const text = report[part] ?? []
    for (const [i, line] of (typeof text === 'string' ? [text] : text).entries()) {
      const path = ['report', part, ...(typeof text === 'string' ? [] : [i])]
      for (const name of namesIn(line))
        if (dependent.has(name)) across.report(path, `"${name}" differs from row to row: ${way}`)
    }
  }
}

/** Values of `let` that may differ from row to row. */
function dependentNames({ let: given = {} }: ReportSpec, { rows, varied }: Across): ReadonlySet<string> {
  const dependent = new Set<string>()
  if (rows.length < 2) return dependent
  // Parameters may be computed from those that vary.
  const names = new Set(rows.flatMap(({ parameters }) => Object.keys(parameters)))
  const isSame = (name: string): boolean =>
    new Set(rows.map(({ parameters }) => JSON.stringify(parameters[name]))).size === 1
  const changing = new Set([labelName, ...[...names].filter((name) => !isSame(name))])
  for (const [name, node] of Object.entries(given))
    if (dependsOnRow(node as Json, { varied, changing, dependent })) dependent.add(name)
  return dependent
}

type Dependence = {
  readonly varied: readonly string[]
  /** Parameters that differ from row to row. */
  readonly changing: ReadonlySet<string>
  /** Values of `let` that do. */
  readonly dependent: ReadonlySet<string>
}

function dependsOnRow(node: Json, known: Dependence): boolean {
  if (typeof node !== 'object' || node === null) return false
  const { word, argument = null } = asExpression(node) ?? {}
  const name = String(argument).split('.')[0] ?? ''
  switch (word) {
    case '@literal':
      return false
    case '@param':
      return known.changing.has(name)
    case '@var':
      return known.dependent.has(name)
    case '@cluster':
      return true
    case '@metric': {
      const at = isObject(argument) && isObject(argument['at']) ? Object.keys(argument['at']) : []
      const told = new Set(at.map((each) => each.split('.')[0]))
      return !told.has(labelName) && !known.varied.every((each) => told.has(each))
    }
    default:
      return Object.values(node).some((item) => dependsOnRow(item as Json, known))
  }
}
