import { cellText, ratioText, readableNumber } from '../../metrics/format.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { formatEffect, largestOverlooked } from '../../statistics/verdict-text.ts'
import { type Block, createListBlocks, paragraph, tableBlock } from '../blocks/block.ts'
import { blocksMarkdown, sectionMarkdown } from '../markdown/render.ts'
import { plainTable, type Table } from '../tables/table.ts'
import { sameResult } from './answer.ts'
import {
  type ComparedFigure,
  isBetter,
  isNotMeasured,
  isSame,
  isWorse,
  type ResultComparison,
  type Rounds,
  type TurnCounts,
} from './comparison.ts'
import { explanationLines } from './explanations.ts'

/** Use of a comparison: a page, a terminal, or the comment on a pull request. */
export type ComparisonUse = 'text' | 'terminal' | 'github'

/** A comparison as Markdown. */
export function comparisonText(comparison: ResultComparison, use: ComparisonUse): string {
  const blocks = comparisonBlocks(comparison, use)
  const text = use === 'text' ? blocksMarkdown(blocks) : sectionMarkdown({ title: 'Performance: B against A', blocks })
  return `${text}\n`
}

/** A comparison as blocks. For a comment, what limits its verdicts is folded. */
export function comparisonBlocks(comparison: ResultComparison, use: ComparisonUse): readonly Block[] {
  const { answer, settings, work, figures, explanations } = comparison
  if (answer === sameResult) return [paragraph(answer)]
  const changedWork = work.filter((figure) => !isSame(figure))
  const why = explanationLines(explanations)
  const isComment = use === 'github'
  const tables = (heading: string, compared: readonly ComparedFigure[]): readonly Block[] =>
    use === 'terminal'
      ? narrowTables(heading, compared)
      : [tableBlock(createFiguresTable(heading, compared, isComment))]
  const limits = createListBlocks(comparison.limits)
  const rules = paragraph(describeRules(comparison), 'aside')
  return [
    paragraph(answer, use === 'text' ? 'none' : 'strong'),
    paragraph(`${settings === null ? '' : `${sidesText(settings)} `}${describeMethod(comparison)}`),
    ...(isComment ? [] : limits),
    ...(why.length === 0 ? [] : [paragraph('Why, as far as the results show (A → B):'), ...createListBlocks(why)]),
    ...(changedWork.length === 0 ? [] : tables('Work per operation', changedWork)),
    ...tables('Metrics', figures),
    ...(isComment ? [foldedRules([...limits, rules])] : [rules]),
  ]
}

export const comparisonTable = ({ work, figures }: ResultComparison): Table =>
  createFiguresTable('Metrics', [...work, ...figures])

const foldedRules = (blocks: readonly Block[]): Block => ({
  kind: 'folded',
  summary: 'What limits these verdicts, and how they are made',
  blocks,
})

function sidesText(settings: NonNullable<ResultComparison['settings']>): string {
  const [a, b] = [settings.a, settings.b].map((ofSide) => (ofSide.length === 0 ? 'the spec' : ofSide.join(', ')))
  return `A: ${a}. B: ${b}.`
}

function describeTurns({ rounds, pairs, seconds }: TurnCounts): string {
  const starts = rounds === 1 ? 'one start' : `${rounds} fresh starts`
  return `Each had ${pairs} turns of ${readableNumber(seconds)} s on ${starts}.`
}

const pairingTexts: Readonly<Record<Exclude<Rounds, TurnRounds>, string>> = {
  // The first limit says when.
  unpaired: 'A and B were measured apart.',
  paired: 'A and B ran in turn, and are compared round by round.',
  sequential: 'A and B ran in turn until it was clear or the budget was spent, and are compared round by round.',
}

type TurnRounds = 'turns' | 'sequential turns' | 'budgeted turns'

const isOfTurns = (rounds: Rounds): rounds is TurnRounds => rounds.endsWith('turns')

function describePairing([first, ...others]: readonly Rounds[]): string {
  if (first === undefined || isOfTurns(first)) return ''
  return others.length === 0
    ? pairingTexts[first]
    : 'Some specs were measured apart in A and B, so the time of day may explain a difference there.'
}

type FigureColumn = { readonly title: string; readonly cell: (figure: ComparedFigure) => string }

/** @param isNarrowed Whether a phone may cut columns at the right: the verdict is the first one then. */
function createFiguresTable(heading: string, figures: readonly ComparedFigure[], isNarrowed = false): Table {
  const named = (title: string, cell: FigureColumn['cell']): readonly FigureColumn[] =>
    figures.some((figure) => cell(figure) !== '') ? [{ title, cell }] : []
  const severalSpecs = new Set(figures.map(({ spec }) => spec)).size > 1
  return plainTable(
    heading,
    [
      ...(isNarrowed ? [verdictColumn] : []),
      ...(severalSpecs ? named('Spec', ({ spec }) => spec) : []),
      ...named('Row', ({ row }) => row),
      ...figureColumns(figures),
      ...(isNarrowed ? [] : [verdictColumn]),
      ...named('Remark', (figure) => findRemark(figure) ?? ''),
    ],
    figures,
  )
}

