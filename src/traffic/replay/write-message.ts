import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { fieldAt } from '../../protocol/bson/skip.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { type BsonWriter } from '../../protocol/bson/writer.ts'
import { bodyOffset, writeHeader } from '../../protocol/wire/frame.ts'
import { type RecordedCall, type RecordedSession } from '../recording/recorded-call.ts'
import { cursorOffsets } from './cursors-in.ts'
import { type Identities } from './identities.ts'

/** Fields that would make a server wait for a time of another one. */
const clusterTimes = ['afterClusterTime', 'atClusterTime'] as const
/** What one document of a message may have, in bytes. What is larger, the client had sent in a sequence. */
const maxBodyBytes = 16 * 1024 * 1024
/** The array of documents of each command that clients send as a sequence. */
const sequences: Readonly<Record<string, string>> = { insert: 'documents', update: 'updates', delete: 'deletes' }

/** Abilities of the server of a replay. */
export type Abilities = {
  /** Whether it takes numbers of writes that can be retried: a server that stands alone does not. */
  readonly retries: boolean
}

/**
 * Writes a recorded call as a message for the server of a replay: with the ids that things have there, and without times of the server of the recording.
 * @param out Takes it, from its beginning on.
 * @returns the message: until the next is written there.
 */
export function writeMessage(
  call: RecordedCall,
  { identities, retries }: Abilities & { readonly identities: Identities },
  out: BsonWriter,
): Buffer {
  const { command, session } = call
  out.at = 0
  out.reserve(bodyOffset)
  out.at = bodyOffset
  const sequence = command.length > maxBodyBytes ? sequenceIn(call) : undefined
  const start = out.beginDocument()
  copyBody(command, sequence, out)
  // What is written at its old place: nothing before it was left out.
  for (const at of cursorOffsets(call))
    out.bytes.writeBigInt64LE(identities.cursor(command.readBigInt64LE(at)) ?? 0n, start + at)
  out.element('$db', call.database)
  if (session !== null) writeSession(session, { identities, retries }, out)
  out.endDocument(start)
  if (identities.hasObjectIds) replaceObjectIds(out.bytes, start, out.at, identities)
  if (sequence !== undefined) writeSequence(command, sequence, out)
  writeHeader(out.bytes, 0, out.at, 1, call.acknowledged)
  return out.bytes.subarray(0, out.at)
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
  const field = sequences[name]
  return field === undefined ? undefined : findField(command, field, bsonType.array)
}

function copyBody(command: Buffer, sequence: Field | undefined, out: BsonWriter): void {
  const found = findField(command, 'readConcern', bsonType.document)
  const concern = found && clusterTimes.some((name) => fieldAt(command, found.start, name) >= 0) ? found : undefined
  let from = 4
  for (const field of [concern, sequence].filter((one) => one !== undefined).toSorted((a, b) => a.at - b.at)) {
    out.copy(command, from, field.at)
    from = field.end
  }
  out.copy(command, from, command.length - 1)
  if (concern !== undefined) writeConcern(command, concern, out)
}

/** The read concern without the times. */
function writeConcern(command: Buffer, { start, end }: Field, out: BsonWriter): void {
  const fields = new FieldReader().open(command, start, end)
  const typeAt = out.beginElement('readConcern')
  const concern = out.beginDocument()
  while (fields.next())
    if (!clusterTimes.some((name) => fields.is(name))) out.copy(command, fields.fieldStart, fields.end)
  out.endDocument(concern)
  out.bytes[typeAt] = bsonType.document
}

function writeSession(
  { number, transactionNumber, transaction }: RecordedSession,
  { identities, retries }: Abilities & { readonly identities: Identities },
  out: BsonWriter,
): void {
  out.element('lsid', { id: identities.sessionId(number) })
  if (transactionNumber === null || (transaction === 'none' && !retries)) return
  out.element('txnNumber', BigInt(transactionNumber))
  if (transaction === 'starts') out.element('startTransaction', true)
  if (transaction !== 'none') out.element('autocommit', false)
}

/** A section of kind 1: its size, its name, the documents one after the other. */
function writeSequence(command: Buffer, { name, start, end }: Field, out: BsonWriter): void {
  out.byte(1)
  const sizeAt = out.at
  out.reserve(4)
  out.at += 4
  out.zeroEnded(name)
  const items = new FieldReader().open(command, start, end)
  while (items.next()) out.copy(command, items.start, items.end)
  out.int32At(sizeAt, out.at - sizeAt)
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
