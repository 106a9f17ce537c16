import { cellText, ratioText, readableNumber } from '../../metrics/format.ts'
import { computeRange } from '../../metrics/statistics.ts'
import { type Block, createListBlocks, paragraph, tableBlock } from '../blocks/block.ts'
import { blocksMarkdown, sectionMarkdown } from '../markdown/render.ts'
import { plainTable, type Table } from '../tables/table.ts'
import {
  type ComparedFigure,
  isBetter,
  isNotMeasured,
  isSame,
  isUnclear,
  isWorse,
  type ResultComparison,
  type Rounds,
  type StretchCounts,
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

/** A comparison as blocks; for a comment, what limits it is folded, and a terminal shows last how verdicts are made. */
export function comparisonBlocks(comparison: ResultComparison, use: ComparisonUse): readonly Block[] {
  const { settings, work, figures, explanations, limits } = comparison
  const changedWork = work.filter((figure) => !isSame(figure))
  const why = explanationLines(explanations)
  const rules = describeComparisonRules(comparison)
  const isOnTerminal = use === 'terminal'
  return [
    paragraph(
      isOnTerminal ? countVerdicts(comparison) : summarizeOutcome(comparison),
      use === 'text' ? 'none' : 'strong',
    ),
    ...(settings === null ? [] : [paragraph(sidesText(settings))]),
    ...(why.length === 0 ? [] : [paragraph('Why, as far as the results show (A → B):'), ...createListBlocks(why)]),
    ...(changedWork.length === 0 ? [] : [tableBlock(createFiguresTable('Work per call of A and B', changedWork))]),
    tableBlock(createFiguresTable('Figures of A and B', figures)),
    ...endings[use](createListBlocks(limits), rules, describeRounds(comparison)),
  ]
}

/** The limits of verdicts and the rules by which they are made, in their order. */
const endings: Readonly<
  Record<ComparisonUse, (limits: readonly Block[], rules: string, rounds: string) => readonly Block[]>
> = {
  text: (limits, rules) => [paragraph(rules), ...limits],
  terminal: (limits, rules, rounds) => [...limits, paragraph(`${rounds} ${rules}`, 'aside')],
  github: (limits, rules) => [foldedRules([...limits, paragraph(rules)])],
}

export const comparisonTable = ({ work, figures }: ResultComparison): Table =>
  createFiguresTable('Figures of A and B', [...work, ...figures])

const foldedRules = (blocks: readonly Block[]): Block => ({
  kind: 'folded',
  summary: 'What limits these verdicts, and how they are made',
  blocks,
})

function sidesText(settings: NonNullable<ResultComparison['settings']>): string {
  const [a, b] = [settings.a, settings.b].map((ofSide) =>
    ofSide.length === 0 ? 'as the spec has it' : ofSide.join(', '),
  )
  return `A: ${a}. B: ${b}.`
}

const groups: readonly (readonly [text: string, holds: (figure: ComparedFigure) => boolean])[] = [
  ['worse', isWorse],
  ['better', isBetter],
  ['the same', isSame],
  ['not measured', (figure) => isNotMeasured(figure) && !isWorse(figure)],
  ['not clear', (figure) => isUnclear(figure) && !isNotMeasured(figure)],
]

/** One sentence on work, where it is known; one on what B is in how many figures; another one on how its rounds belong to those of A. */
export const summarizeOutcome = (comparison: ResultComparison): string =>
  `${countVerdicts(comparison)} ${describeRounds(comparison)}`

const describeRounds = ({ rounds, stretches }: ResultComparison): string =>
  stretches === null ? pairingText(rounds) : stretchesText(stretches)

function countVerdicts({ work, figures }: ResultComparison): string {
  const counts = groups.flatMap(([text, holds]) => {
    const count = figures.filter(holds).length
    return count === 0 ? [] : [`${text} in ${count}`]
  })
  const figuresText = figures.length === 1 ? '1 metric' : `${figures.length} metrics`
  return `${summarizeWork(work)}Of ${figuresText}, B is ${listed(counts)}.`
}

function summarizeWork(work: ResultComparison['work']): string {
  if (work.length === 0) return ''
  const [more, less] = [work.filter(isWorse).length, work.filter(isBetter).length]
  if (more + less === 0) return `B does the same work per call as A, by ${work.length} counts. `
  const counts = [
    ...(more > 0 ? [`more work per call in ${more}`] : []),
    ...(less > 0 ? [`less work per call in ${less}`] : []),
  ]
  return `B does ${listed(counts)} of ${work.length} counts. `
}

function stretchesText({ rounds, pairs, seconds, leadInSeconds }: StretchCounts): string {
  const [ofPairs, ofRounds] = [`${pairs} ${pairs === 1 ? 'pair' : 'pairs'}`, rounds === 1 ? 'once' : `${rounds} times`]
  return `A and B ran in alternating stretches of ${readableNumber(seconds)} s: ${ofPairs}, with both started anew ${ofRounds}; the first ${readableNumber(leadInSeconds)} s of a stretch are not measured.`
}

const pairingTexts: Readonly<Record<Exclude<Rounds, StretchRounds>, string>> = {
  unpaired: 'A and B were measured apart, so the time of day may explain a difference.',
  paired: 'A and B ran in turn, and are compared round by round.',
  sequential:
    'A and B ran in turn, round after round until it was clear or the budget was spent, and are compared round by round.',
}

type StretchRounds = 'stretches' | 'sequential stretches' | 'budgeted stretches'

const isOfStretches = (rounds: Rounds): rounds is StretchRounds => rounds.endsWith('stretches')

function pairingText([first, ...others]: readonly Rounds[]): string {
  if (first === undefined || isOfStretches(first)) return ''
  return others.length === 0
    ? pairingTexts[first]
    : 'Some specs were measured apart in A and B, so the time of day may explain a difference there.'
}

const listed = (texts: readonly string[]): string =>
  [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter((text) => text !== '').join(' and ')

function createFiguresTable(heading: string, figures: ResultComparison['figures']): Table {
  const severalSpecs = new Set(figures.map(({ spec }) => spec)).size > 1
  return plainTable<ComparedFigure>(
    heading,
    [
      ...(severalSpecs ? [{ title: 'Spec', cell: ({ spec }: ComparedFigure) => spec }] : []),
      ...(figures.some(({ row }) => row !== '') ? [{ title: 'Row', cell: ({ row }: ComparedFigure) => row }] : []),
      { title: 'Metric', cell: ({ title }) => title },
      { title: 'A', cell: ({ figureA, digits }) => cellText(figureA, digits) },
      { title: 'B', cell: ({ figureB, digits }) => cellText(figureB, digits) },
      { title: figures.some(hasInterval) ? 'B / A of means (95 % interval)' : 'B / A', cell: intervalText },
      { title: 'Verdict', cell: verdictText },
    ],
    figures,
  )
}

const hasInterval = ({ interval }: ComparedFigure): boolean => interval !== null

function intervalText({ ratio, interval }: ComparedFigure): string {
  if (ratio === null) return ''
  return interval === null
    ? ratioText(ratio)
    : `${ratioText(ratio)} (${ratioText(interval.low)} to ${ratioText(interval.high)})`
}

function verdictText(figure: ComparedFigure): string {
  if (isNotMeasured(figure)) return figure.verdict.text
  if (isWorse(figure)) return 'worse'
  return isBetter(figure) ? 'better' : figure.verdict.text
}

function describeComparisonRules({ figures, smallestEffect, rounds, stretches }: ResultComparison): string {
  const runs = `${runsText(figures.map(({ a }) => a.length))} in A and ${runsText(figures.map(({ b }) => b.length))} in B`
  const effect = readableNumber(smallestEffect * 100)
  const method = rounds.map((kind) => methodTexts[kind]).join('')
  const isMixed = method !== '' && rounds.includes('unpaired')
  const ratios = figures.some(hasInterval)
    ? 'B / A is the ratio of their geometric means, which may differ from the ratio of the columns; without an interval it is the ratio of the columns. '
    : ''
  return `The columns A and B show the ${stretches === null ? 'runs' : 'rounds'} together, as their reports do: ${runs}. ${ratios}${isMixed ? 'Where A and B ran in turn: ' : ''}${method}Differences below ${effect} % are ignored. Verdicts are corrected for multiple comparisons (Holm, 5 %); intervals are not.`
}

/** Both are in how rounds differ. */
const levelsText =
  'The stretches of a round are one value of each side, so that what differs from start to start is in the intervals; rounds are paired'

const methodTexts: Readonly<Record<Rounds, string>> = {
  unpaired: '',
  paired: 'Rounds are paired (Student’s t). ',
  sequential:
    'Rounds are paired, by the always-valid t test of Wang and Ramdas (2023), whose error rate and intervals hold over all looks together. ',
  stretches: `${levelsText} (Student’s t). `,
  'sequential stretches': `${levelsText}, by the always-valid t test of Wang and Ramdas (2023) with a fifth of the error rate, over all looks together; the rest is for the last look, had the budget been spent. `,
  'budgeted stretches': `${levelsText} (Student’s t), with four fifths of the error rate: the looks before the budget was spent had the rest. `,
}

function runsText(counts: readonly number[]): string {
  const { min, max } = computeRange(counts)
  return min === max ? String(min) : `${min} to ${max}`
}
