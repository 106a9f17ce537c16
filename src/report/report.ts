import { type Result } from '../results/schema.ts'
import { chartsOf, type ReportChart } from './charts/charts.ts'
import { fileNames } from './file-names.ts'
import { tableCsv } from './csv.ts'
import { type ReportJson, reportJson } from './json.ts'
import { reportMarkdown } from './markdown.ts'
import { comparisonParts } from './published/parts.ts'
import { reportSpecOf } from './report-spec.ts'
import { tablesOf } from './tables.ts'

export { drawChart } from './charts/png.ts'

export type Report = {
  readonly markdown: string
  readonly csv: readonly { readonly name: string; readonly text: string }[]
  readonly json: ReportJson
  readonly charts: readonly ReportChart[]
}

export type ReportOptions = {
  /** Puts the published figures that the spec names beside the measured ones. Default false. */
  readonly reference?: boolean
}

/** Everything that can be told from a result. Pure: the same result gives the same report. */
export function renderReport(result: Result, { reference = false }: ReportOptions = {}): Report {
  const spec = reportSpecOf(result)
  const own = tablesOf(result, spec)
  const published = reference ? comparisonParts(result, spec, own) : null
  const tables = published === null ? own : own.toSpliced(published.position, 0, published.table)
  const charts = chartsOf(result, spec, published === null ? [] : [published.picture])
  const names = fileNames(
    tables.map(({ title }) => title),
    'csv',
  )
  return {
    markdown: reportMarkdown(result, spec, tables, charts),
    csv: tables.map((table, index) => ({ name: names[index] ?? `table-${index + 1}.csv`, text: tableCsv(table) })),
    json: reportJson(result, tables, published?.comparison),
    charts,
  }
}