const figureColumns = (figures: readonly ComparedFigure[], prefix = ''): readonly FigureColumn[] => [
  { title: prefix === '' ? 'Metric' : prefix.slice(0, -2), cell: ({ title }) => title.slice(prefix.length) },
  { title: 'A', cell: ({ figureA, digits }) => cellText(figureA, digits) },
  { title: 'B', cell: ({ figureB, digits }) => cellText(figureB, digits) },
  { title: figures.some(({ interval }) => interval !== null) ? 'B / A (95 %)' : 'B / A', cell: intervalText },
]

/** A table for each row, and its remarks below it: a line for each metric, which 80 columns have room for. */
function narrowTables(heading: string, figures: readonly ComparedFigure[]): readonly Block[] {
  const prefix = findSharedPlace(figures)
  const severalSpecs = new Set(figures.map(({ spec }) => spec)).size > 1
  const rows = groupBy(figures, ({ spec, row }) => joinNames([severalSpecs ? spec : '', row]))
  return [...rows].flatMap(([name, those]) => {
    const title: readonly Block[] = name === '' ? [] : [paragraph(`${name}:`)]
    return title.concat(
      tableBlock(plainTable(heading, [...figureColumns(those, prefix), verdictColumn], those)),
      describeRemarks(those),
    )
  })
}

const joinNames = (names: readonly string[]): string => names.filter((name) => name !== '').join(', ')

/** The phase that the titles of all figures begin with: "read: ". */
function findSharedPlace([first, ...others]: readonly ComparedFigure[]): string {
  const place = /^[^:]*: /.exec(first?.title ?? '')?.[0] ?? ''
  return others.every(({ title }) => title.startsWith(place)) ? place : ''
}

/** Says what the mark and word of a verdict leave out. Null: nothing. */
function findRemark({ verdict }: ComparedFigure): string | null {
  switch (verdict.kind) {
    case 'cannot tell':
      return verdict.couldHaveSeen === Infinity
        ? 'too few rounds to show a difference'
        : `a difference above ${formatEffect(verdict.couldHaveSeen)} would have shown`
    case 'not measured':
      return verdict.reasons.join(', ')
    case 'same count':
    case 'no ratio':
      return verdict.text === 'the same' ? null : verdict.text
    default:
      return null
  }
}

/** Equal remarks are one line. */
function describeRemarks(figures: readonly ComparedFigure[]): readonly Block[] {
  const remarks = groupBy(
    figures.filter((figure) => findRemark(figure) !== null),
    (figure) => findRemark(figure) ?? '',
  )
  return createListBlocks(
    [...remarks].map(([remark, those]) => `${those.map(({ subject }) => subject).join('; ')}: ${remark}`),
  )
}

function intervalText({ ratio, interval }: ComparedFigure): string {
  if (ratio === null) return ''
  return interval === null
    ? ratioText(ratio)
    : `${ratioText(ratio)} (${ratioText(interval.low)} to ${ratioText(interval.high)})`
}

const isNoDifference = ({ verdict }: ComparedFigure): boolean =>
  verdict.kind === 'cannot tell' && verdict.couldHaveSeen <= largestOverlooked

/** Verdicts by their mark and word, the first that holds. */
const verdictTexts: readonly (readonly [holds: (figure: ComparedFigure) => boolean, text: string])[] = [
  [isWorse, '▼ worse'],
  [isBetter, '▲ better'],
  [isNotMeasured, '– not measured'],
  [isSame, '= same'],
  [isNoDifference, '= no difference'],
  [({ verdict }) => verdict.kind === 'no verdict', '? too few runs'],
]

const verdictText = (figure: ComparedFigure): string =>
  verdictTexts.find(([holds]) => holds(figure))?.[1] ?? '? cannot tell'

const verdictColumn: FigureColumn = { title: 'Verdict', cell: verdictText }

/** How A and B were measured. */
function describeMethod({ rounds, turns, figures }: ResultComparison): string {
  if (turns !== null) return describeTurns(turns)
  const runs = new Set(figures.flatMap(({ a, b }) => [a.length, b.length]))
  return `${describePairing(rounds)}${runs.size === 1 ? ` Runs on each side: ${[...runs].join('')}.` : ''}`
}

/** How the verdicts were made, in a line: the page has the rest. */
function describeRules({ rounds, smallestEffect }: ResultComparison): string {
  const restarts = rounds.some(isOfTurns) ? 'Intervals include differences between starts. ' : ''
  return `${restarts}Differences below ${readableNumber(smallestEffect * 100)} % are ignored. How verdicts are made: mongo-perf help comparing`
}
