import { limitRules } from '../../metrics/limited-by/index.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { inRow, thresholdVerdicts, valueText } from '../../metrics/thresholds.ts'
import { firstFinding, rowChecks } from '../../results/row-checks.ts'
import type { CheckResult, Result } from '../../results/schema.ts'
import { tableBlock } from '../blocks/block.ts'
import { sectionKeys } from '../blocks/section-keys.ts'
import { type Overview, describeRuns, describeTrust, formatMetric, lostWrites } from '../prose/overview.ts'
import { answerSearch, explainLimit, findScarcest, listSearches } from '../prose/search-text.ts'
import type { Report } from '../report.ts'
import type { Table } from '../tables/table.ts'
import { type TextLine, type TextStyle, fillText, formatTextBlocks, plainLine, spaced } from './text-blocks.ts'

/**
 * A report for a terminal. Its first lines answer what came out, whether that was expected, from how many runs it is, how far to believe it,
 * and what limited it. One table follows, and what was as expected. Everything else is in the other formats. It ends with an empty line.
 * @param columns Characters of a line. Words and columns of the table that are longer are not cut.
 */
export function formatTextReport(result: Result, report: Report, columns: number): readonly TextLine[] {
  const { overview, tree } = report
  const table = findMainTable(report)
  const sectionLines = (wanted: string): readonly TextLine[] =>
    formatTextBlocks(tree.sections.find(({ key }) => key === wanted)?.blocks ?? [], columns)
  const expectations = listExpectations(result)
  const expectationLines = (isMet: boolean): readonly TextLine[] =>
    expectations
      .filter(({ verdict }) => (verdictLooks[verdict].mark === '✓') === isMet)
      .map((one) => expectationLine(one, columns))
  return [
    { text: fillText(tree.title, columns), style: 'title' },
    ...sectionLines(sectionKeys.warnings),
    ...spaced([
      ...figureLines(result, report).map((line): TextLine => ({ text: fillText(line, columns), style: 'figure' })),
      ...expectationLines(false),
      ...formatJudgement(result, overview, columns),
    ]),
    ...sectionLines(sectionKeys.pairs),
    ...formatTextBlocks(table === undefined ? [] : [tableBlock(table)], columns),
    ...spaced(expectationLines(true)),
  ]
}

/** The first table of figures, whose rows are judged. */
function findMainTable({ tree }: Report): Table | undefined {
  const blocks = tree.sections.flatMap((section) => section.blocks)
  const tables = blocks.flatMap((block) => (block.kind === 'table' ? block.table : []))
  return tables.find(({ judged }) => judged.length > 0)
}

/** A takeaway of one line, and what came out. */
function figureLines(result: Result, report: Report): readonly string[] {
  const blocks = report.tree.sections.find(({ key }) => key === sectionKeys.keyTakeaways)?.blocks ?? []
  const takeaways = blocks.flatMap((block) => (block.kind === 'prose' ? block.markdown : []))
  return [...takeaways.filter((text) => !text.includes('\n')), ...findFigures(result, report)]
}

/** The found rates, the finding of the spec, what the first chart shows of several rows, or the figures of a single one. */
function findFigures(result: Result, { overview, charts }: Report): readonly string[] {
  const rates = listSearches(result).filter(({ search }) => search.holds.length > 0)
  if (rates.length > 0) return rates.map(answerSearch)
  if (overview.finding !== null) return [`${overview.finding.text}: ${overview.finding.ratio}`]
  const { metrics } = overview
  const [first] = charts
  if (result.spec.rows > 1 && first !== undefined)
    return [[first.title, ...metrics.filter(({ title }) => title === lostWrites).map(formatMetric)].join('; ')]
  return [...groupBy(metrics, ({ of }) => of)].map(
    ([of, same]) => `${of === '' ? '' : `${of}: `}${same.map(formatMetric).join(', ')}`,
  )
}

const labelWidth = 12

const labelled = (label: string, text: string, columns: number): string =>
  `${label.padEnd(labelWidth)}${fillText(text, columns, labelWidth)}`

/** How far to believe the figures, with the worst reason, the number of runs, and what limited them. */
function formatJudgement(result: Result, overview: Overview, columns: number): readonly TextLine[] {
  const { limitedBy, metrics, trust } = overview
  if (metrics.length === 0) return []
  const limit = limitedBy === '' ? [] : [plainLine(labelled('Limited by', limitedBy, columns))]
  const runs = plainLine(labelled('Runs', describeRuns(result, trust), columns))
  return [...formatTrust(overview, columns), runs, ...limit]
}

export function formatTrust({ trust, metrics }: Overview, columns: number): readonly TextLine[] {
  if (trust === null || metrics.length === 0) return []
  const style = trust.level === 'do not compare' ? 'bad' : 'plain'
  return [{ text: labelled('Trust', describeTrust(trust), columns), style }]
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
function listExpectations(result: Result): readonly Expectation[] {
  const thresholds = thresholdVerdicts(result).map((one): Expectation => ({
    verdict: one.verdict,
    name: one.threshold,
    because: `${one.verdict === 'not judged' ? one.reason : valueText(one)}${inRow(one.label)}`,
  }))
  const checks = [...groupBy(rowChecks(result), ({ check }) => check.name)].flatMap(([name, same]) => {
    const others = same.flatMap(({ label, check }): readonly Expectation[] =>
      check.status === 'held'
        ? []
        : [{ verdict: check.status, name, because: `${firstFinding(check)}${inRow(label)}` }],
    )
    return others.length === 0 ? [{ verdict: 'held' as const, name, because: '' }] : others
  })
  return [...thresholds, ...checks]
}

function expectationLine({ verdict, name, because }: Expectation, columns: number): TextLine {
  const { mark, word, style } = verdictLooks[verdict]
  const text = verdict === 'held' ? name : `${name}: ${word}${because}`
  return { text: `${mark} ${fillText(text, columns, 2)}`, style }
}

/** The rates that a result found: what each means, what would raise it, and how far to believe it. */
export function formatSearchAnswers(result: Result, { overview }: Report, columns: number): readonly TextLine[] {
  const searches = listSearches(result)
  const answers = searches.map((found): TextLine => ({ text: fillText(answerSearch(found), columns), style: 'figure' }))
  const limits = searches.flatMap(({ label, search }) => {
    const scarcest = findScarcest(search)
    const rule = limitRules.find(({ name }) => scarcest?.startsWith(`${name} (`))
    const limit = [explainLimit(search), rule === undefined ? '' : `To improve it: ${rule.remedy}.`]
    const text = limit.filter((sentence) => sentence !== '').join(' ')
    return text === '' ? [] : [plainLine(fillText(label === '' ? text : `${label}: ${text}`, columns))]
  })
  return spaced([...answers, ...formatTrust(overview, columns), ...limits])
}
