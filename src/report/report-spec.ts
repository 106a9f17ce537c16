import { z } from 'zod'
import { Problem } from '../errors.ts'
import { type Result } from '../results/schema.ts'
import { defaultCharts, defaultTables } from './default-report.ts'
import { type ChartSpec, type ReportSpec, reportSpec, type TableSpec } from './schema.ts'

/** A report part with its default tables and charts. */
export type FullReportSpec = Omit<ReportSpec, 'tables' | 'charts'> & {
  readonly tables: readonly TableSpec[]
  readonly charts: readonly ChartSpec[]
}

/** The report part of a result, validated again, with defaults for missing tables and charts. */
export function reportSpecOf(result: Result): FullReportSpec {
  const read = reportSpec.safeParse(result.spec.report ?? {})
  if (!read.success) {
    throw new Problem(
      'result-unreadable',
      `The report part of the result is not valid: ${z.prettifyError(read.error)}`,
      {
        hint: 'Make the report with the version of mongo-perf that wrote the result, or fix its spec.report.',
      },
    )
  }
  const { tables = defaultTables(result), charts = defaultCharts(result) } = read.data
  return { ...read.data, tables, charts }
}
