import { Code, Decimal128, Long, ObjectId, Timestamp, serialize } from 'bson'
import { array, assert, constantFrom, nat, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { checkDocument } from '../../../src/protocol/bson/check-document.ts'
import { findShape } from '../../../src/protocol/bson/command-shape.ts'
import { MalformedBson } from '../../../src/protocol/bson/types.ts'
import { BsonWriter } from '../../../src/protocol/bson/writer.ts'
import { createConversation } from '../../../src/traffic/record/conversation.ts'
import { rewriteHello } from '../../../src/traffic/record/proxy.ts'
import { numberFromZero } from '../../../src/traffic/record/read-request.ts'
import { readUntilMalformed } from '../../../src/traffic/record/read-until-malformed.ts'
import { readCall, writeCall } from '../../../src/traffic/recording/encode-call.ts'
import { hideValues } from '../../../src/traffic/recording/hide-values.ts'
import type { RecordedCall } from '../../../src/traffic/recording/recorded-call.ts'
import { ByteReader } from '../../../src/traffic/recording/varints.ts'
import { propertyRuns } from '../../property-runs.ts'
import { aMessage, aQuery, anOldReply, compressed } from './messages.ts'

/** Enough to meet each kind of damage. */
const numRuns = Math.max(2000, propertyRuns)

const session = { lsid: { id: 1 }, txnNumber: Long.ONE, startTransaction: true, autocommit: false }
const values = {
  $where: new Code('a', { b: { c: 'x' } }),
  r: /^ab/i,
  d: Decimal128.fromString('1.5'),
  i: new ObjectId(),
}

const requests = [
  aMessage({ find: 'orders', filter: values, ...session, $db: 'shop' }),
  aMessage({ insert: 'orders', $db: 'shop' }, { sequences: { documents: [{ a: 1 }, { at: new Date(77) }] } }),
  compressed(aMessage({ aggregate: 'orders', pipeline: [{ $match: { a: 'text' } }], $db: 'shop' })),
  aQuery({ ismaster: 1 }, 1),
]
const replies = [
  aMessage({ cursor: { firstBatch: [{ a: 1 }], id: Long.fromNumber(99, false) }, ok: 1 }, { respondsTo: 1 }),
  aMessage({ ok: 1, n: 1, writeErrors: [{ code: 11_000 }], upserted: [{ _id: new ObjectId() }] }, { respondsTo: 1 }),
  compressed(aMessage({ ok: 1, values: [1, 'text', new Timestamp({ t: 1, i: 1 })] }, { respondsTo: 1 })),
  anOldReply({ ok: 1, hosts: ['a:1'], compression: ['zlib'] }, 1),
]

/** Messages of which some bytes are others: most of them those of lengths and types. */
const damaged = (messages: readonly Buffer[]) =>
  tuple(
    constantFrom(...messages),
    array(tuple(nat(), constantFrom(0, 1, 3, 12, 15, 127, 128, 255)), { maxLength: 3 }),
  ).map(([message, changes]) => {
    const bytes = Buffer.from(message)
    for (const [at, byte] of changes) bytes[12 + (at % (bytes.length - 12))] = byte
    return bytes
  })

function record(request: Buffer, reply: Buffer): readonly RecordedCall[] {
  const calls: RecordedCall[] = []
  const add = (call: RecordedCall) => void calls.push(call)
  const sink = { add, leaveOut: () => {}, sessions: numberFromZero(), open: new Set<never>() }
  const conversation = createConversation(0, sink)
  readUntilMalformed((...message) => conversation.request(...message, 5), conversation.lose)(request)
  readUntilMalformed((...message) => void conversation.reply(...message, 9), conversation.lose)(reply)
  conversation.end()
  return calls
}

/** The call that is read after it was written. */
function writeAndRead(call: RecordedCall): RecordedCall {
  const [numbers, commands] = [new BsonWriter(64), new BsonWriter(64)]
  writeCall(numbers, commands, call, 0)
  const [first, second] = [numbers, commands].map(({ bytes, at }) => new ByteReader(bytes, 0, at))
  return readCall(first as ByteReader, second as ByteReader, 0)
}

test('whatever is damaged on the way, what is recorded of it can be hidden, read and shown', () => {
  assert(
    property(damaged(requests), damaged(replies), (request, reply) => {
      for (const call of record(request, reply)) {
        expect(writeAndRead(call)).toEqual(call)
        for (const mode of ['keep', 'hash', 'shape'] as const) {
          const { command } = writeAndRead(hideValues(mode)(call))
          checkDocument(command, 0, command.length)
          expect(findShape({ ...call, command }).text).not.toBe('')
        }
      }
    }),
    { numRuns },
  )
})

function tryToRewrite(reply: Buffer): unknown {
  try {
    return rewriteHello(reply, 0, reply.length, () => undefined).readInt32LE(0) > 0
  } catch (error) {
    return error instanceof MalformedBson || error
  }
}

test('a damaged handshake is rewritten or malformed, and nothing else', () =>
  assert(
    property(damaged(replies), (reply) => {
      expect(tryToRewrite(reply)).toBe(true)
    }),
    { numRuns },
  ))

test('code with a scope ends with its scope', () => {
  const document = Buffer.from(serialize({ a: new Code('b', { c: 1 }) }))
  checkDocument(document, 0, document.length)
  const scopeBytes = document.length - 1 - serialize({ c: 1 }).length
  for (const length of [0, 4, -1, 1_000]) {
    document.writeInt32LE(length, scopeBytes)
    expect(() => checkDocument(document, 0, document.length)).toThrow(MalformedBson)
  }
})
