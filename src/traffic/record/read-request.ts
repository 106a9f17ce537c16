import { checkDocument } from '../../protocol/bson/check-document.ts'
import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { MalformedBson, bsonType, int32At } from '../../protocol/bson/types.ts'
import { BsonWriter } from '../../protocol/bson/writer.ts'
import type { RecordedCall, RecordedSession } from '../recording/recorded-call.ts'
import type { WireMessage } from './read-message.ts'

/** The parts of a command that are recorded. */
export type SentCommand = Pick<RecordedCall, 'database' | 'command' | 'session'>

export type Numbering = (name: string) => number

/** Maximum number of names to remember. A forgotten one that comes back gets a new number. */
const maxNames = 100_000

/** Numbers names from 0, in the order of their first use. */
export function numberFromZero(): Numbering {
  const numbers = new Map<string, number>()
  let next = 0
  return (name) => {
    const known = numbers.get(name)
    if (known !== undefined) return known
    if (numbers.size >= maxNames) numbers.clear()
    numbers.set(name, next)
    return next++
  }
}

const reader = new FieldReader()
const out = new BsonWriter()

/** The name of a command, without reading the rest of it. */
export function commandName({ bytes, document, end }: WireMessage): string {
  return reader.open(bytes, document, end).next() ? reader.key() : ''
}

/**
 * Reads a command, with its document sequences as arrays.
 * @throws {MalformedBson} where it is not BSON.
 */
export function readCommand(
  { bytes, document, end, sequences }: Pick<WireMessage, 'bytes' | 'document' | 'end' | 'sequences'>,
  numberOf: Numbering,
): SentCommand {
  checkDocument(bytes, document, end)
  const sent = { database: 'admin', session: -1, number: -1, starts: false, continues: false }
  reader.open(bytes, document, end)
  out.at = 0
  const start = out.beginDocument()
  /** Start of the fields that are copied next, together. */
  let from = document + 4
  while (reader.next()) {
    if (!take(reader, sent, numberOf)) continue
    out.copy(bytes, from, reader.fieldStart)
    from = reader.end
  }
  out.copy(bytes, from, end - 1)
  for (const sequence of sequences) writeArray(bytes, sequence)
  out.endDocument(start)
  const command = Buffer.from(out.bytes.subarray(0, out.at))
  if (out.bytes.length > maxKeptBytes) out.replaceBuffer(Buffer.allocUnsafeSlow(maxKeptBytes))
  return { database: sent.database, command, session: readSession(sent) }
}

/** A buffer that has grown beyond this is not kept, in bytes. */
const maxKeptBytes = 1024 * 1024

type Sent = { database: string; session: number; number: number; starts: boolean; continues: boolean }

/**
 * Takes a field that is not part of the recorded command.
 * @returns whether it is such a field.
 * @throws {MalformedBson} for values that no server accepts and no recording can hold.
 */
function take(field: FieldReader, sent: Sent, numberOf: Numbering): boolean {
  if (field.is('$db')) sent.database = readDatabase(field)
  else if (field.is('lsid')) sent.session = numberOf(field.bytes.toString('latin1', field.start, field.end))
  else if (field.is('txnNumber')) sent.number = field.count()
  else if (field.is('startTransaction')) sent.starts = field.boolean()
  else if (field.is('autocommit')) sent.continues = !field.boolean()
  else return field.is('$clusterTime')
  return true
}

function readDatabase(field: FieldReader): string {
  const name = field.text()
  if (name.includes('\0')) throw new MalformedBson('a name of a database with a zero in it')
  return name
}

function readSession({ session, number, starts, continues }: Sent): RecordedSession | null {
  if (session < 0) return null
  const transaction = starts ? 'starts' : continues ? 'continues' : 'none'
  return { number: session, transactionNumber: number < 0 ? null : number, transaction }
}

/** @throws {MalformedBson} where the documents do not end with their section. */
function writeArray(bytes: Buffer, { name, start, end }: WireMessage['sequences'][number]): void {
  const typeAt = out.beginElement(name)
  const array = out.beginDocument()
  let index = 0
  for (let at = start; at < end; index++) {
    const length = end - at >= 5 ? int32At(bytes, at) : 0
    if (length < 5 || at + length > end) throw new MalformedBson(`a document of ${length} bytes`)
    checkDocument(bytes, at, at + length)
    const itemAt = out.beginItem(index)
    out.copy(bytes, at, at + length)
    out.bytes[itemAt] = bsonType.document
    at += length
  }
  out.endDocument(array)
  out.bytes[typeAt] = bsonType.array
}
