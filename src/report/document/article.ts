import type { Evaluation } from '../../metrics/evaluate.ts'
import { thresholdVerdicts } from '../../metrics/thresholds.ts'
import { type Block, type ReportTree, type Section, type TrustWarning, paragraph, tableBlock } from '../blocks/block.ts'
import { sectionKeys } from '../blocks/section-keys.ts'
import { type ReportChart, describeChartKind } from '../charts/report-chart.ts'
import { type ReportFinding, computeFinding } from '../prose/finding.ts'
import { createServerList } from '../tables/servers.ts'
import { type Table, settingsHeader } from '../tables/table.ts'
import { createArticleTables, createTableBehind, hasSameRows } from './article-tables.ts'

/** Maximum number of words of a description in front. */
const maxWords = 80

/** Sections that an article shows as they are: those that warn of all of it, and those that people wrote. */
const whole: ReadonlySet<string> = new Set([sectionKeys.warnings, sectionKeys.analysis, sectionKeys.keyTakeaways])

/** Sections that are not folded: they stand in front, or a report of the result has them: commands, and how to repeat it. */
const { description, environment, setUp, measured } = sectionKeys
const unfolded: ReadonlySet<string> = new Set([...whole, description, environment, setUp, measured])

/**
 * A report in the shape of a published section: finding, description, setting, chart, tables, analysis and trust. What stands
 * behind it is folded at its end.
 * @param tree The whole report, with its comparison with published figures.
 */
export function articleTree(evaluation: Evaluation, tree: ReportTree): ReportTree {
  const of = (wanted: string): readonly Section[] => tree.sections.filter(({ key }) => key === wanted)
  const listBlocks = (wanted: string): readonly Block[] => of(wanted).flatMap(({ blocks }) => blocks)
  const all = tree.sections.flatMap(({ blocks }) => blocks)
  const tables = all.flatMap((block) => (block.kind === 'table' ? [block.table] : []))
  const front = createArticleTables(evaluation, tables)
  const servers = createServerList(evaluation)
  const byRow = [...(servers?.facts ?? [])].map((name) => ({ cells: [name, 'by row'] }))
  const settings = tables.filter(isSettings).map((table) => tableBlock({ ...table, rows: [...table.rows, ...byRow] }))
  const finding = computeFinding(evaluation)
  const chart = all
    .flatMap((block) => (block.kind === 'chart' ? [block.chart] : []))
    .slice(0, 1)
    .map((one): Block => ({ kind: 'chart', chart: { ...one, alt: shortenAlt(one) } }))
  const described = listBlocks(description)
    .flatMap((block) => (block.kind === 'prose' ? [block.markdown] : []))
    .join('\n\n')
  const { text, rest } = splitAfterWords(described)
  const isFolded = (block: Block): boolean =>
    block.kind !== 'chart' &&
    !(block.kind === 'trust' && block.level === 'comparable') &&
    !(block.kind === 'table' && front.some((table) => hasSameRows(table, block.table)))
  const others = tree.sections
    .filter(({ key }) => !unfolded.has(key) && !(key === sectionKeys.thresholds && isHeld(evaluation)))
    .flatMap(({ title, blocks }) => titled(title, blocks.filter(isFolded)))
  const trust = listBlocks(sectionKeys.trust).flatMap((block) =>
    block.kind === 'trust'
      ? [paragraph(`${describeRuns(evaluation)} ${block.summary.replace(/; \d+ remarks?$/, '')}.`, 'aside')]
      : [],
  )
  const remarks = listBlocks(sectionKeys.trust).flatMap((block) =>
    block.kind === 'trust' ? block.warnings.filter(({ level }) => level === 'comparable').map(nameRemark) : [],
  )
  const differing = servers === null ? [] : titled(servers.table.title, [tableBlock(servers.table)])
  const folded = [
    ...prose(rest),
    ...createTableBehind(front, tables).map(tableBlock),
    ...differing,
    ...others,
    ...remarksBlocks(remarks),
  ]
  return {
    ...tree,
    sections: [
      ...of(sectionKeys.warnings),
      // One block, so that a section has few markers. Documents find the settings in it by its key.
      untitled(environment, [...findingBlocks(finding), ...prose(text), ...settings, ...chart]),
      ...front.map((table) => ({ key: findKey(table, tree), title: table.title, blocks: [tableBlock(table)] })),
      ...of(sectionKeys.analysis),
      ...of(sectionKeys.keyTakeaways),
      untitled(measured, [
        ...(trust.length === 0 ? listBlocks(measured) : trust),
        ...(folded.length === 0 ? [] : [{ kind: 'folded', summary: 'Figures behind these', blocks: folded } as const]),
      ]),
    ].filter(({ blocks }) => blocks.length > 0),
  }
}

