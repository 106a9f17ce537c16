import { type Result } from '../results/schema.ts'
import { chartsOf, type ReportChart } from './charts/charts.ts'
import { environmentOf } from './environment.ts'
import { cellText } from './format.ts'
import { escapeText, markdownTable } from './markdown-table.ts'
import { footnotes, type Footnotes } from './footnotes.ts'
import { measuredHow, unfinished } from './provenance.ts'
import { noteOfWarning } from './notes.ts'
import { type FullReportSpec, reportSpecOf } from './report-spec.ts'
import { type Table, tablesOf } from './tables.ts'

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
  const isEnvironment = ({ title }: Table): boolean => title.toLowerCase() === environmentTitle.toLowerCase()
  const sections = [
    `## ${escapeText(result.spec.title)}`,
    ...doubts(result),
    section('Description', [result.spec.description, lines(spec.description)]),
    section(environmentTitle, [
      ...tables.filter(isEnvironment).map((table) => tableText(table, notes)),
      environmentTable(result),
    ]),
    ...tables.filter((table) => !isEnvironment(table)).map((table) => section(table.title, [tableText(table, notes)])),
    section('Charts', charts.map(image)),
    section('Analysis', [lines(spec.analysis)]),
    section('Key Takeaways', [lines(spec.keyTakeaways)]),
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

function lines(text: string | readonly string[] | undefined): string {
  return typeof text === 'string' ? text : (text ?? []).join('\n')
}

function environmentTable(result: Result): string {
  return markdownTable(
    ['Setting', 'Value'],
    environmentOf(result).map(({ name, value }) => [name, value]),
  )
}

function tableText(table: Table, notes: Footnotes): string {
  const header = table.columns.map(({ title }) => title)
  const rows = table.rows.map(({ cells, notes: ofRow }) => {
    const texts = cells.map((cell, column) => cellText(cell, table.columns[column]?.digits ?? null))
    const [first = '', ...others] = texts
    return [[first, notes.marker(ofRow)].filter((part) => part !== '').join(' '), ...others]
  })
  const below = [usesUnits(table) ? unitRule : '', notes.listFor(table).map(escapeText).join('\n')]
  return [markdownTable(header, rows), ...below].filter((part) => part !== '').join('\n\n')
}

function usesUnits({ columns }: Table): boolean {
  return columns.some(({ title, unit }) => /\b[KM]B\b/.test(`${title} ${unit}`))
}

function image({ alt, file }: ReportChart): string {
  return `![${escapeText(alt).replaceAll(/[[\]]/g, '\\$&')}](${file})`
}
