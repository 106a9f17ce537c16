import { checkDocument } from '../../protocol/bson/check-document.ts'
import { MalformedBson, behindZero, int32At } from '../../protocol/bson/types.ts'
import type { BsonWriter } from '../../protocol/bson/writer.ts'
import type { RecordedCall, RecordedReply, RecordedSession, RecordedWork } from './recorded-call.ts'
import { type ByteReader, repeatedText, writeVarint } from './varints.ts'

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
  work: 32768,
} as const

const objectIdBytes = 12
/** Maximum number of statements in a command, as servers accept it. */
const maxIds = 100_000
/** Names of databases and commands are shorter, in bytes. */
const maxNameBytes = 255
/** Longer plans are cut, in characters. */
export const maxPlan = 1000

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
    optional('work', reply.work?.keys ?? null)
    if (reply.work !== null) {
      writeVarint(numbers, reply.work.documents)
      numbers.zeroEnded(reply.work.plan)
    }
  }
  numbers.view.setUint16(bitsAt, bits, true)
  commands.zeroEnded(call.database)
  commands.copy(call.command)
}

// Not inside of `readCall`: it would make them anew for each call, which takes half as long as all else.
const has = (bits: number, part: number): boolean => (bits & part) !== 0
const optional = (numbers: ByteReader, bits: number, part: number): number | null =>
  has(bits, part) ? numbers.varint() : null

/**
 * Reads a call, which shares the bytes of its frame.
 * @throws {MalformedBson} where the bytes are not a call.
 */
export function readCall(numbers: ByteReader, commands: ByteReader, previousUs: number): RecordedCall {
  const bits = numbers.bytes.readUInt16LE(numbers.take(2))
  const connection = numbers.varint()
  const sinceUs = numbers.varint()
  const startUs = previousUs + (sinceUs % 2 === 0 ? sinceUs / 2 : -(sinceUs + 1) / 2)
  if (startUs < 0) throw new MalformedBson('a call before the recording began')
  const latencyUs = optional(numbers, bits, parts.latency)
  const requestBytes = numbers.varint()
  const number = optional(numbers, bits, parts.session)
  const session: RecordedSession | null =
    number === null
      ? null
      : {
          number,
          transactionNumber: optional(numbers, bits, parts.transactionNumber),
          transaction: has(bits, parts.starts) ? 'starts' : has(bits, parts.continues) ? 'continues' : 'none',
        }
  const bytes = optional(numbers, bits, parts.reply)
  // In the order in which `writeCall` writes them.
  const reply: RecordedReply | null =
    bytes === null
      ? null
      : {
          bytes,
          ok: has(bits, parts.ok),
          code: optional(numbers, bits, parts.code) ?? 0,
          n: optional(numbers, bits, parts.n),
          nModified: optional(numbers, bits, parts.nModified),
          documents: optional(numbers, bits, parts.documents),
          cursor: has(bits, parts.cursor) ? numbers.view.getBigInt64(numbers.take(8), true) : null,
          digest: has(bits, parts.digest) ? numbers.view.getBigUint64(numbers.take(8), true) : null,
          upsertedIds: has(bits, parts.upserted) ? readIds(numbers) : [],
          work: has(bits, parts.work) ? readWork(numbers) : null,
        }
  const database = commands.zeroEnded(maxNameBytes)
  const command = readCommand(commands)
  const acknowledged = !has(bits, parts.noReplyAsked)
  const name = readName(command)
  return { connection, startUs, latencyUs, database, name, command, session, acknowledged, requestBytes, reply }
}

const readWork = (numbers: ByteReader): RecordedWork => ({
  keys: numbers.varint(),
  documents: numbers.varint(),
  plan: numbers.zeroEnded(maxPlan * 3),
})

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
