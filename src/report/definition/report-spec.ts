import { Problem } from '../../core/errors.ts'
import { pathText } from '../../core/json.ts'
import { shippedReader } from '../../language/json-schema/shipped-reader.ts'
import { type Evaluation, evaluateResult } from '../../metrics/evaluate.ts'
import { type FullReportSpec, type ReportSpec } from '../../metrics/report-schema.ts'
import { describeShape } from '../../metrics/scope.ts'
import { type Result } from '../../results/schema.ts'
import { defaultCharts, defaultTables } from './default-report.ts'

const readAsReport = shippedReader<ReportSpec>('report.schema.json')

/** The report part of a result, validated again, with defaults for missing tables and charts. */
export function readReportSpec(result: Result): FullReportSpec {
  const read = readAsReport(result.spec.report ?? {})
  if ('issues' in read) {
    const lines = read.issues.map(({ path, reason }) => `  ${pathText(path)}: ${reason}`)
    throw new Problem('result-unreadable', `The report part of the result is not valid:\n${lines.join('\n')}`, {
      hint: 'Make the report with the version of mongo-perf that wrote the result, or fix its spec.report.',
    })
  }
  const shape = describeShape(result)
  const { tables = defaultTables(result, shape), charts = defaultCharts(result, shape) } = read.value
  return { ...read.value, tables, charts }
}

const evaluations = new WeakMap<Result, Evaluation>()

/** A result, evaluated for its own report part: once, whatever is made of it. */
export function evaluateReport(result: Result): Evaluation {
  const evaluation = evaluations.get(result) ?? evaluateResult(result, readReportSpec(result))
  evaluations.set(result, evaluation)
  return evaluation
}
