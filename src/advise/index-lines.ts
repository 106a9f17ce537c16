import { readableNumber } from '../metrics/format.ts'
import { formatEffect, largestOverlooked } from '../statistics/verdict-text.ts'
import { type CollectionAdvice, type IdleIndex, type RejectedIndex } from './advise-on-collection.ts'
import { type Candidate, formatKey } from './candidate.ts'
import { findReads, type MeasuredAdvice } from './measure.ts'
import { type Place } from './place.ts'
import { type AcceptedAdvice, isAccepted, isAcceptedDrop } from './read-advice.ts'

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
    ...create.map((one) => `create ${sayIndex(one)}: ${sayWorth(one)}; ${formatSize(one.megabytes)}`),
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
  if (seen === 0) return '; all are faster with this advice'
  if (seen === Infinity) return '; whether one is slower was measured too briefly to tell'
  return seen <= largestOverlooked
    ? `; none is slower without it (one above ${formatEffect(seen)} would have shown)`
    : `; cannot tell whether one is slower (only above ${formatEffect(seen)} would it have shown)`
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
