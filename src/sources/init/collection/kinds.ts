import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  EJSON,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson'
import { type Json, type JsonObject } from '../../../core/json.ts'
import { type BsonDocument, isDocument, isInt32 } from '../../../language/values/bson-types.ts'

/** Scalar BSON types, as far as generators distinguish them. */
export type Kind =
  | 'boolean'
  | 'int'
  | 'long'
  | 'double'
  | 'decimal'
  | 'date'
  | 'string'
  | 'objectId'
  | 'uuid'
  | 'binary'
  | 'other'

const primitives: ReadonlyMap<string, Kind> = new Map([
  ['string', 'string'],
  ['boolean', 'boolean'],
  ['bigint', 'long'],
])
/** A timestamp is a `Long` too. */
const classes: readonly (readonly [type: unknown, kind: Kind])[] = [
  [Timestamp, 'other'],
  [Long, 'long'],
  [Int32, 'int'],
  [Double, 'double'],
  [Decimal128, 'decimal'],
  [Date, 'date'],
  [ObjectId, 'objectId'],
]

const findClass = <Result>(list: readonly (readonly [unknown, Result])[], value: unknown): Result | undefined =>
  list.find(([type]) => value instanceof (type as typeof Timestamp))?.[1]

/** The kind of a scalar value. Numbers have the types of the server (`promoteValues: false`). */
export function determineScalarKind(value: unknown): Kind {
  if (typeof value === 'number') return isInt32(value) ? 'int' : 'double'
  // Any 16 bytes count as a UUID: drivers use the subtypes 3, 4 and 0.
  if (value instanceof Binary) return value.position === 16 ? 'uuid' : 'binary'
  return primitives.get(typeof value) ?? findClass(classes, value) ?? 'other'
}

/** A value as a number, for ranges. Undefined for NaN, infinities, and kinds without an order. */
export function toComparableNumber(value: unknown): number | bigint | undefined {
  if (value instanceof Timestamp) return undefined
  if (value instanceof Long) return value.toBigInt()
  const isMeasure = [Int32, Double, Date, Decimal128].some((type) => value instanceof type)
  const number = isMeasure ? Number(value instanceof Decimal128 ? value.toString() : value) : value
  return typeof number === 'bigint' || Number.isFinite(number) ? (number as number | bigint) : undefined
}

const measured: Readonly<Partial<Record<Kind, (measure: number) => Json>>> = {
  date: (measure) => literal(new Date(Math.round(measure))),
  int: Math.round,
  long: (measure) => ({ $numberLong: BigInt(Math.round(measure)).toString() }),
  decimal: (measure) => ({ $numberDecimal: String(measure) }),
}

/** The value of a kind that `toComparableNumber` makes this number of, as JSON for a spec. */
export const fromComparableNumber = (kind: Kind, measure: number): Json =>
  (measured[kind] ?? ((double) => literal(new Double(double))))(measure)

/** Placeholders for types that no generator draws. */
const standIns: readonly (readonly [type: unknown, json: Json])[] = [
  [Timestamp, { $timestamp: { t: 1, i: 1 } }],
  [BSONRegExp, { $regularExpression: { pattern: 'a', options: '' } }],
  [Code, { $code: 'a' }],
  [BSONSymbol, { $symbol: 'a' }],
  [MinKey, { $minKey: 1 }],
  [MaxKey, { $maxKey: 1 }],
]

/** A placeholder of the same type, null where there is none. */
export const standInFor = (value: unknown): Json => findClass(standIns, value) ?? null

/** A value as JSON for a spec (Extended JSON where needed), which keeps its type. */
export function literal(value: unknown): Json {
  if (value instanceof DBRef) return null
  if (Array.isArray(value)) return value.map(literal)
  if (isDocument(value)) return literalFields(value)
  return plainNumber(value) ?? (EJSON.serialize(value ?? null, { relaxed: value instanceof Date }) as Json)
}

/** A number that JSON holds without losing its type: an int32, or one with a fraction. */
function plainNumber(value: unknown): number | undefined {
  const number = value instanceof Int32 || value instanceof Double ? value.value : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  const isPlain = !Number.isInteger(number) || (isInt32(number) && !(value instanceof Double))
  return isPlain ? number : undefined
}

export const literalFields = (fields: BsonDocument): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, literal(value)]))
