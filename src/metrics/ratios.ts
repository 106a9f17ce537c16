import { computeInterval, pairedRatio, type RatioInterval, type Round } from '../statistics/estimate.ts'
import { inBrackets, unclearText } from '../statistics/verdict-text.ts'
import { type ComparisonVerdict, computeVerdicts } from '../statistics/verdict.ts'
import { type Address } from './address.ts'
import { numberText } from './format.ts'
import { type Row, listScopes } from './rows.ts'

/** A ratio of two rows, judged together with others. */
export type JudgedRatio = {
  /** The mean of the rounds where they are enough for an interval, else that of the cells. Null: it was not compared. */
  readonly ratio: number | null
  /** The ends of the 95 % interval. Null if there are too few rounds for one. */
  readonly low: number | null
  readonly high: number | null
  readonly verdict: ComparisonVerdict['kind']
  /** All of it as a clause. */
  readonly text: string
}

/** Rounds of two rows. */
export type NamedRounds = {
  readonly rounds: readonly Round[]
  /** The ratio of what tables show of the two rows. */
  readonly ofCells: number
  /** What texts call their measure, without an article: "queries per second". */
  readonly noun?: string
  /** Where the client was the bottleneck, so that the ratio of the servers may be another one. Default: in none. */
  readonly clientLimited?: 'both rows' | 'one row'
}

/**
 * The rounds of two rows: their values in runs of the same number, which ran soon after each other.
 * Null if there are none, or if a value is 0, which has no ratio.
 * @param row The row whose values are divided.
 * @param base The row by whose values they are divided.
 */
export function pairRounds(row: Row, base: Row, address: Address): readonly Round[] | null {
  const [dividends, divisors] = [valuesByRun(row, address), valuesByRun(base, address)]
  const rounds = [...dividends].flatMap(([run, b]) => {
    const a = divisors.get(run)
    return a === undefined ? [] : [{ a, b }]
  })
  return rounds.length > 0 && rounds.every(({ a, b }) => a > 0 && b > 0) ? rounds : null
}

function valuesByRun(row: Row, address: Address): ReadonlyMap<number, number> {
  const { column } = address
  if (!('value' in column)) return new Map()
  return new Map(
    listScopes(row, address).flatMap((scope) => {
      const value = column.value(scope)
      return value === null ? [] : [[scope.variant.run, value] as const]
    }),
  )
}

/** Judges ratios together: over all of them, a difference is seen where there is none in at most 5 % of reports. */
export function judgedRatios(all: readonly NamedRounds[]): readonly JudgedRatio[] {
  const verdicts = computeVerdicts(all.map(({ rounds }) => ({ estimate: pairedRatio(rounds), better: 'higher' })))
  return verdicts.map((verdict, index) => judgedRatio(verdict, all[index]))
}

function judgedRatio(verdict: ComparisonVerdict, named: NamedRounds = { rounds: [], ofCells: 1 }): JudgedRatio {
  const { kind } = verdict
  const figures = kind === 'no verdict' ? { ratio: named.ofCells, low: null, high: null } : verdict.interval
  return { ...figures, verdict: kind, text: formatClause(verdict, figures.ratio, named) }
}

/** A ratio that is not judged, because a row of it does not compare. */
export const notCompared = (reason: string): JudgedRatio => ({
  ratio: null,
  low: null,
  high: null,
  verdict: 'no verdict',
  text: `not compared (${reason})`,
})

/** The interval of the rounds by themselves. Null if they are too few. */
export function intervalOfRounds(rounds: readonly Round[]): RatioInterval | null {
  const estimate = pairedRatio(rounds)
  return estimate.kind === 'too few rounds' ? null : computeInterval(estimate)
}

function formatClause(
  verdict: ComparisonVerdict,
  ratio: number,
  { noun, clientLimited, rounds, ofCells }: NamedRounds,
): string {
  const named = (phrase: string): string => (noun === undefined ? '' : ` ${phrase}${noun}`)
  const share = isSmall(ratio) ? named('of the ') : ` times${named('the ')}`
  // Cells are no means of rounds, so their ratio may be another one.
  const method = isOfCells(verdict, ratio, ofCells) ? [] : [`mean of ${rounds.length} rounds`]
  const limit = clientLimited === undefined ? [] : [limitTexts[clientLimited]]
  switch (verdict.kind) {
    case 'higher':
    case 'lower':
      return `${factorText(ratio)}${share}${inBrackets([intervalText(verdict.interval, factorText), ...method, ...limit])}`
    case 'same':
      return `the same${named('')} within ${Number((verdict.within * 100).toPrecision(2))} %${inBrackets([...method, ...limit])}`
    case 'cannot tell':
      return unclearText(verdict.couldHaveSeen, named('in '), limit)
    case 'no verdict':
      return `about ${factorText(ratio)}${share}${inBrackets([`too few rounds for a verdict: ${verdict.moreRounds} more`, ...limit])}`
  }
}

/** Whether two cells show that ratio too: to a part in a hundred, or within what counts as the same. */
function isOfCells(verdict: ComparisonVerdict, ratio: number, ofCells: number): boolean {
  const [shown, within] = verdict.kind === 'same' ? [1, verdict.within] : [ratio, 0.01]
  return Math.abs(Math.log(ofCells / shown)) <= Math.log1p(within)
}

const limitTexts = {
  'both rows': 'limited by the client',
  'one row': 'one side limited by the client',
} as const satisfies Readonly<Record<NonNullable<NamedRounds['clientLimited']>, string>>

/** "3.1 to 3.7": the ends have as many decimals as the ratio. */
export const intervalText = ({ ratio, low, high }: RatioInterval, textOf = decimalText): string =>
  `${textOf(low, ratio)} to ${textOf(high, ratio)}`

/** "1/119 of" is easier to read than "0.0084 times"; of larger ratios it would hide too much. */
const isSmall = (factor: number): boolean => factor > 0 && factor < 0.05

const factorText = (factor: number, like = factor): string =>
  isSmall(like) ? `1/${Math.round(1 / factor)}` : decimalText(factor, like)

/** Two decimals around 1, where a few percent matter, fewer for larger factors, and two digits of small ones. */
const decimalText = (factor: number, like: number): string => numberText(factor, countDecimals(like))

function countDecimals(factor: number): number {
  if (factor > 0 && factor < 0.1) return Math.ceil(-Math.log10(factor)) + 1
  return factor < 2 ? 2 : factor < 10 ? 1 : 0
}
