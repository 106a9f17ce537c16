import { ObjectId } from 'bson'
import { keyBytes } from '../../language/values/size-and-hash.ts'
import { EncodedValue } from '../../protocol/bson/encoded.ts'
import { fieldAt } from '../../protocol/bson/skip.ts'
import { bsonType } from '../../protocol/bson/types.ts'

const idKey = '_id'
const idBytes = 12

/** An ObjectId with its key, which whoever sends a document adds where it has no `_id`. */
export const addedIdBytes = keyBytes(idKey) + idBytes

/** Whether a document to insert has an `_id` of its own. A null is none: drivers put another one in its place. */
export function hasId(document: object): boolean {
  if (!(document instanceof EncodedValue)) {
    const { [idKey]: id } = document as { readonly [idKey]?: unknown }
    return id !== undefined && id !== null
  }
  const { type, writer, start } = document
  if (type !== bsonType.document) return false
  const at = fieldAt(writer.bytes, start, idKey)
  return at >= 0 && writer.bytes[at] !== bsonType.null
}

/** Adds a new `_id` at the end of a document, as drivers do. It must be what was written last. */
export function withId(document: EncodedValue): EncodedValue {
  const { type, writer, start } = document
  if (type !== bsonType.document) return document
  writer.at = document.end - 1 - withoutNull(document)
  const typeAt = writer.beginElement(idKey)
  writer.bytes[typeAt] = bsonType.objectId
  writer.copy(ObjectId.generate())
  writer.endDocument(start)
  return new EncodedValue(type, writer, start, writer.at)
}

/** Takes out an `_id` of null. @returns the bytes that it had. */
function withoutNull({ writer, start, end }: EncodedValue): number {
  const at = fieldAt(writer.bytes, start, idKey)
  if (at < 0) return 0
  const bytes = keyBytes(idKey)
  writer.bytes.copyWithin(at, at + bytes, end)
  return bytes
}
