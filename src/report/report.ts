import { type Result } from '../results/schema.ts'
import { chartsOf, type ReportChart } from './charts/charts.ts'
import { fileNames } from './file-names.ts'
import { tableCsv } from './csv.ts'
import { type ReportJson, reportJson } from './json.ts'
import { reportMarkdown } from './markdown.ts'
import { reportSpecOf } from './report-spec.ts'
import { reportSection } from './sections.ts'
import { tablesOf } from './tables.ts'

export { drawChart } from './charts/png.ts'

export type Report = {
  readonly markdown: string
  readonly csv: readonly { readonly name: string; readonly text: string }[]
  readonly json: ReportJson
  readonly charts: readonly ReportChart[]
}

/** Everything that can be told from a result. Pure: the same result gives the same report. */
export function renderReport(result: Result): Report {
  const spec = reportSpecOf(result)
  const tables = tablesOf(result, spec)
  const charts = chartsOf(result, spec)
  const names = fileNames(
    tables.map(({ title }) => title),
    'csv',
  )
  return {
    markdown: reportMarkdown(reportSection(result, { spec, tables, charts })),
    csv: tables.map((table, index) => ({ name: names[index] ?? `table-${index + 1}.csv`, text: tableCsv(table) })),
    json: reportJson(result, tables),
    charts,
  }
}
