import { deserialize, Double, Int32, Long, Timestamp } from 'bson'
import { asDouble, type BsonDocument, isDocument } from './bson-types.ts'
import { isGuarded, isInternal } from './keys.ts'

/**
 * Reads a BSON document into the values that specs compute with: see `NumberValue`. The bytes are decoded here because the
 * driver has its own classes for BSON types. Fields with a guarded name are left out: a stored value may become part of a
 * filter or a pipeline, and no one has allowed the operator there.
 */
export const fromBson = (bytes: Uint8Array): BsonDocument =>
  asValue(deserialize(bytes, { promoteValues: false, promoteBuffers: false, bsonRegExp: true })) as BsonDocument

function asValue(value: unknown): unknown {
  if (value instanceof Int32) return value.value
  // A timestamp is a `Long` too.
  if (value instanceof Long && !(value instanceof Timestamp)) return value.toBigInt()
  if (value instanceof Double) return asDouble(value.value)
  if (Array.isArray(value)) return Object.freeze(value.map(asValue))
  if (!isDocument(value)) return value
  // Frozen, like all values that calls share.
  const fields = Object.entries(value).filter(([key]) => !isGuarded(key) && !isInternal(key))
  return Object.freeze(Object.fromEntries(fields.map(([key, item]) => [key, asValue(item)])))
}
