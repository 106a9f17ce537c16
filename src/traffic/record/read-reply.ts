import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { bsonType, int64At } from '../../protocol/bson/types.ts'
import { type Digest, createDigest } from '../recording/digest.ts'
import type { RecordedReply } from '../recording/recorded-call.ts'
import type { WireMessage } from './read-message.ts'

type Fields = { -readonly [Field in keyof RecordedReply]: RecordedReply[Field] } & { readonly upsertedIds: string[] }

const reader = new FieldReader()
const inner = new FieldReader()
const innermost = new FieldReader()
let newDigest = createDigest

/**
 * Reads the parts of a reply that are recorded.
 * @param message Only its document is read.
 * @param bytes Size of the message as it was sent.
 * @param digests Creates the digest of its documents.
 * @throws {MalformedBson} where it is not BSON.
 */
export function readReply(
  message: Pick<WireMessage, 'bytes' | 'document' | 'end'>,
  bytes: number,
  digests: () => Digest = createDigest,
): RecordedReply {
  newDigest = digests
  const reply: Fields = {
    ok: false,
    code: 0,
    n: null,
    nModified: null,
    cursor: null,
    documents: null,
    digest: null,
    upsertedIds: [],
    work: null,
    bytes,
  }
  reader.open(message.bytes, message.document, message.end)
  while (reader.next()) readField(reply)
  return reply
}

function readField(reply: Fields): void {
  if (reader.is('ok')) reply.ok = reader.number() === 1
  else if (reader.is('code')) reply.code = count(reader) ?? 0
  else if (reader.is('n')) reply.n = count(reader)
  else if (reader.is('nModified')) reply.nModified = count(reader)
  else if (reader.is('cursor')) readCursor(reply)
  else if (reader.is('value') || reader.is('values')) readValues(reply)
  else if (reader.is('writeErrors') || reader.is('upserted')) readItems(reply)
  else if (reader.is('writeConcernError') || reader.is('lastErrorObject')) readParts(reply)
}

/** Reads a count. Null: the value is not a count. */
function count(field: FieldReader): number | null {
  const number = field.number()
  return Number.isSafeInteger(number) && number >= 0 ? number : null
}

function readCursor(reply: Fields): void {
  if (reader.type !== bsonType.document) return
  inner.openValueOf(reader)
  while (inner.next()) {
    if (inner.is('id') && inner.type === bsonType.int64) reply.cursor = int64At(inner.bytes, inner.start)
    else if (inner.type === bsonType.array && (inner.is('firstBatch') || inner.is('nextBatch')))
      digestItems(reply, inner)
  }
}

/** Reads the document of a `findAndModify`, or the values of a `distinct`. */
function readValues(reply: Fields): void {
  if (reader.type === bsonType.array) return digestItems(reply, reader)
  if (!reader.is('value')) return
  const digest = newDigest()
  const isDocument = reader.type === bsonType.document
  if (isDocument) digest.add(reader.bytes, reader.start, reader.end)
  reply.documents = isDocument ? 1 : 0
  reply.digest = digest.value()
}

function digestItems(reply: Fields, array: FieldReader): void {
  const digest = newDigest()
  let items = 0
  innermost.openValueOf(array, bsonType.array)
  for (; innermost.next(); items++) digest.add(innermost.bytes, innermost.start, innermost.end)
  reply.documents = items
  reply.digest = digest.value()
}

/** Reads write errors, or the ids of upserted documents. */
function readItems(reply: Fields): void {
  if (reader.type !== bsonType.array) return
  inner.openValueOf(reader, bsonType.array)
  while (inner.next()) {
    if (inner.type !== bsonType.document) continue
    innermost.openValueOf(inner)
    while (innermost.next()) readPart(reply, innermost)
  }
}

/** Reads a write concern error, or what a `findAndModify` did. */
function readParts(reply: Fields): void {
  if (reader.type !== bsonType.document) return
  inner.openValueOf(reader)
  while (inner.next()) readPart(reply, inner)
}

/** Reads a field of any of these. Of several errors, the first one counts. */
function readPart(reply: Fields, field: FieldReader): void {
  if (field.is('code') && reply.code === 0) reply.code = count(field) ?? 0
  else if (field.is('n')) reply.n = count(field)
  else if (field.type === bsonType.objectId && (field.is('_id') || field.is('upserted')))
    reply.upsertedIds.push(field.bytes.toString('hex', field.start, field.end))
}
