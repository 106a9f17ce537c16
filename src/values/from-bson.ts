import { deserialize, Double, Int32, Long, Timestamp } from 'bson'
import { asDouble, type BsonDocument, isDocument } from './bson-types.ts'

/**
 * Reads a document of BSON into the values that specs compute with: see `NumberValue`. The bytes are read here, for what the
 * driver decodes is of classes of its own.
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
  // Frozen, like all values that are there once for many calls.
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asValue(item)])))
}
