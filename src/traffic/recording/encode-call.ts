import { checkDocument } from '../../protocol/bson/check-document.ts'
import { MalformedBson } from '../../protocol/bson/malformed.ts'
import { int32At } from '../../protocol/bson/skip.ts'
import { type BsonWriter } from '../../protocol/bson/writer.ts'
import { type RecordedCall, type RecordedReply, type RecordedSession } from './recorded-call.ts'
import { type ByteReader, writeVarint } from './varints.ts'

/** Parts of a call, one bit each: those that it has not take no bytes. */
const has = {
  latency: 1,
  noReplyAsked: 2,
  session: 4,
  transactionNumber: 8,
  starts: 16,
  continues: 32,
  reply: 64,
  ok: 128,
  code: 256,
  n: 512,
  nModified: 1024,
  cursor: 2048,
  documents: 4096,
  digest: 8192,
  upserted: 16384,
} as const

const objectIdBytes = 12
/** Servers take none of more statements. */
const maxIds = 100_000
/** More than the names of databases and commands have, in bytes. */
const maxNameBytes = 255

/**
 * Writes a call in two places: its numbers beside those of other calls, its command beside their commands. Each repeats
 * more of the one before it, which is what compression finds.
 * @param previousUs Start of the call before it in the frame; 0: there is none.
 */
export function writeCall(numbers: BsonWriter, commands: BsonWriter, call: RecordedCall, previousUs: number): void {
  const { session, reply } = call
  const bits = collectBits(call)
  numbers.byte(bits & 255)
  numbers.byte(bits >> 8)
  writeVarint(numbers, call.connection)
  const sinceUs = call.startUs - previousUs
  // A sign in the lowest bit: few are before the one before them.
  writeVarint(numbers, sinceUs < 0 ? -sinceUs * 2 - 1 : sinceUs * 2)
  if (call.latencyUs !== null) writeVarint(numbers, call.latencyUs)
  writeVarint(numbers, call.requestBytes)
  if (session !== null) writeVarint(numbers, session.number)
  if (session?.transactionNumber != null) writeVarint(numbers, session.transactionNumber)
  if (reply !== null) writeReply(numbers, reply)
  commands.zeroEnded(call.database)
  commands.copy(call.command)
}

function writeReply(numbers: BsonWriter, reply: RecordedReply): void {
  writeVarint(numbers, reply.bytes)
  if (reply.code !== 0) writeVarint(numbers, reply.code)
  for (const count of [reply.n, reply.nModified, reply.documents]) if (count !== null) writeVarint(numbers, count)
  if (reply.cursor !== null) numbers.bigInt64(reply.cursor)
  if (reply.digest !== null) numbers.bigInt64(reply.digest)
  if (reply.upsertedIds.length === 0) return
  writeVarint(numbers, reply.upsertedIds.length)
  for (const id of reply.upsertedIds) numbers.copy(Buffer.from(id, 'hex'))
}

function collectBits({ latencyUs, acknowledged, session, reply }: RecordedCall): number {
  let bits = latencyUs === null ? 0 : has.latency
  if (!acknowledged) bits |= has.noReplyAsked
  if (session !== null) {
    bits |= has.session
    if (session.transactionNumber !== null) bits |= has.transactionNumber
    if (session.transaction !== 'none') bits |= has[session.transaction]
  }
  if (reply === null) return bits
  bits |= has.reply
  if (reply.ok) bits |= has.ok
  if (reply.code !== 0) bits |= has.code
  for (const field of ['n', 'nModified', 'cursor', 'documents', 'digest'] as const)
    if (reply[field] !== null) bits |= has[field]
  return reply.upsertedIds.length > 0 ? bits | has.upserted : bits
}

/**
 * Reads a call, which shares the bytes of its frame.
 * @throws {MalformedBson} where there is none.
 */
export function readCall(numbers: ByteReader, commands: ByteReader, previousUs: number): RecordedCall {
  const at = numbers.take(2)
  const bits = numbers.bytes.readUInt16LE(at)
  const optional = (bit: number): number | null => ((bits & bit) === 0 ? null : numbers.varint())
  const connection = numbers.varint()
  const sinceUs = numbers.varint()
  const startUs = previousUs + (sinceUs % 2 === 0 ? sinceUs / 2 : -(sinceUs + 1) / 2)
  if (startUs < 0) throw new MalformedBson('a call before the recording began')
  const latencyUs = optional(has.latency)
  const requestBytes = numbers.varint()
  const session = (bits & has.session) === 0 ? null : readSession(numbers, bits)
  const reply = (bits & has.reply) === 0 ? null : readReply(numbers, bits)
  const database = commands.zeroEnded(maxNameBytes)
  const command = readCommand(commands)
  const acknowledged = (bits & has.noReplyAsked) === 0
  const name = readName(command)
  return { connection, startUs, latencyUs, database, name, command, session, acknowledged, requestBytes, reply }
}

function readSession(numbers: ByteReader, bits: number): RecordedSession {
  const number = numbers.varint()
  const transactionNumber = (bits & has.transactionNumber) === 0 ? null : numbers.varint()
  const transaction = (bits & has.starts) !== 0 ? 'starts' : (bits & has.continues) !== 0 ? 'continues' : 'none'
  return { number, transactionNumber, transaction }
}

function readReply(numbers: ByteReader, bits: number): RecordedReply {
  const optional = (bit: number): number | null => ((bits & bit) === 0 ? null : numbers.varint())
  const bytes = numbers.varint()
  const code = optional(has.code) ?? 0
  const n = optional(has.n)
  const nModified = optional(has.nModified)
  const documents = optional(has.documents)
  const cursor = (bits & has.cursor) === 0 ? null : numbers.bytes.readBigInt64LE(numbers.take(8))
  const digest = (bits & has.digest) === 0 ? null : numbers.bytes.readBigUInt64LE(numbers.take(8))
  const upsertedIds = (bits & has.upserted) === 0 ? [] : readIds(numbers)
  return { ok: (bits & has.ok) !== 0, code, n, nModified, cursor, documents, digest, upsertedIds, bytes }
}

function readIds(numbers: ByteReader): readonly string[] {
  const count = numbers.varint()
  if (count > maxIds) throw new MalformedBson(`${count} ids of one reply`)
  const start = numbers.take(count * objectIdBytes)
  return Array.from({ length: count }, (_, i) => {
    const at = start + i * objectIdBytes
    return numbers.bytes.toString('hex', at, at + objectIdBytes)
  })
}

function readCommand(commands: ByteReader): Buffer {
  const { bytes } = commands
  const at = commands.take(4)
  const length = int32At(bytes, at)
  // At least one field: its type, its name, a zero.
  if (length < 8) throw new MalformedBson(`a command of ${length} bytes`)
  commands.take(length - 4)
  checkDocument(bytes, at, at + length)
  return bytes.subarray(at, at + length)
}

/** The name of a command: the key of its first field, or its beginning. */
export function readName(command: Buffer): string {
  return command.toString('latin1', 5, Math.min(command.indexOf(0, 5), 5 + maxNameBytes))
}
