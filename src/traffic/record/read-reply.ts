import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { createDigest, type Digest } from '../recording/digest.ts'
import { type RecordedReply } from '../recording/recorded-call.ts'
import { type WireMessage } from './read-message.ts'

type Fields = { -readonly [Field in keyof RecordedReply]: RecordedReply[Field] } & { readonly upsertedIds: string[] }

const reader = new FieldReader()
const inner = new FieldReader()
const innermost = new FieldReader()
let newDigest = createDigest

/**
 * Reads what a recording keeps of a reply.
 * @param bytes Size of the message as it was sent.
 * @param digests What digests documents.
 * @throws {MalformedBson} where it is no BSON.
 */
export function readReply(message: WireMessage, bytes: number, digests: () => Digest = createDigest): RecordedReply {
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

/** Null: it is none. */
function count(field: FieldReader): number | null {
  const number = field.number()
  return Number.isSafeInteger(number) && number >= 0 ? number : null
}

function readCursor(reply: Fields): void {
  if (reader.type !== bsonType.document) return
  inner.openValueOf(reader)
  while (inner.next()) {
    if (inner.is('id') && inner.type === bsonType.int64) reply.cursor = inner.bytes.readBigInt64LE(inner.start)
    else if (inner.type === bsonType.array && (inner.is('firstBatch') || inner.is('nextBatch')))
      digestItems(reply, inner)
  }
}

/** The document of a `findAndModify`, or the values of a `distinct`. */
function readValues(reply: Fields): void {
  if (reader.type === bsonType.array) digestItems(reply, reader)
  else if (reader.is('value'))
    digestAll(reply, (digest) => (reader.type === bsonType.document ? digestOne(digest, reader) : 0))
}

const digestItems = (reply: Fields, array: FieldReader): void =>
  digestAll(reply, (digest) => {
    innermost.openValueOf(array, bsonType.array)
    let items = 0
    for (; innermost.next(); items++) digestOne(digest, innermost)
    return items
  })

function digestOne(digest: Digest, { bytes, start, end }: FieldReader): number {
  digest.add(bytes, start, end)
  return 1
}

function digestAll(reply: Fields, add: (digest: Digest) => number): void {
  const digest = newDigest()
  reply.documents = add(digest)
  reply.digest = digest.value()
}

/** Write errors, of which the first one counts, or the ids of upserted documents. */
function readItems(reply: Fields): void {
  if (reader.type !== bsonType.array) return
  inner.openValueOf(reader, bsonType.array)
  while (inner.next()) {
    if (inner.type !== bsonType.document) continue
    innermost.openValueOf(inner)
    while (innermost.next()) {
      if (innermost.is('code') && reply.code === 0) reply.code = count(innermost) ?? 0
      else if (innermost.is('_id')) addId(reply, innermost)
    }
  }
}

function readParts(reply: Fields): void {
  if (reader.type !== bsonType.document) return
  inner.openValueOf(reader)
  while (inner.next()) {
    if (inner.is('code') && reply.code === 0) reply.code = count(inner) ?? 0
    else if (inner.is('upserted')) addId(reply, inner)
    else if (inner.is('n') && reader.is('lastErrorObject')) reply.n = count(inner)
  }
}

function addId(reply: Fields, { type, bytes, start, end }: FieldReader): void {
  if (type === bsonType.objectId) reply.upsertedIds.push(bytes.toString('hex', start, end))
}
