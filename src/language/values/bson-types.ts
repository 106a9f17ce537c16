import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson'

/**
 * Numbers while a spec runs. An int32 is a whole JS number, an int64 a bigint, a double that happens to be whole a `Double`
 * (the driver would send a bare whole number as int32), any other double a JS number.
 */
export type NumberValue = number | bigint | Double

const int32Limit = 2 ** 31

export const isInt32 = (value: number): boolean => Number.isInteger(value) && value >= -int32Limit && value < int32Limit

/** Marks a whole number as a double, so that the driver sends it as one. */
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

/** Whether a value is a number of any type but decimal128. */
export const isNumber = (value: unknown): value is NumberValue =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Double

/** Converts to a JS number; an int64 beyond 2^53 loses its last bits. */
export const toNumber = (value: NumberValue): number => (value instanceof Double ? value.value : Number(value))

const bsonClasses = [
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Date,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
]

/** Whether a value has a BSON type other than document that is an object in JavaScript. */
export const isBsonValue = (value: unknown): boolean => bsonClasses.some((type) => value instanceof type)

export type BsonDocument = Readonly<Record<string, unknown>>

export const isDocument = (value: unknown): value is BsonDocument =>
  typeof value === 'object' &&
  value !== null &&
  // Nearly all documents are plain objects, which need not be compared with each type.
  (Object.getPrototypeOf(value) === Object.prototype || (!Array.isArray(value) && !isBsonValue(value)))

/** A document of operators alone, such as {"$set": …} or {"$gt": …}. */
export const isOperators = (value: unknown): value is BsonDocument =>
  isDocument(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => key.startsWith('$'))

/** A field of a document, or an element of a list by its index. Undefined where there is none. */
export function getMember(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(step) ? (value as readonly unknown[])[Number(step)] : undefined
  return isDocument(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

/**
 * All values at a path, as the server understands paths: a step into a list goes into each of its documents, or to the
 * element of that number; a list at the end gives its elements. None where the path does not exist.
 */
export function valuesAt(value: unknown, steps: readonly string[]): readonly unknown[] {
  const [step, ...rest] = steps
  if (step === undefined) return Array.isArray(value) ? value : [value]
  if (Array.isArray(value)) {
    const element: unknown = /^\d+$/.test(step) ? value[Number(step)] : undefined
    const ofDocuments = value.filter(isDocument).flatMap((item) => valuesAt(item, steps))
    return element === undefined ? ofDocuments : [...valuesAt(element, rest), ...ofDocuments]
  }
  return isDocument(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest) : []
}
