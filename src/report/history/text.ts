import { formatQuantity } from '../../core/quantities.ts'
import { cellText, readableNumber } from '../../metrics/format.ts'
import { groupBy } from '../../metrics/statistics.ts'
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

export const historyBlocks = (all: readonly HistorySeries[]): readonly Block[] => [
  ...all.flatMap((series) => [paragraph(formatHistoryHeading(series), 'strong'), ...seriesBlocks(series, all)]),
  describeHistoryRules(all),
]

export const historyTable = ({ figures }: HistorySeries): Table => createHistoryTable(figures)

function seriesBlocks(series: HistorySeries, all: readonly HistorySeries[]): readonly Block[] {
  const { runs, figures, hash, machine } = series
  const which = all.length > 1 ? `, spec ${hash}, on ${machine}` : ''
  return [
    paragraph(`${formatQuantity(runs.length, 'run')}${spanText(runs)}${which}: ${answerHistory(series)}`),
    ...createListBlocks(describeChanges(series)),
    tableBlock(createHistoryTable(figures)),
  ]
}

const formatHistoryHeading = ({ spec, name }: HistorySeries): string => `History of ${spec} (${name})`

function spanText(runs: readonly HistoryRun[]): string {
  const [first, last] = [runs[0], runs.at(-1)]
  if (first === undefined || last === undefined || first === last)
    return first === undefined ? '' : ` of ${runText(first)}`
  return `, ${runText(first)} to ${runText(last)}`
}

/** "2026-11-03 (abc1234)" */
const runText = ({ date, commit }: HistoryRun, at = formatDay(date)): string =>
  commit === null ? at : `${at} (${commit})`

/** "2026-11-03" */
export const formatDay = (date: string): string => date.slice(0, 10)

/** "2026-11-03 14:05 UTC" */
const formatMinute = ({ date }: HistoryRun): string => `${date.slice(0, 16).replace('T', ' ')} UTC`

type Change = { readonly figure: HistoryFigure; readonly change: HistoryChange }

/** The changes of a series as sentences, each with those between the same two runs: the newest first. */
function describeChanges({ runs, figures }: HistorySeries): readonly string[] {
  const changes = figures.flatMap((figure): readonly Change[] =>
    figure.finding.kind === 'changes' ? figure.finding.changes.map((change) => ({ figure, change })) : [],
  )
  const places = [...groupBy(changes, ({ change: { from, to } }) => `${from} ${to}`).values()]
  return places
    .flatMap(([first, ...others]) => (first === undefined ? [] : [{ first, others }]))
    .toSorted((one, other) => other.first.change.to - one.first.change.to)
    .map(({ first, others }) => describePlace([first, ...others], first.change, runs))
}

/** "p99 (ms) rose by 12 % (worse) between 2026-11-03 (abc1234) and 2026-11-04 (def5678), when the server changed from MongoDB 7.0.1 to MongoDB 8.0.4." */
function describePlace(changes: readonly Change[], { from, to, besides }: HistoryChange, runs: readonly HistoryRun[]) {
  const [before, after] = [runs[from], runs[to]]
  if (before === undefined || after === undefined) return ''
  const texts = changes
    .toSorted((one, other) => Number(other.change.effect === 'worse') - Number(one.change.effect === 'worse'))
    .map(
      ({ figure: { row, title }, change: { ratio, effect } }) =>
        `${row === '' ? '' : `${row}, `}${title} ${movedText(ratio)} (${effect})`,
    )
  const others = besides.map((name) => `the ${name} changed from ${changedText(before[name], after[name])}`)
  const cause = others.length === 0 ? '' : `, when ${others.join(' and ')}`
  return `${texts.join('; ')} between ${betweenText(before, after)}${cause}.`
}

/** "MongoDB 7.0.1 to MongoDB 8.0.4": a standalone before and after goes without saying. */
function changedText(before: string, after: string): string {
  const [old, now] = [before.split(/[,;] /), after.split(/[,;] /)] as const
  return `${omit(now, old) || before} to ${omit(old, now) || after}`
}

const omit = (shared: readonly string[], parts: readonly string[]): string =>
  parts.filter((part) => !shared.includes(part)).join(', ')

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
  if (runs.length < minValues)
    return `changes are looked for from ${minValues} runs on, so ${minValues - runs.length} more are needed.`
  const claimed = figures.flatMap(({ finding }) => (finding.kind === 'changes' ? [finding.changes.length] : []))
  const others = figures.length - claimed.length
  const unknown =
    others === 0 ? '' : ` ${formatQuantity(others, 'metric')} ${others === 1 ? 'has' : 'have'} too few runs.`
  const changed = claimed.filter((count) => count > 0).length
  return changed === 0
    ? `no change found in ${formatQuantity(claimed.length, 'metric')}.${unknown}`
    : `${changed} of ${formatQuantity(claimed.length, 'metric')} changed.${unknown} The machine may have changed too: to confirm a change, let both sides take turns (mongo-perf ab).`
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
  const change = `Changes of at least ${readableNumber(smallestChange * 100)} % are found, but not yet in the last two runs.`
  return paragraph(`${series}${change} How: mongo-perf help baselines`, 'aside')
}
