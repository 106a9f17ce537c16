import { type Json } from '../core/json.ts'
import { asExpression, expressionsIn } from '../language/expression.ts'
import { computeInterval, pairedRatio, type RatioInterval, type Round } from '../statistics/estimate.ts'
import { inBrackets, unclearText } from '../statistics/verdict-text.ts'
import { type ComparisonVerdict, computeVerdicts } from '../statistics/verdict.ts'
import { type Address, parseAddress } from './address.ts'
import { numberText } from './format.ts'
import { clientCpu } from './limited-by/client-cpu.ts'
import { limitOfMost } from './limited-by/index.ts'
import { type Row, listScopes, computeFigure } from './rows/rows.ts'
import { type At, findSibling } from './rows/siblings.ts'
import { type Shape } from './scope.ts'

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

type NamedRounds = {
  readonly rounds: readonly Round[]
  /** The ratio of what tables show of the two rows. */
  readonly ofCells: number
  /** Name of their measure in texts, without an article: "queries per second". */
  readonly noun?: string
  /** Rows in which the client was the bottleneck, so that the ratio of the servers may be another one. Default: none. */
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
const notCompared = (reason: string): JudgedRatio => ({
  ratio: null,
  low: null,
  high: null,
  verdict: 'no verdict',
  text: `not measured (${reason})`,
})

/** The interval of the rounds by themselves. Null if they are too few. */
export function intervalOfRounds(rounds: readonly Round[]): RatioInterval | null {
  const estimate = pairedRatio(rounds)
  return estimate.kind === 'too few rounds' ? null : computeInterval(estimate)
}

/**
 * The ratio of a row to a base row by itself, as a cell: "3.4 (3.1 to 3.7)", or "about 3.4" where runs are too few for an interval. Null: one of
 * them does not compare, or has no figure.
 */
export function ratioCell(row: Row, base: Row, address: Address, whyNot: WhyNotCompared): string | null {
  if ([row, base].some((each) => whyNot(each, address) !== null || computeFigure(each, address) === null)) return null
  const rounds = pairRounds(row, base, address)
  if (rounds === null) return null
  const interval = intervalOfRounds(rounds)
  if (interval !== null) return `${decimalText(interval.ratio, interval.ratio)} (${intervalText(interval)})`
  const ratio = Number(computeFigure(row, address)) / Number(computeFigure(base, address))
  return `about ${decimalText(ratio, ratio)}`
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
export const decimalText = (factor: number, like: number): string => numberText(factor, countDecimals(like))

function countDecimals(factor: number): number {
  if (factor > 0 && factor < 0.1) return Math.ceil(-Math.log10(factor)) + 1
  return factor < 2 ? 2 : factor < 10 ? 1 : 0
}

/** The argument of `@ratio`. */
export type RatioSpec = {
  readonly of: string
  /** The row whose value is divided. */
  readonly at: At
  /** The row by whose value it is divided. */
  readonly to: At
  readonly noun?: string
}

/** The ratio that a value of `let` is, if it is one. */
export function ratioIn(node: Json | undefined): RatioSpec | null {
  const expression = asExpression(node)
  return expression?.keyword === '@ratio' ? (expression.argument as unknown as RatioSpec) : null
}

/** Why the figures of a row are to be left out of comparisons. Null: they are not. */
export type WhyNotCompared = (row: Row, address: Address) => string | null

type RatioContext = {
  readonly shape: Shape
  readonly rows: readonly Row[]
  readonly varied: readonly string[]
  readonly whyNot: WhyNotCompared
}

/**
 * Judges all ratios of a report's `let` together, each once, however many rows and values read it.
 * @param rows The rows of the result, as variants.
 * @returns Reads the ratio as a row sees it. Null: not measured.
 */
export function judgeRatios(
  lets: readonly (readonly [name: string, value: Json])[],
  context: RatioContext,
): (spec: RatioSpec, row: Row) => JudgedRatio | null {
  const specs = lets.flatMap(([, node]) =>
    expressionsIn(node).flatMap(({ keyword, argument }) =>
      keyword === '@ratio' ? [argument as unknown as RatioSpec] : [],
    ),
  )
  const found = [...new Map(specs.flatMap((spec) => context.rows.flatMap((row) => listEntries(spec, row, context))))]
  const compared = found.flatMap(([key, one]) => ('reason' in one ? [] : [{ key, one }]))
  const judged = judgedRatios(compared.map(({ one }) => one))
  const byKey = new Map([
    ...found.flatMap(([key, one]) => ('reason' in one ? [[key, notCompared(one.reason)] as const] : [])),
    ...compared.map(({ key }, index) => [key, judged[index] ?? null] as const),
  ])
  return (spec, row) => byKey.get(toPairKey(spec, findPair(spec, row, context))) ?? null
}

type Pair = readonly [row: Row | null, base: Row | null]

const findPair = ({ at, to }: RatioSpec, row: Row, { rows, varied }: RatioContext): Pair => [
  findSibling(row, at, rows, varied),
  findSibling(row, to, rows, varied),
]

const toPairKey = ({ of, noun }: RatioSpec, pair: Pair): string =>
  JSON.stringify([of, noun, ...pair.map((row) => row?.variant.row ?? null)])

type Entry = NamedRounds | { readonly reason: string }

/** The sample to judge for a row, or why there is none. */
function listEntries(spec: RatioSpec, row: Row, context: RatioContext): readonly (readonly [key: string, Entry])[] {
  const pair = findPair(spec, row, context)
  const [one, base] = pair
  const { of, noun } = spec
  if (one === null || base === null) return []
  const address = parseAddress(of, context.shape)
  const rounds = pairRounds(one, base, address)
  if (rounds === null) return []
  const [reason] = [one, base].flatMap((each) => context.whyNot(each, address) ?? [])
  if (reason !== undefined) return [[toPairKey(spec, pair), { reason }]]
  const ofCells = Number(computeFigure(one, address)) / Number(computeFigure(base, address))
  const named = { ...(noun !== undefined && { noun }), ...clientLimitedIn([one, base], address) }
  return [[toPairKey(spec, pair), { rounds, ofCells, ...named }]]
}

/** Whether the client was the bottleneck of rows whose throughput is compared. */
function clientLimitedIn(rows: readonly Row[], address: Address): Pick<NamedRounds, 'clientLimited'> {
  const { better, unit } = address.column
  // A share of operations does not depend on how many there are.
  if (better !== 'higher' || unit === '%') return {}
  const limited = rows.filter((row) => limitOfMost(listScopes(row, address))?.name === clientCpu.name)
  if (limited.length === 0) return {}
  return { clientLimited: limited.length === rows.length ? 'both rows' : 'one row' }
}
