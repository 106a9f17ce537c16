import { Problem } from '../errors.ts'
import { type Json, type Path } from '../json.ts'
import { asExpression } from '../language/expression.ts'
import { didYouMean } from '../nearest.ts'
import { type Result } from '../results/schema.ts'
import { validateReport, type ReportIssue } from './validate-report.ts'
import { isMeasure } from './columns.ts'
import { parameterIssues, parameterNames, varyingParameters } from './parameters.ts'
import { type ColumnSpec, type ReportSpec } from './schema.ts'
import { shapeOf } from './scope.ts'

/** The same result, shown by another report part. */
export const shownAs = (result: Result, report: ReportSpec): Result => ({
  ...result,
  spec: { ...result.spec, report: asJson(report) },
})

/** What a report part names that a result does not have. Of one without rows nothing is known. */
export function misfits(report: ReportSpec, result: Result): readonly ReportIssue[] {
  if (result.variants.length === 0) return []
  const parameters = parameterNames(result)
  return [...validateReport(report, shapeOf(result), parameters), ...readParameters(asJson(report), [], parameters)]
}

/** Parameters that expressions read: those of the spec that they stand in are there, and those of the result may be others. */
function readParameters(node: Json, path: Path, known: readonly string[]): readonly ReportIssue[] {
  const expression = asExpression(node)
  if (expression?.word === '@literal') return []
  if (expression?.word === '@param') return parameterIssues([...path, '@param'], String(expression.argument), known)
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    readParameters(value, [...path, Array.isArray(node) ? Number(key) : key], known),
  )
}

const asJson = (report: ReportSpec): Result['spec']['report'] => JSON.parse(JSON.stringify(report))

/**
 * One table of some columns, behind those that distinguish the rows.
 * @param names Addresses of measures, or names of parameters.
 * @throws {Problem} "usage" when the result has none of that name.
 */
export function quickReport(result: Result, names: readonly string[]): ReportSpec {
  const known = parameterNames(result)
  const isParameter = (name: string): boolean => known.includes(name) && !isMeasure(name)
  const columnFor = (name: string): ColumnSpec => (isParameter(name) ? { parameter: name } : name)
  const first = varyingParameters(result).filter((name) => !names.includes(name))
  const columns = [...first.map((parameter) => ({ parameter })), ...names.map(columnFor)]
  const report: ReportSpec = { tables: [{ title: 'Columns', rows: 'variants', columns }], charts: [] }
  for (const { path, reason, nearest } of misfits(report, result)) {
    const name = names[Number(path[3]) - first.length] ?? ''
    throw new Problem('usage', `--columns ${name}: ${reason}${didYouMean(nearest)}`, {
      hint: '`mongo-perf list columns` shows the measures; in front of one stands the phase or operation: findOne.p99Ms.',
    })
  }
  return report
}
