import { type OwnColumns } from '../metrics/columns/own-column.ts'
import { withColumns } from '../metrics/own-columns.ts'
import { type Result } from '../results/schema.ts'
import { type ReportTree } from './blocks/block.ts'
import { reportTree } from './blocks/report-tree.ts'
import { stepSummary } from './blocks/step-summary.ts'
import { chartsOf } from './charts/charts.ts'
import { type ReportChart } from './charts/report-chart.ts'
import { tableCsv } from './csv.ts'
import { fileNames } from './file-names.ts'
import { type ReportJson, reportJson } from './json.ts'
import { reportMarkdown } from './markdown/render.ts'
import { comparisonParts } from './published/parts.ts'
import { reportSpecOf } from './report-spec.ts'
import { tablesOf } from './tables/measured.ts'

export { drawChart } from './charts/drawing/draw-chart.ts'

/** A report: as blocks, and rendered. */
export type Report = {
  readonly tree: ReportTree
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
  const tree = reportTree(result, { spec, tables, charts })
  return {
    tree,
    markdown: reportMarkdown(tree),
    brief: reportMarkdown(tree, { warnings: 'brief' }),
    summary: reportMarkdown(stepSummary(tree)),
    csv: tables.map((table, index) => ({ name: names[index] ?? `table-${index + 1}.csv`, text: tableCsv(table) })),
    json: reportJson(result, tables, comparison),
    charts,
  }
}

/** A report as blocks alone, for a document. */
export function renderTree(measured: Result, options: ReportOptions): ReportTree {
  const result = withOptions(measured, options)
  return reportTree(result, contentOf(result, options))
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
