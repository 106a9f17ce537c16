import { ObjectId } from 'bson'
import { z } from 'zod'
import type { Json } from '../../core/json.ts'
import { value } from '../../language/value-schema.ts'
import type { Draw } from '../../language/values/draw-context.ts'
import { keyBytes } from '../../language/values/size-and-hash.ts'
import { EncodedValue } from '../../protocol/bson/encoded.ts'
import { bsonType, fieldAt } from '../../protocol/bson/types.ts'
import { type OperationContext, defineOperation, optionsCall } from './operation.ts'
import { maxTimeMS } from './options.ts'

const idKey = '_id'
const idBytes = 12

/** An ObjectId with its key, which whoever sends a document adds where it has no `_id`. */
const addedIdBytes = keyBytes(idKey) + idBytes

/** Whether a document to insert has an `_id` of its own. A null is none: drivers put another one in its place. */
function hasId(document: object): boolean {
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
function withId(document: EncodedValue): EncodedValue {
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

export const insertFields = {
  document: value.optional().describe("What to insert. Default: the next row of the collection's data set."),
}

export const insertOptions = {
  forceServerObjectId: z
    .boolean()
    .optional()
    .describe('Whether the server, not the driver, makes the `_id` of documents without one. Default false.'),
  maxTimeMS,
}

/**
 * Documents to insert, each a fresh object: the driver writes the `_id` into what it is given. One that is encoded gets its
 * `_id` here, as engines send it where it stands.
 */
export function compileInsertedDocuments(
  spec: { readonly document?: Json | undefined; readonly forceServerObjectId?: boolean | undefined },
  context: OperationContext,
): Draw {
  const build = spec.document === undefined ? context.rows()?.nextDocument : context.document(spec.document, 'document')
  return (drawContext) => {
    const document = build?.(drawContext) ?? {}
    const isSentHere = document instanceof EncodedValue && !spec.forceServerObjectId
    const sent = isSentHere ? withId(document) : document
    if (sent !== document || (!isSentHere && !hasId(document))) drawContext.bytes += addedIdBytes
    return sent
  }
}

export const insertOne = defineOperation({
  kind: 'insertOne',
  summary: 'Insert one document.',
  fields: { ...insertFields, ...insertOptions },
  reply: 'insert',
  carriesDocuments: true,
  documentsPerCall: () => 1,
  compile(spec, context) {
    const document = compileInsertedDocuments(spec, context)
    const options = optionsCall(spec, Object.keys(insertOptions), context)
    return (drawContext) => {
      const built = options(drawContext)
      drawContext.bytes = 0
      return { document: document(drawContext), options: built }
    }
  },
})
