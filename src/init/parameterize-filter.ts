import { BSONRegExp, Double } from 'bson'
import { type Json, type JsonObject } from '../json.ts'
import { type BsonDocument, isDocument, isOperators } from '../values/bson-types.ts'
import { isUsableKey } from '../values/keys.ts'
import { kindOf, literal, measureOf } from './kinds.ts'
import { findPlace, type Place } from './places.ts'
import { type Shape } from './shape.ts'

/** Thrown if the values of a query cannot be parameterized. The message completes the note "Operations left out because …". */
export class CannotParameterize extends Error {}

/** Replaces the values of queries on one collection by generators. */
export type Parameterizer = {
  readonly root: Shape
  /** Name for `of`; undefined if there is only one data set. */
  readonly of: string | undefined
  /** Called with every path that a query uses. */
  readonly ask: (path: string) => void
  /** A value of a picked document, replaced by a drawn one where it is null. */
  readonly orDrawn: (value: Json, place: Place, path: string) => Json
  /** A generated value like an example that does not occur in the sample. */
  readonly like: (value: unknown) => Json
}

/** A filter whose values are replaced by values of generated documents. */
export function parameterizeFilter(filter: BsonDocument, parameterizer: Parameterizer, prefix = ''): JsonObject {
  const entries = Object.entries(filter).map(([key, condition]): readonly [string, Json] => {
    if (!isUsableKey(key)) throw new CannotParameterize(`they use the key "${key}"`)
    if (key === '$and' || key === '$or' || key === '$nor')
      return [key, (condition as BsonDocument[]).map((part) => parameterizeFilter(part, parameterizer, prefix))]
    if (key.startsWith('$')) throw new CannotParameterize(`they use "${key}"`)
    return [key, parameterizeCondition(condition, prefix + key, parameterizer)]
  })
  return Object.fromEntries(entries)
}

function parameterizeCondition(condition: unknown, path: string, parameterizer: Parameterizer): Json {
  if (condition instanceof BSONRegExp) throw new CannotParameterize('they use "$regex"')
  if (!isOperators(condition)) return drawAt(path, condition, parameterizer)
  const window = parameterizeRange(condition, path, parameterizer)
  if (window !== undefined) return window
  return Object.fromEntries(
    Object.entries(condition).map(([operator, operand]) => [
      operator,
      parameterizeOperand(operator, operand, path, parameterizer),
    ]),
  )
}

const compared: ReadonlySet<string> = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'])
const listed: ReadonlySet<string> = new Set(['$in', '$nin', '$all'])
/** Operators whose operands are not values of a document. */
const structural: ReadonlySet<string> = new Set(['$exists', '$type', '$size', '$mod'])

function parameterizeOperand(operator: string, operand: unknown, path: string, parameterizer: Parameterizer): Json {
  if (compared.has(operator)) return drawAt(path, operand, parameterizer)
  if (listed.has(operator) && Array.isArray(operand)) return drawMany(path, operand, parameterizer)
  if (structural.has(operator)) return literal(operand)
  if (operator === '$not') return parameterizeCondition(operand, path, parameterizer)
  if (operator === '$elemMatch' && isDocument(operand))
    return isOperators(operand)
      ? parameterizeCondition(operand, path, parameterizer)
      : parameterizeFilter(operand, parameterizer, `${path}.`)
  throw new CannotParameterize(`they use "${operator}"`)
}

const known = (path: string, { root, ask }: Parameterizer): Place | undefined => {
  const place = findPlace(root, path)
  if (place) ask(path)
  return place
}

const pathOf = (name: string, steps: readonly string[]): Json => ({ '@var': [name, ...steps].join('.') })

const ofThis = ({ of }: Parameterizer): JsonObject => (of === undefined ? {} : { of })

/** The value that a picked document has at a path. */
function drawAt(path: string, example: unknown, parameterizer: Parameterizer): Json {
  if (example === null) return null
  if (path === '_id') return { '@key': ofThis(parameterizer) }
  const place = known(path, parameterizer)
  // An array in the filter compares with the whole array of the document.
  const steps = place && Array.isArray(example) && place.steps.at(-1) === '0' ? place.steps.slice(0, -1) : place?.steps
  if (!place || !steps) return parameterizer.like(example)
  const value = pathOf('like', steps)
  return place.isOptional && !Array.isArray(example) ? parameterizer.orDrawn(value, place, path) : value
}

/** Values of as many picked documents as there are examples. */
function drawMany(path: string, examples: readonly unknown[], parameterizer: Parameterizer): Json {
  const size = Math.max(1, examples.length)
  if (path === '_id') return { '@array': { size, of: { '@key': ofThis(parameterizer) } } }
  const place = known(path, parameterizer)
  if (!place) return { '@array': { size, of: parameterizer.like(examples[0] ?? null) } }
  const [field = ''] = place.steps
  const input = { '@array': { size, of: { '@document': { ...ofThis(parameterizer), project: { [field]: 1 } } } } }
  return { '@map': { input, as: 'one', in: pathOf('one', place.steps) } }
}

const windows = 10
const lower: ReadonlySet<string> = new Set(['$gt', '$gte'])
const upper: ReadonlySet<string> = new Set(['$lt', '$lte'])

/** A range of the same width, anywhere between the minimum and the maximum of the sample. */
function parameterizeRange(condition: BsonDocument, path: string, parameterizer: Parameterizer): Json | undefined {
  const [from, to, ...others] = Object.entries(condition).toSorted(
    ([a], [b]) => Number(upper.has(a)) - Number(upper.has(b)),
  )
  if (!from || !to || others.length > 0 || !lower.has(from[0]) || !upper.has(to[0])) return undefined
  const [first, last] = [measureOf(from[1]), measureOf(to[1])]
  const kind = kindOf(from[1])
  const seen = known(path, parameterizer)?.shape.scalars.get(kind)
  if (first === undefined || last === undefined || seen?.min === undefined) return undefined
  const width = Number(last) - Number(first)
  const room = Math.max(0, Number(seen.max) - Number(seen.min) - width)
  const values = Array.from({ length: windows }, (_, i) => {
    const start = Number(seen.min) + (room * i) / (windows - 1)
    return { [from[0]]: ofKind(kind, start), [to[0]]: ofKind(kind, start + width) }
  })
  return { '@choice': { values } }
}

function ofKind(kind: ReturnType<typeof kindOf>, measure: number): Json {
  if (kind === 'date') return literal(new Date(Math.round(measure)))
  if (kind === 'int') return Math.round(measure)
  if (kind === 'long') return { $numberLong: BigInt(Math.round(measure)).toString() }
  if (kind === 'decimal') return { $numberDecimal: String(measure) }
  return literal(new Double(measure))
}
