import { type Message, createTemplate } from '../../load/engines/wire/message.ts'
import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { bsonType, fieldAt, int32At } from '../../protocol/bson/types.ts'
import type { BsonWriter } from '../../protocol/bson/writer.ts'
import { bodyOffset } from '../../protocol/wire/frame.ts'
import type { RecordedCall, RecordedSession } from '../recording/recorded-call.ts'
import type { Identities } from './identities.ts'
import { copyLasting, makesExpire } from './without-expiry.ts'

/** Offset of the id of a `getMore`: behind the length of the document, its type and its key. */
const getMoreAt = 4 + 1 + 'getMore'.length + 1
const ids = new FieldReader()
const none: readonly never[] = []

/** Offsets in a command, as a recording has it, at which it names cursors by an int64. */
function cursorOffsets({ name, command }: Pick<RecordedCall, 'name' | 'command'>): readonly number[] {
  if (name === 'getMore') return command[4] === bsonType.int64 ? [getMoreAt] : none
  if (name !== 'killCursors') return none
  const at = fieldAt(command, 0, 'cursors')
  if (at < 0 || command[at] !== bsonType.array) return none
  const start = at + 'cursors'.length + 2
  const offsets: number[] = []
  ids.open(command, start, start + int32At(command, start))
  while (ids.next()) if (ids.type === bsonType.int64) offsets.push(ids.start)
  return offsets
}

/** The cursors that a call continues or kills, by their ids in the recording. */
export const cursorsIn = (call: Pick<RecordedCall, 'name' | 'command'>): readonly bigint[] =>
  cursorOffsets(call).map((at) => call.command.readBigInt64LE(at))

/** Whether a call goes on with what another one has opened. */
export const continuesCursor = ({ name }: Pick<RecordedCall, 'name'>): boolean =>
  name === 'getMore' || name === 'killCursors'

/** The cursors that a call opened, continued or killed in the recording. */
export const listCursors = (call: Pick<RecordedCall, 'name' | 'command' | 'reply'>): readonly bigint[] =>
  continuesCursor(call) ? cursorsIn(call) : call.reply?.cursor ? [call.reply.cursor] : none

/** The server of a replay, as far as messages depend on it. */
export type ServerOfReplay = {
  readonly identities: Identities
  /** Whether it takes numbers of writes that can be retried: a server that stands alone does not. */
  readonly takesRetries: boolean
  /** Whether calls have it delete documents by their age. */
  readonly expires: boolean
}

/** Fields that would make a server wait for a time of another one. */
const clusterTimes = ['afterClusterTime', 'atClusterTime'] as const
/** Maximum size of one document of a message, in bytes. A larger one was sent by the client in a sequence. */
const maxBodyBytes = 16 * 1024 * 1024
/** More than what a message has beside its command. */
const maxBesideBytes = 1024
/** The array of documents of each command that clients send as a sequence. */
const sequences = new Map(Object.entries({ insert: 'documents', update: 'updates', delete: 'deletes' }))

const bare = createTemplate({})
const lengthBytes = 4

/** Writes a recorded call as a message for the server of a replay: with the ids that things have there, and without times of the server of the recording. */
export function writeMessage(call: RecordedCall, server: ServerOfReplay, message: Message): void {
  const { command, session, acknowledged } = call
  const { identities, expires } = server
  const out = message.begin(bare)
  // A long one would be copied each time that the buffer grows.
  out.reserve(command.length + maxBesideBytes)
  const sequence = command.length > maxBodyBytes ? sequenceIn(call) : undefined
  if (!expires && makesExpire(call)) copyLasting(command, 0, command.length, out)
  else copyBody(command, sequence, out)
  if (continuesCursor(call)) replaceCursors(call, identities, out)
  out.element('$db', call.database)
  if (session !== null) writeSession(session, server, out)
  message.endBody()
  if (identities.hasObjectIds) replaceObjectIds(out.bytes, bodyOffset, out.at, identities)
  if (sequence !== undefined) writeSequence(command, sequence, message)
  message.finish(acknowledged)
}

