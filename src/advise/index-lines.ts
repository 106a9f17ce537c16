import { readableNumber } from '../metrics/format.ts'
import { type ComparedFigure, isBetter, isWorse } from '../report/comparison/comparison.ts'
import { unclearText } from '../statistics/verdict-text.ts'
import { type AdvisedIndex, type CollectionAdvice, type IdleIndex, type RejectedIndex } from './advise-on-collection.ts'
import { type Advice } from './advise.ts'
import { type Candidate, formatKey } from './candidate.ts'
import { mayHelp } from './count-candidates.ts'
import { type JudgedIndex } from './idle-indexes.ts'
import { type MeasuredAdvice } from './measure.ts'
import { type Place } from './place.ts'
import { type AcceptedAdvice, isAccepted, isAcceptedDrop } from './read-advice.ts'

/** Formats a share: "1/26", "83 %". @param like The share in whose form it is. Default: itself. */
export const formatShare = (share: number, like = share): string =>
  like < 1 / 2 && share < 1 ? `1/${readableNumber(1 / Math.max(share, 1e-9))}` : `${readableNumber(100 * share)} %`

export function formatRatio({ ratio, interval }: Pick<ComparedFigure, 'ratio' | 'interval'>): string {
  if (ratio === null) return 'not known'
  if (interval === null) return formatShare(ratio)
  return `${formatShare(ratio)} (${formatShare(interval.low, ratio)} to ${formatShare(interval.high, ratio)})`
}

/** The reads that could use an index, as they were measured. */
const findReads = (index: Candidate, { shapes }: CollectionAdvice, { p50 }: MeasuredAdvice) =>
  shapes.flatMap((shape) => {
    const figure = mayHelp(index, shape) ? p50.get(shape.group) : undefined
    return figure === undefined ? [] : [{ name: shape.name, figure }]
  })

/** Keeps the indexes without which a read was measured to be slower, although it does no more work. */
export function keepMissed(advice: Advice, measured: MeasuredAdvice): Advice {
  const collections = advice.collections.map((one) => {
    const missed = one.drop.flatMap((index): readonly JudgedIndex[] => {
      const slower = findReads(index.index, one, measured).find(({ figure }) => isWorse(figure))
      if (slower === undefined) return []
      const because = `without it, the p50 of ${slower.name} was measured as ${formatRatio(slower.figure)} of today's`
      return [{ ...index, because }]
    })
    const drop = one.drop.filter(({ name }) => !missed.some((index) => index.name === name))
    return Object.assign({}, one, { drop, keep: one.keep.concat(missed) })
  })
  return { ...advice, collections }
}

/** Indexes that are not worth it and that get a line. */
const maxNotWorth = 3

/** Says what to do with each index of a collection, and why, in one line each. */
export function describeIndexes(
  advice: CollectionAdvice,
  {
    measured,
    accepted,
    data,
  }: {
    readonly measured: MeasuredAdvice | undefined
    readonly accepted: AcceptedAdvice
    readonly data: Place['data']
  },
): readonly string[] {
  const { create, drop, keep, notWorth, today } = advice
  const work = data === 'made up' ? 'the work' : "today's work"
  const toShare = (part: number): string => formatPercent(part / Math.max(1, today))
  const sayWorth = ({ saves, costs }: RejectedIndex): string =>
    `saves ${toShare(saves)} of ${work}${costs === 0 ? '' : ` and costs writes ${toShare(costs)}`}`
  const sayGain = ({ costs }: IdleIndex): string => (costs === 0 ? '' : `; saves writes ${toShare(costs)} of ${work}`)
  const sayKnown = (isKnown: boolean): string => (isKnown ? ` (as in ${accepted.file})` : '')
  const sayIndex = (one: Candidate): string => `${formatIndex(one)}${sayKnown(isAccepted(one, accepted))}`
  const untold = notWorth.length - maxNotWorth
  return [
    ...create.map(
      (one) => `create ${sayIndex(one)}: ${sayWorth(one)}; ${formatSize(one.megabytes)}${sayAlone(one, measured)}`,
    ),
    ...drop.map(
      (one) =>
        `drop ${formatIndex(one.index)}${sayKnown(isAcceptedDrop(one.name, advice, accepted))}: ${one.because}${sayWithout(one, advice, measured)}${sayGain(one)}; ${formatSize(one.megabytes)}`,
    ),
    ...keep.map(({ index, because }) => `keep ${formatIndex(index)}: ${because}`),
    ...notWorth
      .slice(0, maxNotWorth)
      .map((one) => `not worth it: ${sayIndex(one)}: beside the others it ${sayWorth(one)}`),
    ...(untold > 0 ? [`not worth it: ${untold} more that would save less`] : []),
  ]
}

/** Says what an index alone was measured to bring. Where that is not clearly less, counts decide: noise may hide what they show. */
function sayAlone(index: AdvisedIndex, measured: MeasuredAdvice | undefined): string {
  const figure = measured?.alone.get(index)
  if (figure === undefined) return ''
  const cpu = "the server's CPU for the reads that it helps"
  return isBetter(figure)
    ? `; measured: it cuts ${cpu} to ${formatRatio(figure)}`
    : `; measured: ${cpu} shows no gain, ${formatRatio(figure)}: ${figure.verdict.text}; the counts decide`
}

/** Says how reads do without an index to drop. Empty: none was measured. */
function sayWithout({ index }: IdleIndex, advice: CollectionAdvice, measured: MeasuredAdvice | undefined): string {
  const figures = measured === undefined ? [] : findReads(index, advice, measured)
  const effects = figures.map(({ figure: { verdict } }) => {
    if (verdict.kind === 'same') return verdict.within
    if (verdict.kind === 'cannot tell') return verdict.couldHaveSeen
    return 'effect' in verdict && verdict.effect === 'better' ? 0 : Infinity
  })
  const seen = Math.max(0, ...effects)
  if (figures.length === 0) return ''
  return `; whether reads are slower without it: ${seen === 0 ? 'all are faster with this advice' : unclearText(seen)}`
}

/** A part of the work: what is smaller than 0.1 % is nothing that anyone decides by. */
const formatPercent = (share: number): string =>
  share > 0 && share < 0.001 ? 'less than 0.1 %' : `${readableNumber(100 * share)} %`

const formatSize = (megabytes: number): string =>
  `${megabytes < 0.1 ? `${readableNumber(megabytes * 1024)} KB` : `${readableNumber(megabytes)} MB`} on disk`

function formatIndex({ key, options }: Pick<Candidate, 'key' | 'options'>): string {
  const { partialFilterExpression: condition, ...others } = options
  return [
    formatKey(key),
    ...(condition === undefined ? [] : [`of the documents with ${JSON.stringify(condition)}`]),
    ...Object.entries(others).map(([name, value]) =>
      value === true ? name : `with the ${name} ${JSON.stringify(value)}`,
    ),
  ].join(' ')
}
