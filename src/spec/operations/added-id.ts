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
  if (document instanceof EncodedValue) return isSet(document, findId(document))
  const { [idKey]: id } = document as { readonly [idKey]?: unknown }
  return id !== undefined && id !== null
}

/** The offset of the `_id`. Below 0: there is none. */
const findId = ({ type, writer, start }: EncodedValue): number =>
  type === bsonType.document ? fieldAt(writer.bytes, start, idKey) : -1

const isSet = ({ writer }: EncodedValue, at: number): boolean => at >= 0 && writer.bytes[at] !== bsonType.null

/**
 * Adds a new `_id` at the end of a document that has none, as drivers do. It must be what was written last.
 * @returns The same value where there is nothing to add.
 */
export function withId(document: EncodedValue): EncodedValue {
  const { type, writer, start, end } = document
  const at = findId(document)
  if (type !== bsonType.document || isSet(document, at)) return document
  const bytesOfNull = at < 0 ? 0 : keyBytes(idKey)
  if (bytesOfNull > 0) writer.bytes.copyWithin(at, at + bytesOfNull, end)
  writer.at = end - 1 - bytesOfNull
  const typeAt = writer.beginElement(idKey)
  writer.bytes[typeAt] = bsonType.objectId
  writer.copy(ObjectId.generate())
  writer.endDocument(start)
  return new EncodedValue(type, writer, start, writer.at)
}
