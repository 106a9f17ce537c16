import { type Result } from '../results/schema.ts'
import { chartsOf } from './charts/charts.ts'
import { type ReportChart } from './charts/report-chart.ts'
import { fileNames } from './file-names.ts'
import { tableCsv } from './csv.ts'
import { type ReportJson, reportJson } from './json.ts'
import { reportMarkdown } from './markdown.ts'
import { type OwnColumns } from '../metrics/columns/own-column.ts'
import { withColumns } from '../metrics/own-columns.ts'
import { comparisonParts } from './published/parts.ts'
import { reportSpecOf } from './report-spec.ts'
import { reportSection, type ReportSection } from './sections.ts'
import { stepSummary } from './step-summary.ts'
import { tablesOf } from './tables.ts'

export { drawChart } from './charts/draw-chart.ts'

/** A rendered report. */
export type Report = {
  readonly markdown: string
  /** The same for a terminal, where warnings are shorter. */
  readonly brief: string
  /** The same for the summary of a CI job, without charts. */
  readonly summary: string
  readonly csv: readonly { readonly name: string; readonly text: string }[]
  readonly json: ReportJson
  readonly charts: readonly ReportChart[]
}

/** Options of a report. */
export type ReportOptions = {
  /** Whether to compare with the published figures of the spec. Default false. */
  readonly reference?: boolean
  /** Own columns that the report of the result names, computed anew. Default: those that it was measured with, with their values then. */
  readonly columns?: OwnColumns
}

/**
 * Markdown, CSV and chart configurations of a result. Pure: the same result returns the same report, if the functions of own columns are pure.
 * `drawChart` makes a PNG of a chart.
 */
export function renderReport(measured: Result, options: ReportOptions = {}): Report {
  const result = withOptions(measured, options)
  const { spec, tables, charts, comparison } = contentOf(result, options)
  const names = fileNames(
    tables.map(({ title }) => title),
    'csv',
  )
  const section = reportSection(result, { spec, tables, charts })
  return {
    markdown: reportMarkdown(section),
    brief: reportMarkdown(briefly(section)),
    summary: stepSummary(section),
    csv: tables.map((table, index) => ({ name: names[index] ?? `table-${index + 1}.csv`, text: tableCsv(table) })),
    json: reportJson(result, tables, comparison),
    charts,
  }
}

const briefly = (section: ReportSection): ReportSection => ({
  ...section,
  parts: section.parts.map((part) => ({ ...part, text: part.brief ?? part.text })),
})

/**
 * Renders a report as parts for a document.
 * @param linkTo Returns the link to a chart's file, relative to the document.
 */
export function renderSection(result: Result, options: ReportOptions, linkTo: (file: string) => string): ReportSection {
  const shown = withOptions(result, options)
  return reportSection(shown, { ...contentOf(shown, options), linkTo })
}

const withOptions = (result: Result, { columns }: ReportOptions): Result =>
  columns === undefined ? result : withColumns(result, columns)

function contentOf(result: Result, { reference = false }: ReportOptions) {
  const spec = reportSpecOf(result)
  const own = tablesOf(result, spec)
  const published = reference ? comparisonParts(result, spec, own) : null
  return {
    spec,
    tables: published === null ? own : own.toSpliced(published.position, 0, published.table),
    charts: chartsOf(result, spec, published === null ? [] : [published.picture]),
    comparison: published?.comparison,
  }
}
