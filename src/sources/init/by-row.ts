import { type Json } from '../../core/json.ts'
import { type DrawContext } from './draws.ts'
import { type Kind } from './kinds.ts'
import { type Stretch, type Trend } from './order.ts'
import { isoDate } from './scalar-draws.ts'
import { type Scalars } from './shape.ts'

const row = { '@row': {} }
/** Digits of a row number: those of the last row, or of a billion. */
const maxDigits = 9

/**
 * A value by row, for fields that follow the order of insertion. Undefined if its type has none.
 * @param groups How many different values there are, where they repeat.
 */
export function valueByRow(
  kind: Kind,
  { min, max, allWhole, totalBytes, count }: Scalars,
  { falls, jitter }: Trend,
  groups: Json | undefined,
  { parameter, documents, sampled }: DrawContext,
): Json | undefined {
  const rows = { '@param': parameter }
  const isExact = jitter * sampled < 1
  const around = Number(jitter.toPrecision(2))
  const moved: Json = isExact
    ? row
    : { '@add': [row, { '@multiply': [rows, { '@double': { min: -around, max: around } }] }] }
  const place = groups === undefined ? moved : { '@floor': { '@multiply': [moved, { '@divide': [groups, rows] }] } }
  if (kind === 'string') {
    if (falls || !isExact || groups !== undefined) return undefined
    const length = Math.round(totalBytes / count)
    const digits = Math.min(length, maxDigits)
    return { '@concat': ['a'.repeat(length - digits), { '@padStart': [row, digits, '0'] }] }
  }
  const span = Number(max) - Number(min)
  const isCounter = isExact && !falls && allWhole && Math.abs(span / documents - 1) < 0.02
  const start = falls ? Number(max) : Number(min)
  const grown = (from: Json): Json => ({
    '@add': [from, { '@multiply': [place, { '@divide': [falls ? -span : span, groups ?? rows] }] }],
  })
  switch (kind) {
    case 'date':
      return { '@toDate': grown({ '@toLong': { $date: isoDate(start) } }) }
    case 'int':
      return isCounter ? { '@add': [start, row] } : { '@toInt': grown(start) }
    case 'long':
      return { '@toLong': isCounter ? { '@add': [start, row] } : grown(start) }
    case 'double':
      return {
        '@toDouble': isCounter ? { '@add': [start, row] } : allWhole ? { '@floor': grown(start) } : grown(start),
      }
    default:
      return undefined
  }
}

/** Chooses by row what each stretch of the collection chooses. */
export function choiceByRow(
  [first, ...rest]: readonly Stretch[],
  choose: (counts: readonly number[]) => Json,
  parameter: string,
): Json {
  if (!first) return null
  if (rest.length === 0) return choose(first.counts)
  const share = Number((first.until / (rest.at(-1)?.until ?? 1)).toPrecision(4))
  const until = { '@multiply': [share, { '@param': parameter }] }
  return { '@cond': [{ '@lt': [row, until] }, choose(first.counts), choiceByRow(rest, choose, parameter)] }
}
