import {
  Binary,
  BSONRegExp,
  Code,
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
import { isObject, type Json, type JsonObject } from '../json.ts'

/**
 * Numbers while a spec runs. An int32 is a whole JS number, an int64 a bigint, a double that happens to be whole a `Double`
 * (the driver would send a bare whole number as int32), any other double a JS number.
 */
export type NumberValue = number | bigint | Double

const int32Limit = 2 ** 31

export const isInt32 = (value: number): boolean => Number.isInteger(value) && value >= -int32Limit && value < int32Limit

/** Keeps a whole double a double on the wire. */
export const asDouble = (value: number): NumberValue => (Number.isInteger(value) ? new Double(value) : value)

/** int32, int64 or double, whichever the value fits first: how a number written in a spec or computed by a function is sent. */
export function byValue(value: number | bigint): NumberValue {
  if (typeof value === 'bigint') {
    if (value >= -2147483648n && value <= 2147483647n) return Number(value)
    return value === BigInt.asIntN(64, value) ? value : asDouble(Number(value))
  }
  if (isInt32(value)) return value === 0 ? 0 : value
  if (Number.isSafeInteger(value)) return BigInt(value)
  return asDouble(value)
}

/** Extended JSON type wrappers: an object with exactly these keys is one value. `$regex` stays the query operator that it is. */
const wrappers = new Set([
  '$oid',
  '$date',
  '$uuid',
  '$binary',
  '$numberInt',
  '$numberLong',
  '$numberDouble',
  '$numberDecimal',
  '$regularExpression',
  '$timestamp',
  '$minKey',
  '$maxKey',
  '$code',
  '$symbol',
])

export function isWrapper(value: JsonObject): boolean {
  const keys = Object.keys(value)
  return keys.length === 1 && wrappers.has(keys[0] ?? '')
}

/** @throws {Error} from bson when the content does not fit the type: the caller says where. */
export function unwrap(value: JsonObject): unknown {
  const read: unknown = EJSON.deserialize(value, { relaxed: false })
  if (read instanceof Int32) return read.value
  if (read instanceof Long) return read.toBigInt()
  if (read instanceof Double) return asDouble(read.value)
  return read
}

/** Extended JSON to values, nothing evaluated: what `@literal` sends, and what static functions work on. */
export function fromJson(value: Json): unknown {
  if (typeof value === 'number') return byValue(value)
  if (Array.isArray(value)) return value.map(fromJson)
  if (!isObject(value)) return value
  if (isWrapper(value)) return unwrap(value)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fromJson(item)]))
}

/** The way back, for the result of a static function. */
export function toJson(value: unknown): Json {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return { $numberLong: value.toString() }
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(toJson)
  if (isBsonValue(value)) return EJSON.serialize(value, { relaxed: false }) as Json
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item)]))
}

const bsonClasses = [
  Binary,
  BSONRegExp,
  Code,
  Date,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  RegExp,
  Timestamp,
]

/** A value of BSON that is an object in JavaScript, and no document. */
export const isBsonValue = (value: unknown): boolean => bsonClasses.some((type) => value instanceof type)

export const isNumber = (value: unknown): value is NumberValue =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Double

/** As a JS number; an int64 beyond 2^53 loses its last bits. */
export const toNumber = (value: NumberValue): number => (value instanceof Double ? value.value : Number(value))