/** "Measured 2026-11-23, each row 6 times." */
const describeRuns = ({ result: { startedAt, spec } }: Evaluation): string =>
  `Measured ${startedAt.slice(0, 10)}, each row ${spec.repeat.times === 1 ? 'once' : `${spec.repeat.times} times`}.`

/** The kind of a chart, whose figures stand in the table below it. */
const shortenAlt = ({ picture }: ReportChart): string => `${describeChartKind(picture)} of these figures.`

/** "idle workers 1, 4" */
const nameRemark = ({ name, where }: TrustWarning): string =>
  `${name} ${where.replace(/;.*/, '').replace(/^rows? |(?<=^all) rows$/, '')}`

const remarksBlocks = (remarks: readonly string[]): readonly Block[] =>
  remarks.length === 0 ? [] : [paragraph(`Remarks by row: ${remarks.join('; ')}.`)]

const isHeld = ({ result }: Evaluation): boolean => thresholdVerdicts(result).every(({ verdict }) => verdict === 'held')

const untitled = (key: string, blocks: readonly Block[]): Section => ({ key, title: null, blocks })

const prose = (markdown: string): readonly Block[] => (markdown === '' ? [] : [{ kind: 'prose', markdown }])

const isSettings = ({ columns }: Table): boolean => String(columns.map(({ title }) => title)) === String(settingsHeader)

const findingBlocks = (finding: ReportFinding | null): readonly Block[] =>
  finding === null ? [] : prose(`**${finding.text}: ${finding.ratio}.**`)

/** Blocks below their title, which is no heading where it is folded. */
const titled = (title: string | null, blocks: readonly Block[]): readonly Block[] =>
  title === null || blocks.length === 0 ? blocks : [paragraph(title, 'strong'), ...blocks]

/** The key that a table has in the whole report, by which documents know it. */
const findKey = ({ title }: Table, { sections }: ReportTree): string =>
  sections.find((one) => one.title?.toLowerCase() === title.toLowerCase())?.key ??
  `table-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`.replace(/-$/, '')

/**
 * Splits Markdown after the last sentence that still belongs to the first `maxWords` words. A first sentence that is longer is cut,
 * and is in the rest as a whole. Lists, tables and code are not split.
 */
function splitAfterWords(markdown: string): { readonly text: string; readonly rest: string } {
  const paragraphs = markdown.trim().split(/\n\s*\n/)
  const kept: string[] = []
  let left = maxWords
  for (const [index, own] of paragraphs.entries()) {
    const sentences = isPlain(own) ? own.split(/(?<=[.!?]\)?)\s+(?=[\p{Lu}`"(])/u) : [own]
    const tooMuch = sentences.findIndex((_, end) => countWords(sentences.slice(0, end + 1)) > left)
    const shown = tooMuch < 0 ? sentences : sentences.slice(0, tooMuch)
    if (shown.length > 0) kept.push(shown.join(' '))
    left -= countWords(shown)
    if (tooMuch < 0) continue
    const rest = [sentences.slice(tooMuch).join(' '), ...paragraphs.slice(index + 1)].join('\n\n')
    return { text: kept.length > 0 ? kept.join('\n\n') : cutAfterWords(own), rest }
  }
  return { text: kept.join('\n\n'), rest: '' }
}

/** Whether a paragraph is text alone: neither a list, a table, code, a quotation nor a heading. */
const isPlain = (text: string): boolean => !/^\s*(?:[-*+>|#`~]|\d+[.)]\s)/m.test(text)

const wordsIn = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

const countWords = (texts: readonly string[]): number => texts.flatMap(wordsIn).length

const cutAfterWords = (text: string): string => `${wordsIn(text).slice(0, maxWords).join(' ')} …`
