import { type Address } from '../../metrics/address.ts'
import { type MetricTarget } from '../../metrics/scope.ts'
import { computeRange, ratio } from '../../metrics/statistics.ts'
import { type Objections } from '../../metrics/trust/judge.ts'
import { compareCounts, spareDocuments } from '../../metrics/work.ts'
import {
  type Estimate,
  computeInterval,
  minRounds,
  pairedRatio,
  type Round,
  lookedAtRatio,
  sequentialRatio,
  startsRatio,
  unpairedRatio,
} from '../../statistics/estimate.ts'
import { formatClause, formatFinding } from '../../statistics/verdict-text.ts'
import { computeVerdicts } from '../../statistics/verdict.ts'
import {
  type ComparedFigure,
  type ComparedVerdict,
  isBetter,
  isSame,
  isUnclear,
  isWorse,
  type Rounds,
} from './comparison.ts'
import { type Values } from './values.ts'

export type PlacedValues = { readonly spec: string; readonly row: string; readonly values: Values }

/** Compares all figures together, and puts the worst first. */
export function compareFigures(placed: readonly PlacedValues[], smallestEffect: number): readonly ComparedFigure[] {
  const withKind = (kind: ReturnType<typeof kindOfValues>) => placed.filter((one) => kindOfValues(one) === kind)
  const compared = [
    ...countedFigures(withKind('counts'), smallestEffect),
    ...compareMetrics(withKind('ratios'), smallestEffect),
    ...withKind('zeros').map(figureWithZero),
    ...withKind('not measured').map(figureNotMeasured),
  ]
  return compared.toSorted(
    (one, other) => getFigureRank(one) - getFigureRank(other) || computeHarm(other) - computeHarm(one),
  )
}

function kindOfValues({ values }: PlacedValues): 'counts' | 'ratios' | 'zeros' | 'not measured' {
  const { a, b, measure } = values
  if (measure.address.column.source === 'explain') return 'counts'
  if (isObjected(values)) return 'not measured'
  return [...a, ...b].every((value) => value > 0) ? 'ratios' : 'zeros'
}

/** Compares counts of the work of a call: the same call counts the same whenever it is made, so one run on each side is enough. */
export function countedFigures(placed: readonly PlacedValues[], smallestEffect: number): readonly ComparedFigure[] {
  const figures = placed.map((one): ComparedFigure => {
    const figure = createComparedFigure(one)
    const verdict = verdictOnCounts(one.values, smallestEffect)
    return { ...figure, ratio: ratio(figure.figureB, figure.figureA), interval: null, verdict }
  })
  return figures.map((figure) => judgeKeys(figure, figures))
}

function verdictOnCounts({ a, b, writtenFactor }: Values, smallestEffect: number): ComparedVerdict {
  const change = compareRuns(a, b, smallestEffect)
  if (change === 'same') return { kind: 'same count', text: 'the same' }
  if (compareRuns(a, b, Math.max(smallestEffect, writtenFactor - 1)) === 'same')
    return { kind: 'same count', text: 'no more apart than what A and B wrote' }
  return change === 'more'
    ? { kind: 'counted', effect: 'worse', text: 'more, which is worse' }
    : { kind: 'counted', effect: 'better', text: 'less, which is better' }
}

/** Runs whose counts overlap are the same. */
function compareRuns(a: readonly number[], b: readonly number[], tolerance: number): ReturnType<typeof compareCounts> {
  const [ofA, ofB] = [computeRange(a), computeRange(b)]
  if (compareCounts(ofA.max, ofB.min, tolerance) === 'more') return 'more'
  return compareCounts(ofA.min, ofB.max, tolerance) === 'less' ? 'less' : 'same'
}

/** More keys that spare documents of the same operation are no more work. */
function judgeKeys(figure: ComparedFigure, figures: readonly ComparedFigure[]): ComparedFigure {
  const { spec, row, measure } = figure
  if (!isWorse(figure) || !measure.endsWith('keysExamined')) return figure
  const ofDocuments = measure.replace(/keysExamined$/, 'docsExamined')
  const documents = figures.find((one) => one.measure === ofDocuments && one.spec === spec && one.row === row)
  return documents !== undefined && spareDocuments(getRise(figure), getRise(documents))
    ? { ...figure, verdict: { kind: 'same count', text: 'more keys, for fewer documents' } }
    : figure
}

const getRise = ({ figureA, figureB }: ComparedFigure): number => figureB - figureA

function compareMetrics(placed: readonly PlacedValues[], smallestEffect: number): readonly ComparedFigure[] {
  const rows = placed.map(({ values }) => ({
    estimate: estimates[values.rounds](values),
    better: values.measure.better,
  }))
  const verdicts = computeVerdicts(rows, { smallestEffect })
  // Where all figures are alike in that, it is said once.
  const isMixed = new Set(placed.map(({ values }) => values.rounds)).size > 1
  return placed.flatMap((one, index) => {
    const [estimate, verdict] = [rows[index]?.estimate, verdicts[index]]
    if (estimate === undefined || verdict === undefined) return []
    const interval = estimate.kind === 'too few rounds' ? null : computeInterval(estimate)
    const figure = createComparedFigure(one)
    return {
      ...figure,
      ratio: interval?.ratio ?? ratio(figure.figureB, figure.figureA),
      interval,
      verdict: { ...verdict, text: isMixed ? formatFinding(verdict) : formatClause(verdict) },
    }
  })
}

