import { deserialize, type Document, Timestamp } from 'bson'
import { expect, test } from 'vitest'
import { Message } from '../../../src/load/engines/wire/message.ts'
import { bodyOffset } from '../../../src/protocol/wire/frame.ts'
import { type RecordedCall } from '../../../src/traffic/recording/recorded-call.ts'
import { Identities } from '../../../src/traffic/replay/identities.ts'
import { writeMessage } from '../../../src/traffic/replay/write-message.ts'
import { aCall } from '../calls.ts'

function write(call: RecordedCall, takesRetries = true, expires = true): Buffer {
  const message = new Message()
  writeMessage(call, { identities: new Identities(), takesRetries, expires }, message)
  return message.ready
}

const bodyOf = (message: Buffer): Document =>
  deserialize(message.subarray(bodyOffset, bodyOffset + message.readInt32LE(bodyOffset)))

test('a message has the command, its database, and its place in a transaction', () => {
  const session = { number: 2, transactionNumber: 5, transaction: 'starts' } as const
  const { lsid, ...body } = bodyOf(write(aCall({ find: 'orders', filter: { a: 1 } }, { session })))
  expect(body).toEqual({
    find: 'orders',
    filter: { a: 1 },
    $db: 'shop',
    txnNumber: 5,
    startTransaction: true,
    autocommit: false,
  })
  expect(lsid.id.buffer).toHaveLength(16)
})

test('a server that stands alone is sent no number of a write that can be retried', () => {
  const session = { number: 2, transactionNumber: 5, transaction: 'none' } as const
  expect(bodyOf(write(aCall({ insert: 'orders' }, { session }), false))).not.toHaveProperty('txnNumber')
})

test('a read concern goes without the time of the other server', () => {
  const concern = { level: 'majority', afterClusterTime: new Timestamp({ t: 1, i: 2 }) }
  const command = { find: 'orders', readConcern: concern, limit: 1 }
  expect(bodyOf(write(aCall(command)))).toEqual({
    find: 'orders',
    limit: 1,
    readConcern: { level: 'majority' },
    $db: 'shop',
  })
})

test.each([
  [
    { createIndexes: 'orders', indexes: [{ key: { expireAfterSeconds: 1 }, expireAfterSeconds: 60, name: 'a' }] },
    { createIndexes: 'orders', indexes: [{ key: { expireAfterSeconds: 1 }, name: 'a' }] },
  ],
  [
    { create: 'orders', timeseries: { timeField: 'at' }, expireAfterSeconds: 60 },
    { create: 'orders', timeseries: { timeField: 'at' } },
  ],
])('data that a replay loads do not expire: %j', (command, lasting) => {
  expect(bodyOf(write(aCall(command)))).toEqual({ ...command, $db: 'shop' })
  expect(bodyOf(write(aCall(command), true, false))).toEqual({ ...lasting, $db: 'shop' })
})

test('more than one document holds goes as a sequence', () => {
  const documents = Array.from({ length: 16 }, (_, _id) => ({ _id, text: 'x'.repeat(1024 * 1024) }))
  const message = write(aCall({ insert: 'orders', documents, ordered: true }))
  expect(bodyOf(message)).toEqual({ insert: 'orders', ordered: true, $db: 'shop' })
  const section = bodyOffset + message.readInt32LE(bodyOffset)
  expect(message[section]).toBe(1)
  expect(section + 1 + message.readInt32LE(section + 1)).toBe(message.length)
  const first = section + 5 + 'documents'.length + 1
  expect(deserialize(message.subarray(first, first + message.readInt32LE(first)))['_id']).toBe(0)
  expect(message.readInt32LE(0)).toBe(message.length)
})

test('the buffer of a long message is given up once it has been sent', () => {
  const message = new Message()
  const server = { identities: new Identities(), takesRetries: true, expires: true }
  writeMessage(aCall({ insert: 'orders', documents: [{ text: 'x'.repeat(5_000_000) }] }), server, message)
  message.shrink()
  expect(message.out.bytes.length).toBeLessThan(10_000)
  writeMessage(aCall({ find: 'orders' }), server, message)
  expect(bodyOf(message.ready)).toEqual({ find: 'orders', $db: 'shop' })
})
