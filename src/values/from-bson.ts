import { deserialize, Double, Int32, Long, Timestamp } from 'bson'
import { asDouble, type BsonDocument, isDocument } from './bson-types.ts'
import { isGuarded, isInternal } from './keys.ts'

/**
 * Reads a document of BSON into the values that specs compute with: see `NumberValue`. The bytes are read here, for what the
 * driver decodes is of classes of its own. Fields with the name of a guarded word are left out: what a server has stored may
 * get into a filter or a pipeline, and nobody has allowed what would come of it.
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
  const fields = Object.entries(value).filter(([key]) => !isGuarded(key) && !isInternal(key))
  return Object.freeze(Object.fromEntries(fields.map(([key, item]) => [key, asValue(item)])))
}
