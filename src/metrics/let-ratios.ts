import { type Json } from '../core/json.ts'
import { asExpression, expressionsIn } from '../language/expression.ts'
import { type Address, parseAddress } from './address.ts'
import { clientCpu } from './limited-by/client-cpu.ts'
import { limitOfMost } from './limited-by/index.ts'
import { type JudgedRatio, judgedRatios, type NamedRounds, notCompared, pairRounds } from './ratios.ts'
import { computeFigure, type Row, listScopes } from './rows.ts'
import { type Shape } from './scope.ts'
import { type At, findSibling } from './siblings.ts'

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

/** Whether a value of `let` is a ratio, so that texts can state it. */
export const isRatio = (node: Json | undefined): boolean => ratioIn(node) !== null

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
