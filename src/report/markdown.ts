import { type Result } from '../results/schema.ts'
import { chartsOf, type ReportChart } from './charts/charts.ts'
import { environmentOf } from './environment.ts'
import { createEvaluator } from './evaluate.ts'
import { cellText, type Digits } from './format.ts'
import { escapeText, markdownTable } from './markdown-table.ts'
import { footnotes, type Footnotes } from './footnotes.ts'
import { measuredHow, unfinished } from './provenance.ts'
import { type Note, noteOfWarning } from './notes.ts'
import { type FullReportSpec, reportSpecOf } from './report-spec.ts'
import { type ServerList, serversOf } from './servers.ts'
import { type Table, tablesOf } from './tables.ts'
import { filledText } from './texts.ts'
import { thresholdVerdicts } from './thresholds.ts'

const environmentTitle = 'Base Instance'
const unitRule = 'KB = 1024 B, MB = 1024 KB.'

/** The report as text, in the form of the published tables. */
export function reportMarkdown(
  result: Result,
  spec: FullReportSpec = reportSpecOf(result),
  tables: readonly Table[] = tablesOf(result, spec),
  charts: readonly ReportChart[] = chartsOf(result, spec),
): string {
  const notes = footnotes(tables)
  const evaluator = createEvaluator(result, spec)
  const servers = serversOf(result, spec)
  const isEnvironment = ({ title }: Table): boolean => title.toLowerCase() === environmentTitle.toLowerCase()
  const sections = [
    `## ${escapeText(result.spec.title)}`,
    ...doubts(result),
    section('Description', [result.spec.description, filledText(spec.description, evaluator)]),
    section(environmentTitle, [
      ...tables.filter(isEnvironment).map((table) => tableText(table, notes)),
      environmentTable(result, servers),
      servers === null ? '' : markdownTable(servers.header, servers.lines),
    ]),
    ...tables.filter((table) => !isEnvironment(table)).map((table) => section(table.title, [tableText(table, notes)])),
    section('Charts', charts.map(image)),
    section('Analysis', [filledText(spec.analysis, evaluator)]),
    section('Key Takeaways', [filledText(spec.keyTakeaways, evaluator)]),
    section('Thresholds', [thresholdsTable(result)]),
    `_${measuredHow(result)}_`,
  ]
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`
}

/** What is in doubt about the whole run, before anything else. */
function doubts(result: Result): readonly string[] {
  const status = unfinished(result)
  const texts = [...(status === null ? [] : [status]), ...result.warnings.map((warning) => noteOfWarning(warning).text)]
  return texts.map((text) => `> ${escapeText(text)}`)
}

function section(title: string, parts: readonly string[]): string {
  const filled = parts.map((part) => part.trim()).filter((part) => part !== '')
  return filled.length === 0 ? '' : [`### ${escapeText(title)}`, ...filled].join('\n\n')
}

/** What differs from server to server stands in the list of servers, and there alone. */
function environmentTable(result: Result, servers: ServerList | null): string {
  return markdownTable(
    ['Setting', 'Value'],
    environmentOf(result).flatMap(({ name, value }) => (servers?.facts.has(name) ? [] : [[name, value]])),
  )
}

/** Every threshold with the row that did worst. */
function thresholdsTable(result: Result): string {
  const verdicts = thresholdVerdicts(result)
  if (verdicts.length === 0) return ''
  const lines = verdicts.map(({ threshold, measured, label, held }) => [
    threshold,
    measured === null ? 'not measured' : String(Number(measured.toPrecision(6))),
    label,
    held ? 'held' : 'missed',
  ])
  const hasLabels = verdicts.some(({ label }) => label !== '')
  const shown = (cells: readonly string[]): readonly string[] => (hasLabels ? cells : cells.toSpliced(2, 1))
  return markdownTable(shown(['Threshold', 'Worst', 'Row', 'Verdict']), lines.map(shown))
}

function tableText(table: Table, notes: Footnotes): string {
  const marked = (text: string, about: readonly Note[]): string =>
    [text, notes.marker(about)].filter((part) => part !== '').join(' ')
  const header = table.columns.map(({ title, notes: ofColumn = [] }) => marked(title, ofColumn))
  const rows = table.rows.map(({ cells, digits, notes: ofRow }) => {
    const digitsOf = (column: number): Digits =>
      digits === undefined ? (table.columns[column]?.digits ?? null) : digits
    const [first = '', ...others] = cells.map((cell, column) => cellText(cell, digitsOf(column)))
    return [marked(first, ofRow), ...others]
  })
  const below = [usesUnits(table) ? unitRule : '', notes.listFor(table).map(escapeText).join('\n')]
  return [markdownTable(header, rows), ...below].filter((part) => part !== '').join('\n\n')
}

/** In a transposed table, what would be the titles of its columns are the first cells of its rows. */
function usesUnits({ columns, rows }: Table): boolean {
  const titles = rows.flatMap(({ cells, digits }) => (digits === undefined ? [] : String(cells[0])))
  const texts = [...columns.map(({ title, unit }) => `${title} ${unit}`), ...titles]
  return texts.some((text) => /\b[KM]B\b/.test(text))
}

function image({ alt, file }: ReportChart): string {
  return `![${escapeText(alt).replaceAll(/[[\]]/g, '\\$&')}](${file})`
}
