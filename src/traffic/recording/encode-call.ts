import { checkDocument } from '../../protocol/bson/check-document.ts'
import { MalformedBson } from '../../protocol/bson/malformed.ts'
import { behindZero, int32At } from '../../protocol/bson/skip.ts'
import { type BsonWriter } from '../../protocol/bson/writer.ts'
import { type RecordedCall, type RecordedReply, type RecordedSession } from './recorded-call.ts'
import { repeatedText } from './repeated-text.ts'
import { type ByteReader, writeVarint } from './varints.ts'

/** Parts that a call may have, one bit each: those that it does not have take no bytes. */
const parts = {
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
/** Maximum number of statements in a command, as servers accept it. */
const maxIds = 100_000
/** Names of databases and commands are shorter, in bytes. */
const maxNameBytes = 255

/**
 * Writes a call in two places: its numbers among those of other calls, its command among their commands. Neighbours are
 * more alike that way, and compress better.
 * @param previousUs Start of the previous call in the frame. 0: there is none.
 */
export function writeCall(numbers: BsonWriter, commands: BsonWriter, call: RecordedCall, previousUs: number): void {
  const { session, reply } = call
  const bitsAt = numbers.at
  let bits = call.acknowledged ? 0 : parts.noReplyAsked
  const optional = (part: keyof typeof parts, value: number | null): void => {
    if (value === null) return
    bits |= parts[part]
    writeVarint(numbers, value)
  }
  numbers.byte(0)
  numbers.byte(0)
  writeVarint(numbers, call.connection)
  const sinceUs = call.startUs - previousUs
  // The lowest bit is the sign: few calls begin before the previous one.
  writeVarint(numbers, sinceUs < 0 ? -sinceUs * 2 - 1 : sinceUs * 2)
  optional('latency', call.latencyUs)
  writeVarint(numbers, call.requestBytes)
  if (session !== null) {
    optional('session', session.number)
    optional('transactionNumber', session.transactionNumber)
    if (session.transaction !== 'none') bits |= parts[session.transaction]
  }
  if (reply !== null) {
    optional('reply', reply.bytes)
    if (reply.ok) bits |= parts.ok
    optional('code', reply.code === 0 ? null : reply.code)
    for (const field of ['n', 'nModified', 'documents'] as const) optional(field, reply[field])
    for (const field of ['cursor', 'digest'] as const) {
      const value = reply[field]
      if (value === null) continue
      bits |= parts[field]
      numbers.bigInt64(value)
    }
    optional('upserted', reply.upsertedIds.length === 0 ? null : reply.upsertedIds.length)
    for (const id of reply.upsertedIds) numbers.copy(Buffer.from(id, 'hex'))
  }
  numbers.view.setUint16(bitsAt, bits, true)
  commands.zeroEnded(call.database)
  commands.copy(call.command)
}

/**
 * Reads a call, which shares the bytes of its frame.
 * @throws {MalformedBson} where the bytes are not a call.
 */
export function readCall(numbers: ByteReader, commands: ByteReader, previousUs: number): RecordedCall {
  const bits = numbers.bytes.readUInt16LE(numbers.take(2))
  const has = (part: keyof typeof parts): boolean => (bits & parts[part]) !== 0
  const optional = (part: keyof typeof parts): number | null => (has(part) ? numbers.varint() : null)
  const connection = numbers.varint()
  const sinceUs = numbers.varint()
  const startUs = previousUs + (sinceUs % 2 === 0 ? sinceUs / 2 : -(sinceUs + 1) / 2)
  if (startUs < 0) throw new MalformedBson('a call before the recording began')
  const latencyUs = optional('latency')
  const requestBytes = numbers.varint()
  const number = optional('session')
  const session: RecordedSession | null =
    number === null
      ? null
      : {
          number,
          transactionNumber: optional('transactionNumber'),
          transaction: has('starts') ? 'starts' : has('continues') ? 'continues' : 'none',
        }
  const bytes = optional('reply')
  // In the order in which `writeCall` writes them.
  const reply: RecordedReply | null =
    bytes === null
      ? null
      : {
          bytes,
          ok: has('ok'),
          code: optional('code') ?? 0,
          n: optional('n'),
          nModified: optional('nModified'),
          documents: optional('documents'),
          cursor: has('cursor') ? numbers.view.getBigInt64(numbers.take(8), true) : null,
          digest: has('digest') ? numbers.view.getBigUint64(numbers.take(8), true) : null,
          upsertedIds: has('upserted') ? readIds(numbers) : [],
        }
  const database = commands.zeroEnded(maxNameBytes)
  const command = readCommand(commands)
  const acknowledged = !has('noReplyAsked')
  const name = readName(command)
  return { connection, startUs, latencyUs, database, name, command, session, acknowledged, requestBytes, reply }
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
  return repeatedText(command, 5, Math.min(behindZero(command, 5) - 1, 5 + maxNameBytes))
}
