import { cellText, readableNumber } from '../../metrics/format.ts'
import { minValues } from '../../statistics/change-points.ts'
import { type Block, createListBlocks, paragraph, tableBlock } from '../blocks/block.ts'
import { blocksMarkdown, sectionMarkdown } from '../markdown/render.ts'
import { plainTable, type Table } from '../tables/table.ts'
import {
  type HistoryChange,
  type HistoryFigure,
  type HistoryRun,
  type HistorySeries,
  smallestChange,
} from './history.ts'

/** A history as Markdown, for a terminal or as the comment on a pull request. */
export function historyText(all: readonly HistorySeries[], format: 'text' | 'github'): string {
  const rules = [describeHistoryRules(all)]
  const sections = all.map((series) => ({ title: formatHistoryHeading(series), blocks: seriesBlocks(series, all) }))
  const texts =
    format === 'text'
      ? [...sections.map(({ title, blocks }) => blocksMarkdown([paragraph(title), ...blocks])), blocksMarkdown(rules)]
      : [
          ...sections.map((section) => sectionMarkdown(section)),
          blocksMarkdown([{ kind: 'folded', summary: 'How changes are found', blocks: rules }]),
        ]
  return `${texts.join('\n\n')}\n`
}

/** A history as blocks, for a terminal. */
export const historyBlocks = (all: readonly HistorySeries[]): readonly Block[] => [
  ...all.flatMap((series) => [paragraph(formatHistoryHeading(series), 'strong'), ...seriesBlocks(series, all)]),
  describeHistoryRules(all),
]

export const historyTable = ({ figures }: HistorySeries): Table => createHistoryTable(figures)

function seriesBlocks(series: HistorySeries, all: readonly HistorySeries[]): readonly Block[] {
  const { runs, figures, hash, machine } = series
  const which = all.length > 1 ? `, spec ${hash}, on ${machine}` : ''
  return [
    paragraph(answerHistory(series)),
    ...createListBlocks(changesIn(series).map(({ text }) => text)),
    paragraph(`${countText(runs.length, 'run')}, ${spanText(runs)}${which}.`),
    tableBlock(createHistoryTable(figures)),
  ]
}

const formatHistoryHeading = ({ spec, name }: HistorySeries): string => `History of ${spec} (${name})`

const countText = (count: number, what: string): string => (count === 1 ? `1 ${what}` : `${count} ${what}s`)

function spanText(runs: readonly HistoryRun[]): string {
  const [first, last] = [runs[0], runs.at(-1)]
  if (first === undefined || last === undefined || first === last) return first === undefined ? '' : runText(first)
  return `from ${runText(first)} to ${runText(last)}`
}

/** "2026-11-03 (abc1234)" */
const runText = ({ date, commit }: HistoryRun, at = formatDay(date)): string =>
  commit === null ? at : `${at} (${commit})`

/** "2026-11-03" */
export const formatDay = (date: string): string => date.slice(0, 10)

/** "2026-11-03 14:05 UTC" */
const formatMinute = ({ date }: HistoryRun): string => `${date.slice(0, 16).replace('T', ' ')} UTC`

/** A change of a series as a sentence, worse ones first, the newest first among those. */
export function changesIn({
  runs,
  figures,
}: HistorySeries): readonly { readonly text: string; readonly change: HistoryChange }[] {
  return figures
    .flatMap((figure) =>
      figure.finding.kind === 'changes'
        ? figure.finding.changes.map((change) => ({ change, text: describeChange(figure, change, runs) }))
        : [],
    )
    .toSorted(
      (a, b) => Number(b.change.effect === 'worse') - Number(a.change.effect === 'worse') || b.change.to - a.change.to,
    )
}

/** "batch 10, findOne: p99 (ms) rose by 12 % between 2026-11-03 (abc1234) and 2026-11-04 (def5678), which is worse" */
function describeChange({ row, title }: HistoryFigure, change: HistoryChange, runs: readonly HistoryRun[]): string {
  const { ratio, effect, besides } = change
  const [from, to] = [runs[change.from], runs[change.to]]
  if (from === undefined || to === undefined) return ''
  const what = row === '' ? title : `${row}, ${title}`
  const others = besides.map((name) => `; the ${name} changed there from ${from[name]} to ${to[name]}`)
  return `${what} ${movedText(ratio)} between ${betweenText(from, to)}, which is ${effect}${others.join('')}.`
}

/** The time distinguishes runs of one day. */
function betweenText(from: HistoryRun, to: HistoryRun): string {
  const isOneDay = formatDay(from.date) === formatDay(to.date)
  return [from, to].map((run) => (isOneDay ? runText(run, formatMinute(run)) : runText(run))).join(' and ')
}

const movedText = (ratio: number): string =>
  ratio >= 2
    ? `rose to ${readableNumber(ratio)} times`
    : `${ratio > 1 ? 'rose' : 'fell'} by ${readableNumber(Math.abs(ratio - 1) * 100)} %`

function answerHistory({ runs, figures }: HistorySeries): string {
  const claimed = figures.filter(({ finding }) => finding.kind === 'changes')
  if (runs.length < minValues)
    return `${countText(runs.length, 'run')} so far: changes are looked for from ${minValues} runs on.`
  const changed = claimed.filter(({ finding }) => finding.kind === 'changes' && finding.changes.length > 0).length
  const others = figures.length - claimed.length
  const unknown = others === 0 ? '' : ` ${countText(others, 'metric')} ${others === 1 ? 'has' : 'have'} too few runs.`
  const what = `${changed} of ${countText(claimed.length, 'metric')}`
  return changed === 0
    ? `No change found in ${countText(claimed.length, 'metric')}.${unknown}`
    : `${what} changed:${unknown}`
}

function createHistoryTable(figures: readonly HistoryFigure[]): Table {
  return plainTable<HistoryFigure>(
    'Metrics of all runs',
    [
      ...(figures.some(({ row }) => row !== '') ? [{ title: 'Row', cell: ({ row }: HistoryFigure) => row }] : []),
      { title: 'Metric', cell: ({ title }) => title },
      { title: 'Runs', cell: ({ points }) => points.length },
      { title: 'First', cell: ({ points, digits }) => valueText(points[0], digits) },
      { title: 'Last (interval)', cell: ({ points, digits }) => intervalText(points.at(-1), digits) },
      ...(figures.some(({ finding }) => finding.kind === 'changes')
        ? [{ title: 'Changes', cell: ({ finding }: HistoryFigure) => changesText(finding) }]
        : []),
    ],
    figures,
  )
}

const changesText = (finding: HistoryFigure['finding']): number | string =>
  finding.kind === 'changes' ? finding.changes.length : finding.reason

type Point = HistoryFigure['points'][number]
type Digits = HistoryFigure['digits']

const valueText = (point: Point | undefined, digits: Digits): string =>
  point === undefined ? '' : cellText(point.median, digits)

const intervalText = (point: Point | undefined, digits: Digits): string =>
  point === undefined || point.runs === 1
    ? valueText(point, digits)
    : `${cellText(point.median, digits)} (${cellText(point.low, digits)} to ${cellText(point.high, digits)})`

function describeHistoryRules(all: readonly HistorySeries[]): Block {
  const isSplit = new Set(all.map(({ name, spec }) => `${name} ${spec}`)).size < all.length
  const series = isSplit ? 'Runs on another machine, or of another version of the spec, form a separate series. ' : ''
  const change = `Changes of at least ${readableNumber(smallestChange * 100)} % are found; one in the last two runs is not yet.`
  return paragraph(`${series}${change} How: mongo-perf help baselines`, 'aside')
}
