import { type Json } from '../../../core/json.ts'
import { sum } from '../../../metrics/statistics.ts'
import { toComparableNumber, type Kind } from '../collection/kinds.ts'
import { type Scalars } from '../collection/shape.ts'
import { type DrawContext } from './draws.ts'
import { isoDate } from './scalar-draws.ts'

/** How the values of a field follow the order of insertion. */
type Trend = {
  readonly falls: boolean
  /** How far a value may be from its place, as a share of all documents. */
  readonly jitter: number
}

/** Rank correlation (Spearman) from which on a field is made by row. */
const minCorrelation = 0.95
/** A smaller sample shows no order. */
const minValues = 20

/** The trend of a column. Undefined if its values do not follow the order of insertion. */
export function detectTrend(column: readonly unknown[]): Trend | undefined {
  const values = column.map(orderable).filter((value) => value !== undefined)
  const ranks = computeRanks(values)
  const n = ranks.length
  const distinct = new Set(ranks).size
  if (n < minValues || distinct < 3 || new Set(values.map((value) => typeof value)).size > 1) return undefined
  for (const falls of [false, true]) {
    const distances = ranks.map((rank, i) => Math.abs((falls ? n - 1 - rank : rank) - i))
    if (1 - (6 * sum(distances.map((each) => each ** 2))) / (n ** 3 - n) <= minCorrelation) continue
    // Equal values share a rank, which is a quarter of their number away from their places.
    const expected = distinct < 0.9 * n ? n / distinct / 4 : 0
    return { falls, jitter: Math.max(0, 2 * (sum(distances) / n - expected)) / n }
  }
  return undefined
}

/** Numbers and dates by size, text and ids by their letters. */
function orderable(value: unknown): number | string | undefined {
  if (value === undefined || value === null || typeof value === 'boolean' || Array.isArray(value)) return undefined
  const measure = toComparableNumber(value)
  return measure === undefined ? String(value) : Number(measure)
}

/** Equal values get the mean of their ranks. */
function computeRanks(values: readonly (number | string)[]): readonly number[] {
  const sorted = [...values.entries()].toSorted(([, a], [, b]) => Number(a > b) - Number(a < b))
  const ranks: number[] = []
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && sorted[to]?.[1] === sorted[from]?.[1]) to++
    for (const [i] of sorted.slice(from, to)) ranks[i] = (from + to - 1) / 2
  }
  return ranks
}

/** Documents in order of insertion up to a number of them, and how often each class occurs there. */
export type Segment = { readonly until: number; readonly counts: readonly number[] }

/** A spec with more conditions is hard to read. */
const maxDepth = 2

/** Splits a column of classes where their shares change; one segment if they do not. */
export function splitIntoSegments(classes: readonly number[], size: number, depth = 0, from = 0): readonly Segment[] {
  const whole = countClasses(classes, size)
  const left = whole.map(() => 0)
  let best = { gain: 0, at: 0 }
  for (const [i, each] of classes.entries()) {
    left[each] = (left[each] ?? 0) + 1
    const gain = computeEntropy(whole) - computeEntropy(left) - computeEntropy(whole.map((n, k) => n - (left[k] ?? 0)))
    if (gain > best.gain) best = { gain, at: i + 1 }
  }
  const isChance = 2 * best.gain < 20 + 5 * size || best.gain < 0.2 * computeEntropy(whole)
  if (isChance || depth === maxDepth) return [{ until: from + classes.length, counts: whole }]
  return [
    ...splitIntoSegments(classes.slice(0, best.at), size, depth + 1, from),
    ...splitIntoSegments(classes.slice(best.at), size, depth + 1, from + best.at),
  ]
}

function countClasses(classes: readonly number[], size: number): readonly number[] {
  const counts = Array.from({ length: size }, () => 0)
  for (const each of classes) counts[each] = (counts[each] ?? 0) + 1
  return counts
}

/** Entropy times the number of values, in nats. */
function computeEntropy(counts: readonly number[]): number {
  const total = sum(counts)
  return sum(counts.map((n) => (n === 0 ? 0 : -n * Math.log(n / total))))
}

/** Fewer documents seem to have related fields at random. */
const minDocuments = 100
const maxLabels = 10
/** Share of one field's entropy that the other explains. */
const minExplained = 0.6

/** The pairs of columns of which one explains the other, such as "status and closedAt". */
export function relatedPairs(columns: ReadonlyMap<string, readonly unknown[]>): readonly string[] {
  const classed = [...columns].flatMap(([path, column]) => ({ path, classes: classifyColumn(column) }))
  const varied = classed.filter(({ classes }) => new Set(classes).size > 1)
  return varied.flatMap((a, i) =>
    varied.slice(i + 1).flatMap((b) => (areRelated(a.classes, b.classes) ? `${a.path} and ${b.path}` : [])),
  )
}

