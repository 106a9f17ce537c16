import { againstName, getColumnMetric } from '../metrics/against.ts'
import type { OwnColumns } from '../metrics/columns/own-column.ts'
import { withColumns } from '../metrics/columns/own-columns.ts'
import type { Evaluation } from '../metrics/evaluate.ts'
import type { ColumnSpec, FullReportSpec } from '../metrics/report-schema.ts'
import type { Cell } from '../metrics/rows/rows.ts'
import { getAt } from '../metrics/rows/siblings.ts'
import type { JudgedRow } from '../metrics/trust/judge.ts'
import type { Result } from '../results/schema.ts'
import { type Block, type ReportTree, type Section, paragraph } from './blocks/block.ts'
import { reportTree } from './blocks/report-tree.ts'
import { sectionKeys } from './blocks/section-keys.ts'
import { createCharts } from './charts/charts.ts'
import type { Picture } from './charts/picture.ts'
import type { ReportChart } from './charts/report-chart.ts'
import { evaluateReport } from './definition/report-spec.ts'
import { fileNames } from './formats/file-names.ts'
import { type ReportJson, reportJson } from './formats/json.ts'
import { reportMarkdown } from './markdown/render.ts'
import { type Overview, createOverview } from './prose/overview.ts'
import { type Comparison, comparePublished } from './published/compare.ts'
import { comparisonPicture } from './published/picture.ts'
import { comparisonTable, distinguishesRows, rowNames } from './published/table.ts'
import { type MeasuredTable, createMeasuredTables, showsInterval } from './tables/measured.ts'
import { type Table, type TableColumn, withTrust } from './tables/table.ts'

/** Sections that a job may have failed by. */
const verdicts: ReadonlySet<string> = new Set([sectionKeys.thresholds, sectionKeys.checks])
/** Sections that readers look up after they have seen the findings. */
const looked: ReadonlySet<string> = new Set([
  sectionKeys.description,
  sectionKeys.environment,
  sectionKeys.links,
  sectionKeys.measured,
])

/**
 * A report for the summary of a CI job: verdicts and findings first, the setting folded, and no charts, because such a page shows no files of the
 * job.
 */
function stepSummary(tree: ReportTree): ReportTree {
  const shown = tree.sections.filter(({ key }) => key !== sectionKeys.charts)
  const first = shown.filter(({ key }) => verdicts.has(key))
  const findings = shown.filter(({ key }) => !verdicts.has(key) && !looked.has(key))
  const setting = shown.filter(({ key }) => looked.has(key))
  return { ...tree, sections: [...first, ...findings, createSettingSection(setting)] }
}

const createSettingSection = (sections: readonly Section[]): Section => ({
  key: 'setting',
  title: null,
  blocks: [{ kind: 'folded', summary: 'What was measured, where and how', blocks: sections.flatMap(blocksWithTitle) }],
})

const blocksWithTitle = ({ title, blocks }: Section): readonly Block[] =>
  title === null ? blocks : [paragraph(title, 'strong'), ...blocks]

export { drawChart } from './charts/drawing/draw-chart.ts'

export type Report = {
  readonly tree: ReportTree
  readonly overview: Overview
  readonly markdown: string
  /** The same for the summary of a CI job, without charts. */
  readonly summary: string
  readonly csv: readonly { readonly name: string; readonly text: string }[]
  readonly json: ReportJson
  readonly charts: readonly ReportChart[]
}

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
  const evaluation = evaluateReport(result)
  const { tables, charts, comparison } = createReportContent(evaluation, options)
  const names = fileNames(
    tables.map(({ title }) => title),
    'csv',
  )
  const tree = reportTree(evaluation, { tables, charts })
  return {
    tree,
    overview: createOverview(evaluation, tree),
    markdown: reportMarkdown(tree),
    summary: reportMarkdown(stepSummary(tree)),
    csv: tables.map((table, index) => ({ name: names[index] ?? `table-${index + 1}.csv`, text: tableCsv(table) })),
    json: reportJson(result, tables, comparison),
    charts,
  }
}

/** A report as blocks alone, for a document. */
export function renderTree(measured: Result, options: ReportOptions): ReportTree {
  const evaluation = evaluateReport(withOptions(measured, options))
  return reportTree(evaluation, createReportContent(evaluation, options))
}

const withOptions = (result: Result, { columns }: ReportOptions): Result =>
  columns === undefined ? result : withColumns(result, columns)

function createReportContent(evaluation: Evaluation, { reference = false }: ReportOptions) {
  const own = createMeasuredTables(evaluation)
  const published = reference ? comparisonParts(evaluation, own) : null
  return {
    tables: published === null ? own : own.toSpliced(published.position, 0, published.table),
    charts: createCharts(evaluation, published === null ? [] : [published.picture]),
    comparison: published?.comparison,
  }
}

/** A table in the format of RFC 4180: numbers in full, empty fields for missing values, the trust and the codes of warnings in the last fields (transposed: the last records). */
export function tableCsv(table: Table): string {
  const { judged, isTransposed } = table
  const { columns, rows } = withTrust(table)
  const titles = columns.map(({ title }) => title)
  const cells = rows.map((row) => row.cells.map(fieldText))
  const notes = judged.map(codes)
  const records = isTransposed
    ? [titles, ...cells, ['Notes', ...notes]]
    : [[...titles, 'Notes'], ...cells.map((fields, index) => fields.concat(notes[index] ?? ''))]
  return records.map((record) => `${record.map(quoted).join(',')}\r\n`).join('')
}

const codes = ({ notes }: JudgedRow): string => [...new Set(notes.map(({ kind }) => kind))].join('; ')

function fieldText(cell: Cell): string {
  return cell === null ? '' : String(cell)
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}

/** Parts that a comparison with published figures adds to a report: a table and a chart. */
type ComparisonParts = {
  readonly comparison: Comparison
  readonly table: MeasuredTable
  /** Number of tables of the report before it: it follows the first table with the same rows. */
  readonly position: number
  readonly picture: Picture
}

/**
 * The comparison of a report. Null if the spec names no published figures.
 * @param tables The tables of the report without the comparison.
 */
function comparisonParts(evaluation: Evaluation, tables: readonly MeasuredTable[]): ComparisonParts | null {
  const { result, spec } = evaluation
  if (spec.published === undefined) return null
  const comparison = comparePublished(evaluation, spec.published)
  const names = rowNames(spec.published, result, spec)
  const main = spec.tables.findIndex(distinguishesRows)
  return {
    comparison,
    table: comparisonTable(comparison, names, (one) => measuredColumn(one, spec, tables)),
    position: main < 0 ? spec.tables.length : main + 1,
    picture: comparisonPicture(comparison, names),
  }
}

/** The column of the measured figures as another table of the report shows it, else with its defaults. */
function measuredColumn(
  { spec, address }: Comparison,
  written: FullReportSpec,
  tables: readonly MeasuredTable[],
): TableColumn {
  const isShown = (column: ColumnSpec): boolean =>
    getColumnMetric(column) === spec.metric && getAt(column) === undefined && !showsInterval(column)
  const [shown] = written.tables.flatMap(({ columns, transpose }, index) => {
    const all = (tables[index]?.columns ?? []).filter(({ name }) => name !== againstName)
    // Other added columns come first.
    const ofWritten = all.slice(all.length - columns.length)
    return transpose ? [] : (ofWritten[columns.findIndex(isShown)] ?? [])
  })
  const { title, unit, digits } = address.column
  return shown ?? { name: spec.metric, title, unit, digits }
}
