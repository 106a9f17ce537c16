import { groupBy } from '../../metrics/statistics.ts'
import { inRow, thresholdVerdicts, valueText } from '../../metrics/thresholds.ts'
import { firstFinding, rowChecks } from '../../results/row-checks.ts'
import { type CheckResult, type Result } from '../../results/schema.ts'
import { tableBlock } from '../blocks/block.ts'
import { sectionKeys } from '../blocks/section-keys.ts'
import { describeWorst, type Overview } from '../prose/overview.ts'
import { formatAnswer, listSearches } from '../prose/search-text.ts'
import { type Report } from '../report.ts'
import { trustMarks } from '../tables/readable-table.ts'
import { type Table } from '../tables/table.ts'
import { fillText, formatTextBlocks, plainLine, spaced, type TextLine, type TextStyle } from './text-blocks.ts'

/**
 * A report for a terminal: the title, the figure that one came for, one table, how far to believe it, what limited it, and what was
 * expected. Everything else is in the other formats. It ends with an empty line.
 * @param columns Characters of a line. Words and columns of the table that are longer are not cut.
 */
export function formatTextReport(result: Result, report: Report, columns: number): readonly TextLine[] {
  const { overview, tree } = report
  const table = findMainTable(report)
  const sectionLines = (wanted: string): readonly TextLine[] =>
    formatTextBlocks(tree.sections.find(({ key }) => key === wanted)?.blocks ?? [], columns)
  return [
    ...spaced([{ text: fillText(tree.title, columns), style: 'title' }]),
    ...sectionLines(sectionKeys.warnings),
    ...spaced(figureLines(result, report).map((line) => ({ text: fillText(line, columns), style: 'figure' }))),
    ...sectionLines(sectionKeys.pairs),
    ...formatTextBlocks(table === undefined ? [] : [tableBlock(table)], columns),
    ...spaced(judgementLines(overview, columns)),
    ...spaced(expectationLines(result, columns)),
  ]
}

/** The first table of figures, whose rows are judged. */
function findMainTable({ tree }: Report): Table | undefined {
  const blocks = tree.sections.flatMap((section) => section.blocks)
  const tables = blocks.flatMap((block) => (block.kind === 'table' ? block.table : []))
  return tables.find(({ judged }) => judged.length > 0)
}

/** The found rates, the finding of the spec, what the first chart shows of several rows, or the figures of a single one. */
function figureLines(result: Result, { overview, charts }: Report): readonly string[] {
  const rates = listSearches(result).filter(({ search }) => search.kind === 'findRate')
  if (rates.length > 0)
    return rates.map(({ label, search }) => `${label === '' ? '' : `${label}: `}${formatAnswer(search)}`)
  if (overview.finding !== null) return [`${overview.finding.text}: ${overview.finding.ratio}`]
  const { metrics } = overview
  const [first] = charts
  if (result.spec.rows > 1 && first !== undefined) return [first.title]
  const width = Math.max(...metrics.map(({ value }) => value.length))
  return metrics.map(({ title, value, of }) => `${value.padStart(width)}  ${title}${of === '' ? '' : ` (${of})`}`)
}

const labelWidth = 12

const labelled = (label: string, text: string, columns: number): string =>
  `${label.padEnd(labelWidth)}${fillText(text, columns, labelWidth)}`

/** How far to believe the figures, with the worst reason, and what limited them. */
function judgementLines({ trust, limitedBy, metrics }: Overview, columns: number): readonly TextLine[] {
  if (metrics.length === 0) return []
  const limit = limitedBy === '' ? [] : [plainLine(labelled('Limited by', limitedBy, columns))]
  if (trust === null) return limit
  const rows = trust.summary.replace(/^Trust in /, '')
  const text = trust.level === 'comparable' ? rows : `${trustMarks[trust.level]} ${rows}. ${describeWorst(trust)}`
  const style = trust.level === 'do not compare' ? 'bad' : 'plain'
  return [{ text: labelled('Trust', text, columns), style }, ...limit]
}

type Verdict = CheckResult['status'] | 'missed' | 'not judged'

const verdictLooks: Readonly<
  Record<Verdict, { readonly mark: string; readonly word: string; readonly style: TextStyle }>
> = {
  held: { mark: '✓', word: '', style: 'good' },
  allowed: { mark: '✓', word: 'loss allowed, ', style: 'plain' },
  'not-checked': { mark: '?', word: 'not checked, ', style: 'bad' },
  'not judged': { mark: '?', word: 'not judged, ', style: 'plain' },
  violated: { mark: '✗', word: '', style: 'bad' },
  missed: { mark: '✗', word: '', style: 'bad' },
}

type Expectation = { readonly verdict: Verdict; readonly name: string; readonly because: string }

/** Thresholds and checks: those that held once, the others with their figures for each row. */
function expectationLines(result: Result, columns: number): readonly TextLine[] {
  const thresholds = thresholdVerdicts(result).map((one): Expectation => ({
    verdict: one.verdict,
    name: one.threshold,
    because: `${valueText(one)}${inRow(one.label)}`,
  }))
  const checks = [...groupBy(rowChecks(result), ({ check }) => check.name)].flatMap(([name, same]) => {
    const others = same.flatMap(({ label, check }): readonly Expectation[] =>
      check.status === 'held'
        ? []
        : [{ verdict: check.status, name, because: `${firstFinding(check)}${inRow(label)}` }],
    )
    return others.length === 0 ? [{ verdict: 'held' as const, name, because: '' }] : others
  })
  return [...thresholds, ...checks].map(({ verdict, name, because }) => {
    const { mark, word, style } = verdictLooks[verdict]
    const text = verdict === 'held' ? name : `${name}: ${word}${because}`
    return { text: `${mark} ${fillText(text, columns, 2)}`, style }
  })
}

const counted = (count: number, noun: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`]

/** Names the file with everything else: "mongo-perf-results/shop/report.html (2 more tables, 3 charts, the setting)". */
export function formatReportPlace(report: Report, file: string, columns: number): readonly TextLine[] {
  const { csv, charts } = report
  const shown = findMainTable(report) === undefined ? 0 : 1
  const parts = [...counted(csv.length - shown, 'more table'), ...counted(charts.length, 'chart'), 'the setting']
  return [
    { text: `${'Report'.padEnd(labelWidth)}${file}`, style: 'plain', file },
    { text: `${' '.repeat(labelWidth)}${fillText(parts.join(', '), columns, labelWidth)}`, style: 'aside' },
  ]
}
