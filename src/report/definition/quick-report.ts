import { Problem } from '../../core/errors.ts'
import { type Json, type Path } from '../../core/json.ts'
import { didYouMean } from '../../core/nearest.ts'
import { asExpression } from '../../language/expression.ts'
import { type Finding } from '../../language/issues.ts'
import { isMetric } from '../../metrics/columns/index.ts'
import { type ColumnSpec, type ReportSpec } from '../../metrics/report-schema.ts'
import { parameterIssues, parameterNames, varyingParameters } from '../../metrics/rows/parameters.ts'
import { describeShape } from '../../metrics/scope.ts'
import { type Result } from '../../results/schema.ts'
import { validateReport } from '../../spec/rules/report/validate-report.ts'

export const shownAs = (result: Result, report: ReportSpec): Result => ({
  ...result,
  spec: { ...result.spec, report: asJson(report) },
})

/** The issues of a report part for a given result. Empty if the result has no rows. */
export function misfits(report: ReportSpec, result: Result): readonly Finding[] {
  if (result.variants.length === 0) return []
  const parameters = parameterNames(result)
  return [
    ...validateReport(report, describeShape(result), parameters),
    ...readParameters(asJson(report), [], parameters),
  ]
}

/** Issues of parameters in expressions that the result does not have. */
function readParameters(node: Json, path: Path, known: readonly string[]): readonly Finding[] {
  const expression = asExpression(node)
  if (expression?.keyword === '@literal') return []
  if (expression?.keyword === '@param') return parameterIssues([...path, '@param'], String(expression.argument), known)
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    readParameters(value, [...path, Array.isArray(node) ? Number(key) : key], known),
  )
}

const asJson = (report: ReportSpec): Result['spec']['report'] => JSON.parse(JSON.stringify(report))

/**
 * A report with one table of the given columns, after those that distinguish the rows.
 * @param names Addresses of measures, or names of parameters.
 * @throws {Problem} "usage" if the result has no such column.
 */
export function quickReport(result: Result, names: readonly string[]): ReportSpec {
  const known = parameterNames(result)
  const isParameter = (name: string): boolean => known.includes(name) && !isMetric(name)
  const columnFor = (name: string): ColumnSpec => (isParameter(name) ? { parameter: name } : name)
  const first = varyingParameters(result).filter((name) => !names.includes(name))
  const columns = [...first.map((parameter) => ({ parameter })), ...names.map(columnFor)]
  const report: ReportSpec = { tables: [{ title: 'Columns', rows: 'variants', columns }], charts: [] }
  for (const { path, reason, nearest } of misfits(report, result)) {
    const name = names[Number(path[3]) - first.length] ?? ''
    throw new Problem('usage', `--columns ${name}: ${reason}${didYouMean(nearest)}`, {
      hint: 'For the metrics, run `mongo-perf list columns`. To select a phase or operation, put its name in front: findOne.p99Ms.',
    })
  }
  return report
}
