import { ObjectId } from 'bson'
import { EncodedValue } from '../bson/encoded.ts'
import { hasField } from '../bson/skip.ts'
import { bsonType } from '../bson/types.ts'
import { keyBytes } from '../values/size.ts'

const idKey = '_id'
const idBytes = 12

/** An ObjectId with its key, which whoever sends a document adds where it has no `_id`. */
export const addedIdBytes = keyBytes(idKey) + idBytes

/** Whether a document to insert has an `_id` of its own. */
export const hasId = (document: object): boolean =>
  document instanceof EncodedValue
    ? document.type === bsonType.document && hasField(document.writer.bytes, document.start, idKey)
    : (document as { readonly [idKey]?: unknown })[idKey] !== undefined

/** Adds a new `_id` at the end of a document, as drivers do. It must be what was written last. */
export function withId(document: EncodedValue): EncodedValue {
  const { type, writer, start, end } = document
  if (type !== bsonType.document) return document
  writer.at = end - 1
  const typeAt = writer.beginElement(idKey)
  writer.bytes[typeAt] = bsonType.objectId
  writer.copy(ObjectId.generate())
  writer.endDocument(start)
  return new EncodedValue(type, writer, start, writer.at)
}
