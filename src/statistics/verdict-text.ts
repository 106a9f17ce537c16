import { type RatioInterval } from './estimate.ts'

/** One clause about B, such as "12 % higher (8.1 to 16 %), which is worse": it is used in a table, or after the name of B and a colon. */
export function formatFinding(finding: Finding): string {
  const text = formatClause(finding)
  return finding.kind !== 'no verdict' && finding.pairing === 'unpaired' ? `${text}; rounds not paired` : text
}

/** The clause without a remark on pairing, for a table that says once that none of its rows is paired. */
export function formatClause(finding: Finding): string {
  switch (finding.kind) {
    case 'higher':
    case 'lower':
      return `${formatChange(finding.kind, finding.interval)}, which is ${finding.effect}`
    case 'same':
      return `the same within ${percent(finding.within)} %`
    case 'cannot tell':
      return unclearText(finding.couldHaveSeen)
    case 'no verdict':
      return `cannot tell yet (${finding.moreRounds} more ${finding.moreRounds === 1 ? 'round' : 'rounds'} needed)`
  }
}

/** From here on, factors are easier to grasp than percentages: "98 % lower" and "99 % lower" are as far apart as 1 and 2. */
const smallestFactor = 2

/** A change with its interval: "12 % higher (8.1 to 16 %)". All three are on the same side of 1: else there would be no verdict. */
export function formatChange(kind: 'higher' | 'lower', { ratio, low, high }: RatioInterval): string {
  const ends = kind === 'higher' ? [low, high] : [high, low]
  const isFactor = toFactor(ratio) >= smallestFactor
  const [from, to] = ends.map((end) => (isFactor ? twoDigits(toFactor(end)) : percent(Math.abs(end - 1))))
  return `${formatRatioChange(ratio)} (${from} to ${to}${isFactor ? '' : ' %'})`
}

/** A ratio as a change: "12 % lower", "higher by a factor of 3". */
export function formatRatioChange(ratio: number): string {
  const kind = ratio > 1 ? 'higher' : 'lower'
  return toFactor(ratio) >= smallestFactor
    ? `${kind} by a factor of ${twoDigits(toFactor(ratio))}`
    : `${percent(Math.abs(ratio - 1))} % ${kind}`
}

const toFactor = (ratio: number): number => Math.max(ratio, 1 / ratio)

/** Up to here a comparison that found nothing says something; beyond, it says only how coarse it was. A part of A: 0.1 is 10 %. */
export const largestOverlooked = 0.1

/** The size of a change, as a part of what changes: "12 %", "a factor of 2.2". */
export const formatEffect = (effect: number): string =>
  effect + 1 < smallestFactor ? `${percent(effect)} %` : `a factor of ${twoDigits(effect + 1)}`

/**
 * How large an effect would have been found, for a finding that cannot tell.
 * @param of Of what, such as " in operations per second".
 * @param remarks In brackets behind it.
 */
export function unclearText(effect: number, of = '', remarks: readonly string[] = []): string {
  const size = formatEffect(effect)
  if (effect <= largestOverlooked)
    return `no difference found${of}${inBrackets([`one above ${size} would have shown`, ...remarks])}`
  const seen =
    effect === Infinity
      ? 'too few rounds to show a difference'
      : `only a difference${of} above ${size} would have shown`
  return `cannot tell: ${seen}${inBrackets(remarks)}`
}

/** Remarks behind a clause. Empty for none. */
export const inBrackets = (parts: readonly string[]): string => (parts.length === 0 ? '' : ` (${parts.join('; ')})`)

const percent = (share: number): string => twoDigits(share * 100)

/** Whole numbers keep all their digits, with commas from 10,000 on. */
const twoDigits = (value: number): string =>
  value >= 10_000
    ? Math.round(value).toLocaleString('en-US')
    : value >= 10
      ? value.toFixed(0)
      : `${Number(value.toPrecision(2))}`

/** Finding about B against A, without its text. */
export type Finding =
  | {
      /** B is higher or lower than A: significantly so, and estimated to be so by at least the smallest effect. */
      readonly kind: 'higher' | 'lower'
      readonly effect: 'better' | 'worse'
      readonly pairing: Pairing
      /** Interval of 95 % if the error rate is 5 %; for this row alone. */
      readonly interval: RatioInterval
    }
  | {
      /** The whole interval lies within the smallest effect. */
      readonly kind: 'same'
      /** The smallest effect: 0.02 is "the same within 2 %". */
      readonly within: number
      readonly pairing: Pairing
      readonly interval: RatioInterval
    }
  | {
      /** Neither of the above. */
      readonly kind: 'cannot tell'
      /**
       * A part of A: 0.12 is 12 %. An effect of this size would have been found 8 times in 10, if the noise is what was measured.
       * Infinity where so few rounds could not have shown any.
       */
      readonly couldHaveSeen: number
      readonly pairing: Pairing
      readonly interval: RatioInterval
    }
  | {
      readonly kind: 'no verdict'
      /** How many more rounds the first verdict takes, at least 1. */
      readonly moreRounds: number
    }

/** Whether what both sides share cancels. */
type Pairing = 'paired' | 'unpaired'
