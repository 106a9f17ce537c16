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
import { type BsonDocument, isInt32 } from '../../../language/values/bson-types.ts'

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

/** The kind of a scalar value. Numbers have the types of the server (`promoteValues: false`). */
export function determineScalarKind(value: unknown): Kind {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return isInt32(value) ? 'int' : 'double'
  if (typeof value === 'bigint' || value instanceof Long) return value instanceof Timestamp ? 'other' : 'long'
  if (value instanceof Int32) return 'int'
  if (value instanceof Double) return 'double'
  if (value instanceof Decimal128) return 'decimal'
  if (value instanceof Date) return 'date'
  if (value instanceof ObjectId) return 'objectId'
  // Any 16 bytes count as a UUID: drivers use the subtypes 3, 4 and 0.
  if (value instanceof Binary) return value.position === 16 ? 'uuid' : 'binary'
  return 'other'
}

/** A value as a number, for ranges. Undefined for NaN, infinities, and kinds without an order. */
export function toComparableNumber(value: unknown): number | bigint | undefined {
  if (value instanceof Timestamp) return undefined
  if (value instanceof Long) return value.toBigInt()
  if (typeof value === 'bigint') return value
  const number =
    value instanceof Int32 || value instanceof Double
      ? value.value
      : value instanceof Decimal128
        ? Number(value.toString())
        : value instanceof Date
          ? value.getTime()
          : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

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
export const standInFor = (value: unknown): Json =>
  standIns.find(([type]) => value instanceof (type as typeof Timestamp))?.[1] ?? null

/** A value as JSON for a spec (Extended JSON where needed), which keeps its type. */
export function literal(value: unknown): Json {
  if (value === null || value === undefined || value instanceof DBRef) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (value instanceof Int32) return value.value
  if (value instanceof Double && !Number.isInteger(value.value) && Number.isFinite(value.value)) return value.value
  if (typeof value === 'number' && (isInt32(value) || !Number.isInteger(value)) && Number.isFinite(value)) return value
  if (Array.isArray(value)) return value.map(literal)
  if (determineScalarKind(value) === 'other' && standInFor(value) === null) return literalFields(value as BsonDocument)
  return EJSON.serialize(value, { relaxed: value instanceof Date }) as Json
}

/** A document as JSON for a spec. */
export const literalFields = (fields: BsonDocument): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, literal(value)]))
