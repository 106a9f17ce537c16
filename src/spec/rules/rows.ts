import { type Json, type Path, isObject, jsonText, listParts } from '../../core/json.ts'
import { asExpression } from '../../language/expression.ts'
import { type Issues, type Report, suggestion } from '../../language/issues.ts'
import type { ReportSpec } from '../../metrics/report-schema.ts'
import { type Named, labelName, parameterCell } from '../../metrics/rows/parameters.ts'
import { isAt, parameterIs } from '../../metrics/rows/siblings.ts'
import { isConsequence } from '../fold/omit-flaws.ts'
import { type SpecRow, isWhole } from '../fold/read-rows.ts'
import { validateBase } from './report/validate-report.ts'
import { validateTexts } from './texts.ts'

/**
 * Validates what all rows share: their report is the same, and may read one row from another.
 * @param areChosen Whether these are only some rows of the spec, or others: the report may then read one that is not there.
 */
export function validateRows(rows: readonly SpecRow[], areChosen: boolean, issues: Issues): void {
  const [first] = rows
  if (first === undefined) return
  const add = issues.reporter('rows')
  const report: Report = (path, reason, marks) => {
    const place = first.source(path, marks?.atKey)
    if (first.omitted === undefined || !isConsequence(place, first.omitted)) add(place, reason, marks)
  }
  for (const part of ['report', 'thresholds'] as const) {
    if (!rows.every((row) => isWhole(row, [part]))) continue
    const others = rows.map(({ spec }) => differenceBetween(first.spec[part] as Json, spec[part] as Json))
    const path = others.find((found) => found !== null)
    const way = part === 'report' ? '; only "value", "where" and "let" may' : ''
    if (path) report([part, ...path], `differs from row to row${way}`)
  }
  const varied = [...new Set(rows.flatMap((row) => row.varied))]
  const across = { rows: rows.map(asNamed), areChosen, varied, report }
  validateAts(first.spec.report as Json, ['report'], across)
  validateTexts(first.spec.report, across)
  validatePublishedBase(first.spec.report, across)
}

/** The label and the parameters of a row, as the report reads them. */
const asNamed = ({ label, parameters }: SpecRow): Named => ({
  label,
  parameters: Object.fromEntries(parameters) as Named['parameters'],
})

/** The first path at which two values of JSON differ; null where they are equal. */
function differenceBetween(a: Json, b: Json, path: Path = []): Path | null {
  if (JSON.stringify(a) === JSON.stringify(b)) return null
  const [parts, others] = [listParts(a), new Map(listParts(b))]
  if (parts.map(([step]) => step).join() !== [...others.keys()].join()) return path
  const [step, part = null] = parts.find(([key, one]) => JSON.stringify(one) !== JSON.stringify(others.get(key))) ?? []
  return step === undefined ? path : differenceBetween(part, others.get(step) ?? null, [...path, step])
}

type Across = {
  readonly rows: readonly Named[]
  readonly areChosen: boolean
  readonly varied: readonly string[]
  readonly report: Report
}

function validateAts(node: Json, path: Path, across: Across): void {
  if (asExpression(node)?.keyword === '@literal') return
  for (const [step, part] of listParts(node))
    if ((step === 'at' || step === 'to') && isObject(part)) validateAt(part, [...path, step], across)
    else validateAts(part, [...path, step], across)
}

function validatePublishedBase({ published }: ReportSpec, across: Across): void {
  if (published === undefined) return
  validateAt(published.base, ['report', 'published', 'base'], across)
  for (const { path, reason } of validateBase(published, across.rows)) across.report(['report', ...path], reason)
}

/** Validates the selection of a row: it must name varied parameters, and match a row. */
function validateAt(at: { readonly [name: string]: Json }, path: Path, across: Across): void {
  const { rows, areChosen, varied, report } = across
  const known = [...varied, labelName]
  for (const [name, wanted] of Object.entries(at)) {
    if (!known.includes(name.split('.')[0] ?? ''))
      return report([...path, name], `"${name}" does not vary from row to row${suggestion(name, known)}`, {
        atKey: true,
      })
    if (areChosen || rows.some((row) => parameterIs(row, name, wanted))) continue
    const values = rows.map((row) => String(parameterCell(row, name)))
    return report(
      [...path, name],
      `no row has "${name}" ${JSON.stringify(wanted)}${suggestion(jsonText(wanted), new Set(values))}`,
    )
  }
  if (!areChosen && !rows.some((row) => isAt(row, at))) report(path, 'there is no such row')
}
