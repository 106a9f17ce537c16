import { types } from 'node:util'
import { bsonType } from './types.ts'

/** Types of what drivers have classes for, by the names that each version of BSON gives them. */
const classTypes: ReadonlyMap<unknown, number> = new Map([
  ['ObjectId', bsonType.objectId],
  ['ObjectID', bsonType.objectId],
  ['Double', bsonType.double],
  ['Int32', bsonType.int32],
  ['Long', bsonType.int64],
  ['Decimal128', bsonType.decimal128],
  ['Binary', bsonType.binary],
  ['BSONRegExp', bsonType.regex],
])

const primitiveTypes: ReadonlyMap<string, number> = new Map([
  ['string', bsonType.string],
  ['number', bsonType.double],
  ['bigint', bsonType.int64],
  ['boolean', bsonType.boolean],
  ['undefined', bsonType.undefined],
])

/** Goes through the fields of an object as `FieldReader` goes through its bytes, with the types that a driver would send. */
export class ObjectFields {
  type = 0
  readonly #object: object
  /** A sort of a newer driver is a map. */
  readonly #keys: readonly string[]
  #index = -1

  constructor(object: object) {
    this.#object = object
    this.#keys = types.isMap(object) ? [...object.keys()].map(String) : Object.keys(object)
  }

  next(): boolean {
    this.#index += 1
    if (this.#index >= this.#keys.length) return false
    this.type = typeOfValue(this.#value)
    return true
  }

  /** @param maxLength What is beyond is left out. Default: nothing. */
  key(maxLength = Infinity): string {
    return (this.#keys[this.#index] ?? '').slice(0, maxLength)
  }

  text(maxLength = Infinity): string {
    const value = this.#value
    return typeof value === 'string' ? value.slice(0, maxLength) : ''
  }

  /** Opens the document or array at this field. */
  inner(): ObjectFields {
    return new ObjectFields(this.#value as object)
  }

  get #value(): unknown {
    const object = this.#object
    return types.isMap(object) ? object.get(this.key()) : (object as Readonly<Record<string, unknown>>)[this.key()]
  }
}

/** By what a value is, not by its class: test runners have classes of their own. */
function typeOfValue(value: unknown): number {
  if (value === null) return bsonType.null
  if (typeof value !== 'object') return primitiveTypes.get(typeof value) ?? bsonType.code
  const { _bsontype: className } = value as { readonly _bsontype?: unknown }
  if (className !== undefined) return classTypes.get(className) ?? bsonType.minKey
  if (Array.isArray(value)) return bsonType.array
  if (types.isDate(value)) return bsonType.date
  if (types.isRegExp(value)) return bsonType.regex
  return types.isUint8Array(value) ? bsonType.binary : bsonType.document
}
