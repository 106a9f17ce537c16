import { Double, EJSON, Int32, Long } from 'bson'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { asDouble, byValue, isBsonValue, isInt32 } from './bson-types.ts'

type Check = (content: Json) => boolean

const text =
  (pattern: RegExp): Check =>
  (content) =>
    typeof content === 'string' && pattern.test(content)

const whole =
  (bits: number): Check =>
  (content) =>
    text(/^-?\d{1,20}$/)(content) && BigInt(content as string) === BigInt.asIntN(bits, BigInt(content as string))

const uint32: Check = (content) =>
  Number.isInteger(content) && (content as number) >= 0 && (content as number) < 2 ** 32

const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (content) =>
    isObject(content) &&
    Object.keys(content).length === Object.keys(fields).length &&
    Object.entries(fields).every(([key, check]) => Object.hasOwn(content, key) && check(content[key] ?? null))

const milliseconds: Check = (content) => whole(64)(content) && Math.abs(Number(content)) <= 8.64e15
const isoDate: Check = (content) => text(/^\d{4}-\d\d-\d\d/)(content) && Number.isFinite(Date.parse(content as string))
const noNull = /^[^\0]*$/

/**
 * Type wrappers of Extended JSON, each with a check of its content: bson reads invalid content as 0 or NaN. An object with
 * exactly one such key is a value. `$regex` is not among them: it is the query operator.
 */
const wrappers: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['$oid', text(/^[0-9a-f]{24}$/i)],
  ['$date', (content) => isoDate(content) || object({ $numberLong: milliseconds })(content)],
  ['$uuid', text(/^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i)],
  ['$binary', object({ base64: text(/^[0-9A-Za-z+/]*={0,2}$/), subType: text(/^[0-9a-f]{1,2}$/i) })],
  ['$numberInt', whole(32)],
  ['$numberLong', whole(64)],
  ['$numberDouble', text(/^(-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|-?Infinity|NaN)$/i)],
  ['$numberDecimal', text(/./)],
  ['$regularExpression', object({ pattern: text(noNull), options: text(noNull) })],
  ['$timestamp', object({ t: uint32, i: uint32 })],
  ['$minKey', (content) => content === 1],
  ['$maxKey', (content) => content === 1],
  ['$code', text(/^/)],
  ['$symbol', text(/^/)],
])

/** Whether a key is that of a type wrapper of Extended JSON, such as `$oid`. */
export const isWrapperKey = (key: string): boolean => wrappers.has(key)

/** Whether an object is a type wrapper of Extended JSON, such as `{"$oid": "…"}`. */
export function isWrapper(value: JsonObject): boolean {
  const keys = Object.keys(value)
  return keys.length === 1 && wrappers.has(keys[0] ?? '')
}

/**
 * Converts a type wrapper to its value.
 * @throws {Error} when the content does not fit the type: the caller adds the path.
 */
export function unwrap(value: JsonObject): unknown {
  const [[type, content] = ['', null]] = Object.entries(value)
  if (!wrappers.get(type)?.(content)) throw new Error(`"${type}" cannot hold ${JSON.stringify(content).slice(0, 60)}`)
  const read: unknown = EJSON.deserialize(value, { relaxed: false })
  if (read instanceof Int32) return read.value
  if (read instanceof Long && type === '$numberLong') return read.toBigInt()
  if (read instanceof Double) return asDouble(read.value)
  return read
}

/** Converts Extended JSON to values, without evaluating expressions: the input of static functions. */
export function fromJson(value: Json): unknown {
  if (typeof value === 'number') return byValue(value)
  if (Array.isArray(value)) return value.map(fromJson)
  if (!isObject(value)) return value
  if (isWrapper(value)) return unwrap(value)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fromJson(item)]))
}

/** Converts a value to Extended JSON, as a plain number where that is read as the same type again. */
export function toJson(value: unknown): Json {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return isPlain(Number(value)) ? Number(value) : { $numberLong: value.toString() }
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(toJson)
  // Dates as people write them, ISO 8601; everything else in its canonical form.
  if (isBsonValue(value)) return EJSON.serialize(value, { relaxed: value instanceof Date }) as Json
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item)]))
}

/** Whether a plain number of this size is an int64. */
const isPlain = (value: number): boolean => Number.isSafeInteger(value) && !isInt32(value)
