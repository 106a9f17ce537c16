import { formatQuantity } from '../../core/quantities.ts'
import { cellText } from '../../metrics/format.ts'
import { formatChange, formatEffect, formatRatioChange, largestOverlooked } from '../../statistics/verdict-text.ts'
import { type ComparedFigure, isBetter, isNotMeasured, isSame, isWorse, type ResultComparison } from './comparison.ts'

/** Changes that one sentence names: a reader takes in no more at once. */
const mostNamed = 3

export const sameResult = 'A and B are the same result: there is nothing to compare.'

/** Answers what a comparison found as a person would: what is worse, what is better, and how large any other difference would have to be to show. */
export function answerComparison({ work, figures }: Pick<ResultComparison, 'work' | 'figures'>): string {
  const severalSpecs = new Set(figures.map(({ spec }) => spec)).size > 1
  const all = [...work, ...figures].map((figure) =>
    severalSpecs ? Object.assign({}, figure, { subject: `${figure.spec}, ${figure.subject}` }) : figure,
  )
  const changes = [describeChanges('worse', all.filter(isWorse)), describeChanges('better', all.filter(isBetter))]
  const found = changes.filter((text) => text !== '')
  const others = all.filter(({ verdict }) => !('effect' in verdict))
  const unmeasured = others.filter(isNotMeasured)
  const judged = others.filter(({ verdict }) => verdict.kind !== 'not measured' && verdict.kind !== 'same count')
  const rest = [
    describeUnmeasured(unmeasured, all.length),
    describeUnchanged(judged, found.length > 0),
    describeWork(work),
  ]
  return [...found, ...rest].filter((text) => text !== '').join(' ')
}

/** Counts need no rounds, so that they are the same is known where nothing else is. */
const describeWork = (work: readonly ComparedFigure[]): string =>
  work.length > 0 && work.every(isSame) ? `The work per operation is the same, by ${work.length} counts.` : ''

function describeChanges(kind: 'worse' | 'better', changed: readonly ComparedFigure[]): string {
  if (changed.length === 0) return ''
  const named = changed.toSorted(byDistance).slice(0, mostNamed).map(describeChange)
  const more = changed.length - named.length
  return `B is ${kind}: ${[...named, ...(more === 0 ? [] : [`and ${more} more`])].join('; ')}.`
}

function describeChange({ subject, verdict, figureA, figureB, digits }: ComparedFigure): string {
  switch (verdict.kind) {
    case 'higher':
    case 'lower':
      return `${subject} is ${formatChange(verdict.kind, verdict.interval)}`
    case 'not measured':
      return `${subject} was not measured (${verdict.reasons.join(', ')})`
    default:
      return `${subject} ${cellText(figureB, digits)} instead of ${cellText(figureA, digits)}`
  }
}

function describeUnmeasured(unmeasured: readonly ComparedFigure[], count: number): string {
  if (unmeasured.length === 0) return ''
  const reasons = new Set(unmeasured.flatMap(({ verdict }) => (verdict.kind === 'not measured' ? verdict.reasons : [])))
  const where = unmeasured.length === count ? '' : ` in ${countMetrics(unmeasured.length)}`
  return `Not measured${where}: ${[...reasons].slice(0, mostNamed).join(', ')}. Do not use these figures.`
}

/** @param isRest Whether other metrics have changed. */
function describeUnchanged(judged: readonly ComparedFigure[], isRest: boolean): string {
  if (judged.length === 0) return ''
  const other = isRest ? 'other ' : ''
  if (judged.every(isSame)) {
    const within = judged.flatMap(({ verdict }) => (verdict.kind === 'same' ? formatEffect(verdict.within) : []))
    const same = ['the same', ...within.slice(0, 1)].join(' within ')
    return `No ${other}difference: ${countMetrics(judged.length, 'is', 'are')} ${same}.`
  }
  const detectable = judged.flatMap(({ subject, verdict }) =>
    verdict.kind === 'cannot tell' && verdict.couldHaveSeen < Infinity
      ? [{ subject, effect: verdict.couldHaveSeen }]
      : [],
  )
  const [finest, ...coarser] = detectable.toSorted((one, next) => one.effect - next.effect)
  if (finest === undefined) return describeFewRuns(judged)
  const isFine = finest.effect <= largestOverlooked
  const coarsest = coarser.findLast(({ effect }) => effect > largestOverlooked)
  const sizes = [finest, ...(coarsest === undefined ? [] : [coarsest])].map(
    ({ subject, effect }) => `above ${formatEffect(effect)} in ${subject}`,
  )
  return `${isFine ? `No ${other}difference found: a` : `Cannot tell${isRest ? ' of the others' : ''}: only a`} difference ${sizes.join(', and ')} would have shown.`
}

/** The largest change, where runs are too few for verdicts. */
function describeFewRuns(judged: readonly ComparedFigure[]): string {
  const early = judged.flatMap((figure) =>
    figure.verdict.kind === 'no verdict' ? [{ figure, ...figure.verdict }] : [],
  )
  const [widest] = early.toSorted((one, other) => getDistance(other.figure) - getDistance(one.figure))
  if (widest === undefined) return 'Cannot tell: a metric that is 0 in some runs has no ratio.'
  const { subject, ratio, a, b, rounds } = widest.figure
  const change = ratio === null || ratio === 1 ? 'the same' : formatRatioChange(ratio)
  const count = Math.min(a.length, b.length)
  const needed = count + widest.moreRounds
  const [runs, way] = rounds === 'unpaired' ? (['run', ` (--repeat ${needed})`] as const) : (['round', ''] as const)
  const proof = count === 1 ? `One ${runs} of each side proves` : `${count} ${runs}s of each side prove`
  return `In B, ${subject} is ${change}. ${proof} little: a verdict takes ${needed}${way}.`
}

/** The largest change first. There is no ratio to 0. */
const byDistance = (one: ComparedFigure, other: ComparedFigure): number => getDistance(other) - getDistance(one) || 0

const getDistance = ({ ratio }: ComparedFigure): number => (ratio === null ? Infinity : Math.abs(Math.log(ratio)))

function countMetrics(count: number, one = '', several = ''): string {
  return `${formatQuantity(count, 'metric')} ${count === 1 ? one : several}`.trimEnd()
}