function areRelated(a: readonly number[], b: readonly number[]): boolean {
  const [inA, inB] = [computeEntropy(countClasses(a, maxLabels)), computeEntropy(countClasses(b, maxLabels))]
  const inBoth = computeEntropy(
    countClasses(
      a.map((each, i) => each * maxLabels + (b[i] ?? 0)),
      maxLabels ** 2,
    ),
  )
  // Independent classes explain this much at random (Miller and Madow).
  const chance = ((new Set(a).size - 1) * (new Set(b).size - 1)) / 2
  return inA + inB - inBoth - chance > minExplained * Math.max(0.1 * a.length, Math.min(inA, inB))
}

/** The tenth in which each number is, or the number of each label. Empty for other columns. */
function classifyColumn(column: readonly unknown[]): readonly number[] {
  if (column.length < minDocuments) return []
  const labels = [...new Set(column.map(String))]
  if (labels.length <= maxLabels) return column.map((value) => labels.indexOf(String(value)))
  const measures = column.map(toComparableNumber)
  if (measures.includes(undefined)) return []
  return computeRanks(measures.map(Number)).map((rank) => Math.floor((rank / column.length) * maxLabels))
}

const row = { '@row': {} }
/** Digits of a row number: those of the last row, or of a billion. */
const maxDigits = 9

/** Kinds that a whole number can be made. */
export const wholes: Readonly<Partial<Record<Kind, (number: Json) => Json>>> = {
  int: (number) => number,
  long: (number) => ({ '@toLong': number }),
  double: (number) => ({ '@toDouble': number }),
}

const conversions: Readonly<Partial<Record<Kind, string>>> = {
  date: '@toDate',
  int: '@toInt',
  long: '@toLong',
  double: '@toDouble',
}

/**
 * A value by row, for fields that follow the order of insertion. Undefined if its type has none.
 * @param groups How many different values there are, where they repeat.
 */
export function valueByRow(
  kind: Kind,
  scalars: Scalars,
  trend: Trend,
  groups: Json | undefined,
  context: DrawContext,
): Json | undefined {
  const rises = trend.jitter * context.sampled < 1 && !trend.falls
  if (kind === 'string') return rises && groups === undefined ? textByRow(scalars) : undefined
  const conversion = conversions[kind]
  if (conversion === undefined) return undefined
  const counted = rises ? countByRow(kind, scalars, context) : undefined
  return counted ?? { [conversion]: growByRow(kind, scalars, trend, groups, context) }
}

/** The numbers of the rows, from the first value on. Undefined if values are further apart. */
function countByRow(kind: Kind, { min, max, allWhole }: Scalars, { documents }: DrawContext): Json | undefined {
  const isCounter = allWhole && Math.abs((Number(max) - Number(min)) / documents - 1) < 0.02
  return isCounter ? wholes[kind]?.({ '@add': [Number(min), row] }) : undefined
}

function growByRow(
  kind: Kind,
  { min, max, allWhole }: Scalars,
  { falls, jitter }: Trend,
  groups: Json | undefined,
  { parameter, sampled }: DrawContext,
): Json {
  const rows = { '@param': parameter }
  const moved = jitter * sampled < 1 ? row : { '@add': [row, { '@multiply': [rows, createAround(jitter)] }] }
  const place = groups === undefined ? moved : { '@floor': { '@multiply': [moved, { '@divide': [groups, rows] }] } }
  const [from, to] = falls ? [Number(max), Number(min)] : [Number(min), Number(max)]
  const start = kind === 'date' ? { '@toLong': { $date: isoDate(from) } } : from
  const grown = { '@add': [start, { '@multiply': [place, { '@divide': [to - from, groups ?? rows] }] }] }
  return kind === 'double' && allWhole ? { '@floor': grown } : grown
}

function createAround(jitter: number): Json {
  const around = Number(jitter.toPrecision(2))
  return { '@double': { min: -around, max: around } }
}

/** Text of the mean length that ends with the row. */
function textByRow({ totalBytes, count }: Scalars): Json {
  const length = Math.round(totalBytes / count)
  const digits = Math.min(length, maxDigits)
  return { '@concat': ['a'.repeat(length - digits), { '@padStart': [row, digits, '0'] }] }
}

/** Chooses by row what each segment of the collection chooses. */
export function choiceByRow(
  [first, ...rest]: readonly Segment[],
  choose: (counts: readonly number[]) => Json,
  parameter: string,
): Json {
  if (!first) return null
  if (rest.length === 0) return choose(first.counts)
  const share = Number((first.until / (rest.at(-1)?.until ?? 1)).toPrecision(4))
  const until = { '@multiply': [share, { '@param': parameter }] }
  return { '@cond': [{ '@lt': [row, until] }, choose(first.counts), choiceByRow(rest, choose, parameter)] }
}
