import { type Result } from '../results/schema.ts'
import { type Warning } from '../results/schema/warnings.ts'
import { chartsOf } from './charts/charts.ts'
import { type ReportChart } from './charts/report-chart.ts'
import { environmentOf } from './environment.ts'
import { createEvaluator } from '../metrics/evaluate.ts'
import { faultsText } from './faults.ts'
import { distinctNames } from './file-names.ts'
import { linksText } from './links.ts'
import { checksText } from './checks.ts'
import { escapeLinkText, escapeText, markdownTable } from './markdown-table.ts'
import { warningText } from './notes.ts'
import { isNotMeasuredHere, measuredHow, unfinished } from './provenance.ts'
import { type FullReportSpec, reportSpecOf } from './report-spec.ts'
import { safeMarkdown } from './safe-markdown.ts'
import { type ServerList, serversOf } from './servers.ts'
import { tableText } from './table-text.ts'
import { type Table, tablesOf } from './tables.ts'
import { filledText } from './texts.ts'
import { thresholdVerdicts } from '../metrics/thresholds.ts'
import { foldedWarnings } from './trust/folded.ts'

/** A part of a report, with its own block in a document. */
export type ReportPart = {
  /** Lower-case letters, digits and hyphens; unique in a report. */
  readonly key: string
  /** Heading as Markdown. Null: no heading. */
  readonly title: string | null
  /** Markdown below the heading, never empty. */
  readonly text: string
  /** What a terminal shows instead. */
  readonly brief?: string
}

/** A report as parts, from which report.md and documents are made. */
export type ReportSection = {
  /** Name of the spec. */
  readonly name: string
  /** Heading as Markdown. */
  readonly title: string
  readonly parts: readonly ReportPart[]
}

const environmentTitle = 'Base Instance'
/** Key of the part about the measured environment. */
export const environmentKey = 'base-instance'
/** Header of its table of settings. */
export const settingsHeader = ['Setting', 'Value'] as const
/** Key of the warnings about the whole run. Existing documents contain it. */
export const warningsKey = 'doubts'
/** Key of the pictures. */
export const chartsKey = 'charts'
/** Key of the line on how the figures were measured. */
export const measuredKey = 'measured'

/** Key of the warnings about the rows. */
const trustKey = 'trust'

/** Keys that tables cannot have. */
const keysBesideTables = [
  warningsKey,
  'description',
  environmentKey,
  'links',
  'faults',
  chartsKey,
  'analysis',
  'key-takeaways',
  'thresholds',
  'checks',
  trustKey,
  measuredKey,
]

/**
 * Renders the parts of a report.
 * @param linkTo Returns the link to a chart's file. Default: its name, for a report in the same folder.
 */
export function reportSection(
  result: Result,
  {
    spec = reportSpecOf(result),
    tables = tablesOf(result, spec),
    charts = chartsOf(result, spec),
    linkTo = (file) => file,
  }: {
    readonly spec?: FullReportSpec
    readonly tables?: readonly Table[]
    readonly charts?: readonly ReportChart[]
    readonly linkTo?: (file: string) => string
  } = {},
): ReportSection {
  const evaluator = createEvaluator(result, spec)
  const servers = serversOf(result, spec)
  const isEnvironment = ({ title }: Table): boolean => title.toLowerCase() === environmentTitle.toLowerCase()
  const environment = tables.filter(isEnvironment)
  const findings = [
    ...tableParts(tables.filter((table) => !isEnvironment(table))),
    part('faults', 'Faults', [faultsText(result, spec)]),
    part(
      chartsKey,
      'Charts',
      charts.map((chart) => image(chart, linkTo)),
    ),
    part('analysis', 'Analysis', [prose(filledText(spec.analysis, evaluator))]),
    part('key-takeaways', 'Key Takeaways', [prose(filledText(spec.keyTakeaways, evaluator))]),
    part('thresholds', 'Thresholds', [thresholdsTable(result)]),
    part('checks', 'Checks', [checksText(result)]),
  ]
  const parts = [
    part(warningsKey, null, warningTexts(result)),
    part('description', 'Description', [
      prose(result.spec.description),
      prose(filledText(spec.description, evaluator)),
    ]),
    part(environmentKey, environmentTitle, [
      ...environment.filter(({ rows }) => rows.length > 0).map((table) => tableText(table)),
      environmentTable(result, servers),
      servers === null ? '' : markdownTable(servers.header, servers.lines),
    ]),
    part('links', 'Links', [linksText(result, spec)]),
    // Without measured rows there are no findings.
    ...(result.variants.length === 0 ? [] : findings),
    part(measuredKey, null, [`_${escapeText(measuredHow(result))}_`]),
  ]
  return {
    name: result.spec.name,
    title: escapeText(result.spec.title),
    parts: parts.filter(({ text }) => text !== ''),
  }
}

/** Trims first, because four leading spaces would make code of a fence. */
const prose = (text: string): string => safeMarkdown(text.trim())

/** The tables, with the warnings about their rows under the first that has some. */
function tableParts(tables: readonly Table[]): readonly ReportPart[] {
  const parts = withKeys(tables).map(([key, table]) => part(key, table.title, [tableText(table)]))
  const first = tables.findIndex(({ judged }) => judged.length > 0)
  const { folded, brief } = foldedWarnings(tables)
  return parts.toSpliced(first + 1, 0, { key: trustKey, title: null, text: folded, brief })
}

function withKeys(tables: readonly Table[]): readonly (readonly [key: string, Table])[] {
  const titles = tables.map(({ title }) => title)
  const keys = distinctNames(titles, 'table', keysBesideTables)
  return tables.map((table, index) => [keys[index] ?? `table-${index + 1}`, table])
}

function part(key: string, title: string | null, texts: readonly string[]): ReportPart {
  const filled = texts.map((text) => text.trim()).filter((text) => text !== '')
  return { key, title: title === null ? null : escapeText(title), text: filled.join('\n\n') }
}

/** The warnings about the whole run, at the top of the report. */
function warningTexts(result: Result): readonly string[] {
  const status = unfinished(result)
  const texts = [...(status === null ? [] : [status]), ...result.warnings.map(ofWholeRun)]
  return texts.map((text) => `> ${escapeText(text)}`)
}

function ofWholeRun(warning: Warning): string {
  const text = warningText(warning)
  return isNotMeasuredHere(warning) ? `**Not measured here:** ${text}` : text
}

/** The environment, without facts that the list of servers shows. */
function environmentTable(result: Result, servers: ServerList | null): string {
  return markdownTable(
    settingsHeader,
    environmentOf(result).flatMap(({ name, value }) => (servers?.facts.has(name) ? [] : [[name, value]])),
  )
}

/** Every threshold with its worst row. */
function thresholdsTable(result: Result): string {
  const verdicts = thresholdVerdicts(result)
  if (verdicts.length === 0) return ''
  const lines = verdicts.map(({ threshold, measured, reason, label, held }) => [
    threshold,
    measured === null ? (reason ?? '') : String(Number(measured.toPrecision(6))),
    label,
    held ? 'held' : 'missed',
  ])
  const hasLabels = verdicts.some(({ label }) => label !== '')
  const shown = (cells: readonly string[]): readonly string[] => (hasLabels ? cells : cells.toSpliced(2, 1))
  return markdownTable(shown(['Threshold', 'Worst', 'Row', 'Verdict']), lines.map(shown))
}

function image({ alt, file }: ReportChart, linkTo: (file: string) => string): string {
  return `![${escapeLinkText(alt)}](${linkTo(file)})`
}
