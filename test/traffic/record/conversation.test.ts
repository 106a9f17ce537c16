import { Binary, Long, ObjectId, Timestamp, deserialize, serialize } from 'bson'
import { array, constantFrom, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import { type CallSink, type OpenCall, createConversation } from '../../../src/traffic/record/conversation.ts'
import { rewriteHello } from '../../../src/traffic/record/proxy.ts'
import { numberFromZero } from '../../../src/traffic/record/read-request.ts'
import { readUntilMalformed } from '../../../src/traffic/record/read-until-malformed.ts'
import type { RecordedCall } from '../../../src/traffic/recording/recorded-call.ts'
import { forAll } from '../../fakes/for-all.ts'
import { commandOf } from '../calls.ts'
import { aMessage, aQuery, anOldReply, compressed } from './messages.ts'

function listening() {
  const calls: RecordedCall[] = []
  const leftOut: string[] = []
  const open = new Set<OpenCall>()
  const sink: CallSink = {
    add: (call) => void calls.push(call),
    leaveOut: (reason) => void leftOut.push(reason),
    sessions: numberFromZero(),
    open,
  }
  const conversation = createConversation(4, sink)
  let atUs = 0
  const whole = (handle: (bytes: Buffer, start: number, end: number, at: number) => unknown) => (message: Buffer) => {
    // As in a socket's buffer, which is overwritten.
    const bytes = Buffer.concat([Buffer.alloc(3, 7), message, Buffer.alloc(2, 7)])
    handle(bytes, 3, 3 + message.length, (atUs += 100))
    bytes.fill(0xee)
  }
  return {
    calls,
    leftOut,
    open,
    sink,
    conversation,
    sends: whole(conversation.request),
    receives: whole(conversation.reply),
  }
}

const lsid = { id: new Binary(Buffer.alloc(16, 5), 4) }

test('a call is a command and its reply, without what means nothing later', () => {
  const { calls, sends, receives, open } = listening()
  const command = {
    find: 'orders',
    filter: { _id: 7 },
    lsid,
    txnNumber: Long.fromNumber(3),
    startTransaction: true,
    autocommit: false,
    $clusterTime: { clusterTime: new Timestamp({ t: 1, i: 1 }) },
    $db: 'shop',
    limit: 1,
  }
  const request = aMessage(command, { requestId: 70 })
  sends(request)
  expect(open.size).toBe(1)
  const reply = aMessage(
    { cursor: { firstBatch: [{ _id: 7 }, { _id: 8 }], id: Long.fromNumber(99, false), ns: 'shop.orders' }, ok: 1 },
    { respondsTo: 70 },
  )
  receives(reply)
  expect(commandOf(calls[0])).toEqual({ find: 'orders', filter: { _id: 7 }, limit: 1 })
  expect(calls).toEqual([
    {
      connection: 4,
      startUs: 100,
      latencyUs: 100,
      database: 'shop',
      name: 'find',
      command: expect.any(Buffer),
      session: { number: 0, transactionNumber: 3, transaction: 'starts' },
      acknowledged: true,
      requestBytes: request.length,
      reply: {
        ok: true,
        code: 0,
        n: null,
        nModified: null,
        cursor: 99n,
        documents: 2,
        digest: expect.any(BigInt),
        upsertedIds: [],
        work: null,
        bytes: reply.length,
      },
    },
  ])
  expect(open.size).toBe(0)
})

test('documents of a sequence are an array of the command', () => {
  const { calls, sends, receives } = listening()
  const documents = Array.from({ length: 120 }, (_, i) => ({ _id: i, text: 'x'.repeat(i) }))
  sends(aMessage({ insert: 'orders', ordered: true, $db: 'shop' }, { sequences: { documents } }))
  receives(aMessage({ n: 120, ok: 1 }, { respondsTo: 1 }))
  expect(commandOf(calls[0])).toEqual({ insert: 'orders', ordered: true, documents })
  expect(calls[0]?.reply).toMatchObject({ n: 120, ok: true })
})

test.each([
  [
    { ok: 0, code: 11_600, errmsg: '' },
    { ok: false, code: 11_600 },
  ],
  [
    {
      ok: 1,
      n: 0,
      writeErrors: [
        { index: 0, code: 11_000 },
        { index: 1, code: 5 },
      ],
    },
    { ok: true, code: 11_000, n: 0 },
  ],
  [
    { ok: 1, n: 1, writeConcernError: { code: 64 } },
    { ok: true, code: 64 },
  ],
  [
    { ok: 1, n: 1, nModified: 0, upserted: [{ index: 0, _id: new ObjectId('0123456789abcdef01234567') }] },
    { nModified: 0, upsertedIds: ['0123456789abcdef01234567'] },
  ],
  [
    { ok: 1, value: { _id: 1 }, lastErrorObject: { n: 1, updatedExisting: true } },
    { documents: 1, n: 1 },
  ],
  [
    { ok: 1, value: null, lastErrorObject: { n: 0 } },
    { documents: 0, n: 0 },
  ],
  [{ ok: 1, values: ['a', 'b', 7] }, { documents: 3 }],
])('of the reply %j the recording has %j', (document, expected) => {
  const { calls, sends, receives } = listening()
  sends(aMessage({ something: 1, $db: 'shop' }))
  receives(aMessage(document, { respondsTo: 1 }))
  expect(calls[0]?.reply).toMatchObject(expected)
})

test('a write without an acknowledgement is a call at once', () => {
  const { calls, sends } = listening()
  sends(aMessage({ insert: 'orders', $db: 'shop' }, { flags: 2 }))
  expect(calls[0]).toMatchObject({ acknowledged: false, latencyUs: null, reply: null })
})

test('a call that is open when the connection ends has no reply', () => {
  const { calls, sends, conversation, open } = listening()
  sends(aMessage({ find: 'orders', $db: 'shop' }))
  conversation.end()
  expect(calls).toMatchObject([{ name: 'find', acknowledged: true, latencyUs: null, reply: null }])
  expect(open.size).toBe(0)
})

test('of two calls with one number, the first has no reply, and neither stays open', () => {
  const { calls, sends, receives, open } = listening()
  sends(aMessage({ find: 'orders', $db: 'shop' }, { requestId: 7 }))
  sends(aMessage({ count: 'orders', $db: 'shop' }, { requestId: 7 }))
  receives(aMessage({ ok: 1 }, { respondsTo: 7 }))
  expect(calls).toMatchObject([
    { name: 'find', reply: null },
    { name: 'count', reply: { ok: true } },
  ])
  expect(open.size).toBe(0)
})

test('compressed messages are read', () => {
  const { calls, sends, receives } = listening()
  sends(compressed(aMessage({ find: 'orders', $db: 'shop' })))
  receives(compressed(aMessage({ ok: 1, n: 5 }, { respondsTo: 1 }), 0, (bytes) => bytes))
  expect(calls).toMatchObject([{ name: 'find', reply: { n: 5 } }])
})

test('handshakes and logins are neither kept nor read, in either form', () => {
  const { calls, leftOut, sends, receives, conversation } = listening()
  sends(aQuery({ ismaster: 1, speculativeAuthenticate: { saslStart: 1 } }, 5))
  expect(conversation.isHandshaking()).toBe(true)
  receives(anOldReply({ ok: 1 }, 5))
  expect(conversation.isHandshaking()).toBe(false)
  sends(aMessage({ saslStart: 1, payload: 'secret', $db: 'admin' }, { requestId: 6 }))
  receives(aMessage({ ok: 1, payload: 'secret' }, { respondsTo: 6 }))
  expect(calls).toEqual([])
  expect(leftOut).toEqual(['handshakes', 'logins'])
})

test('a server that streams its handshakes answers each reply with the next', () => {
  const { leftOut, sends, receives, conversation } = listening()
  sends(aMessage({ hello: 1, $db: 'admin' }, { requestId: 5, flags: 1 << 16 }))
  receives(aMessage({ ok: 1 }, { requestId: 100, respondsTo: 5, flags: 2 }))
  receives(aMessage({ ok: 1 }, { requestId: 101, respondsTo: 100, flags: 2 }))
  expect(conversation.isHandshaking()).toBe(true)
  receives(aMessage({ ok: 1 }, { requestId: 102, respondsTo: 101 }))
  expect(conversation.isHandshaking()).toBe(false)
  expect(leftOut).toEqual(['handshakes', 'handshakes', 'handshakes'])
})

test('what cannot be read is counted, and what comes after it is read', () => {
  const { calls, leftOut, sends, receives } = listening()
  const broken = aMessage({ find: 'orders', filter: { a: 'text' }, $db: 'shop' })
  broken.writeInt32LE(1_000_000, broken.indexOf('text') - 4)
  sends(broken)
  receives(aMessage({ ok: 1 }, { respondsTo: 77 }))
  sends(aMessage({ ping: 1, $db: 'admin' }, { requestId: 3 }))
  receives(aMessage({ ok: 1 }, { respondsTo: 3 }))
  expect(leftOut).toEqual(['messages that cannot be read', 'replies to requests that were not seen'])
  expect(calls.map(({ name }) => name)).toEqual(['ping'])
})

test.each([{ $db: 'a\0b' }, { $db: 'shop', txnNumber: Long.MAX_VALUE }, { $db: 'shop', txnNumber: Long.NEG_ONE }])(
  'a command with %j, which no server takes and no recording can have, is left out',
  (rest) => {
    const { calls, leftOut, sends } = listening()
    sends(aMessage({ find: 'orders', lsid, ...rest }))
    expect(calls).toEqual([])
    expect(leftOut).toEqual(['messages that cannot be read'])
  },
)

test('messages in pieces of any length, of several connections at once, are calls in the order of each connection', () => {
  const names = ['find', 'insert', 'aggregate', 'ping']
  forAll(
    array(record({ connection: nat(3), name: constantFrom(...names), cut: nat(200) }), { maxLength: 40 }),
    (steps) => {
      const { calls, sink } = listening()
      const conversations = [0, 1, 2, 3].map((number) => {
        const conversation = createConversation(number, sink)
        const request = readUntilMalformed((...message) => conversation.request(...message, 0), conversation.lose)
        const reply = readUntilMalformed((...message) => void conversation.reply(...message, 0), conversation.lose)
        return { request, reply }
      })
      for (const [i, { connection, name, cut }] of steps.entries()) {
        const { request, reply } = conversations[connection] ?? conversations[0]!
        const sent = aMessage({ [name]: 'orders', number: i, $db: 'shop' }, { requestId: i + 1 })
        const received = aMessage({ ok: 1, n: i }, { respondsTo: i + 1 })
        for (const [take, message] of [
          [request, sent],
          [reply, received],
        ] as const) {
          take(message.subarray(0, cut))
          take(message.subarray(cut))
        }
      }
      expect(calls.map((call) => [call.connection, call.name, commandOf(call)['number'], call.reply?.n])).toEqual(
        steps.map(({ connection, name }, i) => [connection, name, i, i]),
      )
    },
  )
})

const hello = {
  hosts: ['db1:27017', 'db2:27017', 'db3:27017'],
  passives: ['db4:27017'],
  setName: 'rs',
  me: 'db1:27017',
  primary: 'db2:27017',
  compression: ['snappy', 'unknown'],
  topologyVersion: { counter: Long.fromNumber(6) },
  ok: 1,
}
const listeners = new Map([
  ['db1:27017', '127.0.0.1:27018'],
  ['db2:27017', '127.0.0.1:27019'],
  ['db4:27017', '127.0.0.1:27020'],
])

test.each([
  ['the new form', aMessage(hello, { respondsTo: 5, flags: 2 }), 21],
  ['the old form', anOldReply(hello, 5), 36],
])('a handshake in %s names the listeners, and compressors that can be read', (_, message, from) => {
  const rewritten = rewriteHello(message, 0, message.length, (host) => listeners.get(host))
  expect(rewritten.readInt32LE(0)).toBe(rewritten.length)
  expect(rewritten.subarray(4, from)).toEqual(message.subarray(4, from))
  expect(deserialize(rewritten.subarray(from), { promoteLongs: false })).toEqual({
    ...hello,
    hosts: ['127.0.0.1:27018', '127.0.0.1:27019'],
    passives: ['127.0.0.1:27020'],
    me: '127.0.0.1:27018',
    primary: '127.0.0.1:27019',
    compression: ['snappy'],
  })
})

test('a checksum of a handshake is left out with the bytes that it is of', () => {
  const plain = aMessage({ ok: 1, hosts: [] }, { flags: 1 })
  const message = Buffer.concat([plain, Buffer.alloc(4, 9)])
  message.writeInt32LE(message.length, 0)
  const rewritten = rewriteHello(message, 0, message.length, () => undefined)
  expect(rewritten.readUInt32LE(16)).toBe(0)
  expect(rewritten.length).toBe(21 + serialize({ ok: 1, hosts: [] }).length)
})