const estimates: Readonly<Record<Rounds, (values: Values) => Estimate>> = {
  unpaired: ({ a, b }) => unpairedRatio(a, b),
  paired: (values) => pairedRatio(pairRounds(values)),
  sequential: (values) => sequentialRatio(pairRounds(values)),
  turns: (values) => startsRatio(pairRounds(values)),
  'sequential turns': (values) => lookedAtRatio(pairRounds(values), 'early'),
  'budgeted turns': (values) => lookedAtRatio(pairRounds(values), 'last'),
}

const pairRounds = ({ a, b }: Values): readonly Round[] =>
  a.flatMap((ofA, index) => {
    const ofB = b[index]
    return ofB === undefined ? [] : [{ a: ofA, b: ofB }]
  })

const figureWithZero = (placed: PlacedValues): ComparedFigure => ({
  ...createComparedFigure(placed),
  ratio: null,
  interval: null,
  verdict: verdictOnZeros(placed.values),
})

/** The runs of two equal sides fall apart like this in at most 1 of 462 random comparisons, paired rounds in 1 of 32. */
function verdictOnZeros({ a, b, measure: { better } }: Values): ComparedVerdict {
  const [ofA, ofB] = [zerosIn(a), zerosIn(b)]
  if (ofA === 'all' && ofB === 'all') return { kind: 'both 0', text: '0 on both sides' }
  const isClear = [a, b].every(({ length }) => length >= minRounds)
  if (!isClear || ofA === 'some' || ofB === 'some')
    return { kind: 'no ratio', text: 'cannot tell: there is no ratio to 0' }
  const [side, effect] = ofB === 'all' ? ['B', toEffect(better, 'lower')] : ['A', toEffect(better, 'higher')]
  return { kind: 'only zeros', effect, text: `0 in all runs of ${side} alone, which is ${effect}` }
}

/** Other programs that come and go make no more than 5 % of verdicts wrong if the sides take turns, and up to a third if not. */
const findObjection = ({ fault, disturbance }: Objections, rounds: Rounds): string | null =>
  fault ?? (rounds === 'unpaired' ? disturbance : null)

const isObjected = ({ objections: { a, b }, rounds }: Values): boolean =>
  [a, b].some((objections) => findObjection(objections, rounds) !== null)

const figureNotMeasured = (placed: PlacedValues): ComparedFigure => ({
  ...createComparedFigure(placed),
  ratio: null,
  interval: null,
  verdict: verdictOnObjections(placed.values),
})

function verdictOnObjections({ objections, rounds }: Values): ComparedVerdict {
  const [a, b] = [findObjection(objections.a, rounds), findObjection(objections.b, rounds)]
  if (a === null && objections.b.fault !== null)
    return {
      kind: 'not measured',
      effect: 'worse',
      reasons: [`${b} in B alone`],
      text: `not measured, which is worse (${b} in B alone)`,
    }
  const reasons = [...(a === null ? [] : [`${a} in A`]), ...(b === null ? [] : [`${b} in B`])]
  return { kind: 'not measured', reasons, text: `not measured (${reasons.join(', ')})` }
}

const zerosIn = (values: readonly number[]): 'all' | 'none' | 'some' =>
  values.every((value) => value === 0) ? 'all' : values.every((value) => value !== 0) ? 'none' : 'some'

const toEffect = (better: ComparedFigure['better'], found: ComparedFigure['better']): 'better' | 'worse' =>
  better === found ? 'better' : 'worse'

function createComparedFigure({
  spec,
  row,
  values: { a, b, cells, rounds, measure },
}: PlacedValues): Omit<ComparedFigure, 'ratio' | 'interval' | 'verdict'> {
  const { text, address, better } = measure
  return {
    spec,
    row,
    measure: text,
    title: formatAddressTitle(address),
    subject: formatSubject(row, address),
    digits: address.column.digits,
    better,
    rounds,
    a,
    b,
    figureA: cells.a,
    figureB: cells.b,
  }
}

/** From the worst on. A run with 0 may have failed as a whole. */
const ranks: readonly ((figure: ComparedFigure) => boolean)[] = [
  isWorse,
  ({ verdict }) => verdict.kind === 'no ratio',
  isUnclear,
  isSame,
  isBetter,
]

const getFigureRank = (figure: ComparedFigure): number => ranks.findIndex((holds) => holds(figure))

/** How far B is on the worse side, on logarithms. */
function computeHarm({ ratio: value, better }: ComparedFigure): number {
  return Math.log(value ?? 1) * (better === 'lower' ? 1 : -1)
}

/** A metric in a sentence, without its unit: "batch 10, findOne p99". */
function formatSubject(row: string, { column: { title }, target: place }: Address): string {
  const words = title.replace(/ \(.*\)$/, '')
  // Percentiles and short names such as "CPU" keep their letters.
  const noun = /^[A-Z][a-z]/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words
  return [row, `${placeText(place).replace(/: $/, ' ')}${noun}`].filter((text) => text !== '').join(', ')
}

/** An address for readers: "findOne: p99 (ms)". */
export const formatAddressTitle = ({ column, target: place }: Address): string => `${placeText(place)}${column.title}`

function placeText(place: MetricTarget | null): string {
  switch (place?.kind) {
    case undefined:
    case 'storage':
      return ''
    case 'check':
      return `${place.check}: `
    case 'phase':
      return `${place.phase}: `
    case 'operation':
      return `${place.phase} ${place.operation}: `
    case 'step':
      return `${place.phase} ${place.operation} ${place.step}: `
    case 'stream':
      return `${place.phase} ${place.stream}: `
  }
}
