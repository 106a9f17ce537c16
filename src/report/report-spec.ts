import { Problem } from '../core/errors.ts'
import { pathText } from '../core/json.ts'
import { shippedReader } from '../language/json-schema/shipped-reader.ts'
import { type ChartSpec, type ReportSpec, type TableSpec } from '../metrics/report-schema.ts'
import { type Result } from '../results/schema.ts'
import { defaultCharts, defaultTables } from './default-report.ts'

/** A report part with its default tables and charts. */
export type FullReportSpec = Omit<ReportSpec, 'tables' | 'charts'> & {
  readonly tables: readonly TableSpec[]
  readonly charts: readonly ChartSpec[]
}

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
  const { tables = defaultTables(result), charts = defaultCharts(result) } = read.value
  return { ...read.value, tables, charts }
}