/** A field of a command, from its type to behind its value. */
type Field = { readonly name: string; readonly at: number; readonly start: number; readonly end: number }

function findField(command: Buffer, name: string, type: number): Field | undefined {
  const at = fieldAt(command, 0, name)
  if (at < 0 || command[at] !== type) return undefined
  const start = at + name.length + 2
  return { name, at, start, end: start + command.readInt32LE(start) }
}

function sequenceIn({ name, command }: RecordedCall): Field | undefined {
  const field = sequences.get(name)
  return field === undefined ? undefined : findField(command, field, bsonType.array)
}

function copyBody(command: Buffer, sequence: Field | undefined, out: BsonWriter): void {
  const concern = findConcern(command)
  if (concern === undefined && sequence === undefined) {
    // As a whole, because a part would have to be made a buffer of its own. Its length is written anew, and its end comes later.
    out.at -= lengthBytes
    out.copy(command)
    out.at -= 1
    return
  }
  let from = lengthBytes
  for (const field of [concern, sequence].filter((one) => one !== undefined).toSorted((a, b) => a.at - b.at)) {
    out.copy(command, from, field.at)
    from = field.end
  }
  out.copy(command, from, command.length - 1)
  if (concern !== undefined) writeConcern(command, concern, out)
}

/** They are where they were: nothing before them was left out. */
function replaceCursors(call: RecordedCall, identities: Identities, { bytes }: BsonWriter): void {
  for (const at of cursorOffsets(call))
    bytes.writeBigInt64LE(identities.cursor(call.command.readBigInt64LE(at)) ?? 0n, bodyOffset + at)
}

/** A read concern that has a time. */
function findConcern(command: Buffer): Field | undefined {
  const found = findField(command, 'readConcern', bsonType.document)
  const hasTime = (name: string): boolean => found !== undefined && fieldAt(command, found.start, name) >= 0
  return hasTime(clusterTimes[0]) || hasTime(clusterTimes[1]) ? found : undefined
}

/** The read concern without the times. */
function writeConcern(command: Buffer, { name, start, end }: Field, out: BsonWriter): void {
  const fields = new FieldReader().open(command, start, end)
  const typeAt = out.beginElement(name)
  const concern = out.beginDocument()
  while (fields.next())
    if (!clusterTimes.some((time) => fields.is(time))) out.copy(command, fields.fieldStart, fields.end)
  out.endDocument(concern)
  out.bytes[typeAt] = bsonType.document
}

function writeSession(
  { number, transactionNumber, transaction }: RecordedSession,
  { identities, takesRetries }: ServerOfReplay,
  out: BsonWriter,
): void {
  out.copy(identities.sessionField(number))
  if (transactionNumber === null || (transaction === 'none' && !takesRetries)) return
  out.element('txnNumber', BigInt(transactionNumber))
  if (transaction === 'starts') out.element('startTransaction', true)
  if (transaction !== 'none') out.element('autocommit', false)
}

function writeSequence(command: Buffer, { name, start, end }: Field, message: Message): void {
  const out = message.beginSequence(name)
  const items = new FieldReader().open(command, start, end)
  while (items.next()) out.copy(command, items.start, items.end)
  message.endSequence()
}

const readers: FieldReader[] = []

/** Replaces ids that the server had made by those that it makes here. They have the same length. */
function replaceObjectIds(bytes: Buffer, start: number, end: number, identities: Identities, depth = 0): void {
  const fields = (readers[depth] ??= new FieldReader()).open(bytes, start, end)
  while (fields.next()) {
    if (fields.type === bsonType.objectId) {
      const here = identities.objectId(bytes.toString('hex', fields.start, fields.end))
      if (here !== undefined) bytes.write(here, fields.start, 'hex')
    } else if (fields.type === bsonType.document || fields.type === bsonType.array)
      replaceObjectIds(bytes, fields.start, fields.end, identities, depth + 1)
  }
}
