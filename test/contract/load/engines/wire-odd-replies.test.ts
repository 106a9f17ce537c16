import { type Document, Long } from 'bson'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Outcome, type PhaseEngine } from '../../../../src/load/engines/engine.ts'
import { type MethodKind, type NamedArguments } from '../../../../src/load/engines/intent.ts'
import { bodyOffset, maxMessageBytes } from '../../../../src/protocol/wire/frame.ts'
import { getOperation } from '../../../../src/spec/operations/index.ts'
import { fakeOperation, sendTo } from '../../../fakes/fake-calls.ts'
import { aReply, withLength } from '../../../protocol/wire/a-message.ts'
import { sharedServer } from '../../support/shared-servers.ts'
import { engineOf } from './both-engines.ts'
import { startTamperingProxy, type Tamper, type TamperingProxy } from './tampering-proxy.ts'

const server = sharedServer()
const database = 'odd_replies'
let proxy: TamperingProxy
let engine: PhaseEngine

const kinds: readonly MethodKind[] = [
  'find',
  'updateOne',
  'insertMany',
  'findOneAndUpdate',
  'countDocuments',
  'insertOne',
]

beforeAll(async () => {
  proxy = await startTamperingProxy(server.uri)
  engine = engineOf('wire', proxy.uri, database, {
    deadlineMs: 5000,
    operations: kinds.map((kind) => fakeOperation({ kind, reply: getOperation(kind).reply })),
  })
})

afterAll(async () => {
  await engine.close()
  await proxy[Symbol.asyncDispose]()
})

beforeEach(async () => {
  const collection = server.client.db(database).collection<{ _id: number }>('documents')
  await collection.deleteMany({})
  await collection.insertMany(Array.from({ length: 10 }, (_, i) => ({ _id: i })))
})

const argumentsOf: Readonly<Partial<Record<MethodKind, () => NamedArguments>>> = {
  find: () => ({ filter: {}, options: { batchSize: 4 } }),
  updateOne: () => ({ filter: { _id: 1 }, update: { $inc: { n: 1 } }, options: {} }),
  insertMany: () => ({ documents: [{}, {}], options: {} }),
  findOneAndUpdate: () => ({ filter: { _id: 1 }, update: { $inc: { n: 1 } }, options: {} }),
  countDocuments: () => ({ filter: {}, options: {} }),
  insertOne: () => ({ document: {}, options: {} }),
}

const call = (kind: MethodKind): Promise<Outcome> =>
  sendTo(engine, { operation: kinds.indexOf(kind), args: argumentsOf[kind]?.() ?? { options: {} }, bytes: 0 })

const sendReply =
  (document: Document): Tamper =>
  (_, client, id) =>
    client.write(aReply(document, id))

const changed =
  (change: (reply: Buffer) => Buffer | void): Tamper =>
  (reply, client) =>
    client.write(change(reply) ?? reply)

/** Writes an int32 behind the first place where this text stands: the length of the value that it is the key of. */
const lengthBehind = (key: string, length: number): Tamper =>
  changed((reply) => void reply.writeInt32LE(length, reply.indexOf(`${key}\0`) + key.length + 1))

const cursor = (parts: Document): Document => ({
  cursor: { firstBatch: [{ _id: 1 }], id: Long.ZERO, ns: `${database}.documents`, ...parts },
  ok: 1,
})

const cut =
  (bytes: number): Tamper =>
  (reply, client) =>
    void client.end(reply.subarray(0, bytes))

const ofAll: Readonly<Record<string, Tamper>> = {
  'is cut at its end': (reply, client) => void client.end(reply.subarray(0, -1)),
  'is cut in its header': cut(10),
  'does not come': (_, client) => void client.end(),
  'is reset': (_, client) => void client.resetAndDestroy(),
  'is longer than any': changed((reply) => withLength(reply, maxMessageBytes + 1)),
  'has a negative length': changed((reply) => withLength(reply, -1)),
  'has a length of 0': changed((reply) => withLength(reply, 0)),
  'is one to another request': changed((reply) => void reply.writeInt32LE(reply.readInt32LE(8) + 1, 8)),
  'has a document that is longer than it': changed((reply) => void reply.writeInt32LE(reply.length, bodyOffset)),
  'has a document that is shorter than it': changed((reply) => void reply.writeInt32LE(5, bodyOffset)),
  'has a document of negative length': changed((reply) => void reply.writeInt32LE(-5, bodyOffset)),
  'begins with a type that is none': changed((reply) => void (reply[bodyOffset + 4] = 0x77)),
  'has keys that do not end': changed((reply) => void reply.fill(0x61, bodyOffset + 5, reply.length - 1)),
  'has nothing in it': sendReply({}),
  'has only "ok" in it': sendReply({ ok: 1 }),
  'is random': changed((reply) => void reply.fill(0xc3, bodyOffset + 4, reply.length - 1)),
}

const ofFind: Readonly<Record<string, Tamper>> = {
  'has a batch that is no array': sendReply(cursor({ firstBatch: { 0: { _id: 1 } } })),
  'has a batch that is a text': sendReply(cursor({ firstBatch: 'all' })),
  'has a batch of numbers': sendReply(cursor({ firstBatch: [1, 2, 3] })),
  'has a cursor id that is an int32': sendReply(cursor({ id: 5 })),
  'has a cursor id that is a text': sendReply(cursor({ id: 'five' })),
  'has a cursor that is none': sendReply({ cursor: 5, ok: 1 }),
  'has no batch': sendReply({ cursor: { id: Long.ZERO, ns: 'a.b' }, ok: 1 }),
  'has a cursor that is longer than it': lengthBehind('cursor', 1_000_000),
  'has a cursor of negative length': lengthBehind('cursor', -20),
  'has a batch that is longer than its cursor': lengthBehind('firstBatch', 5_000),
  'has a batch of negative length': lengthBehind('firstBatch', -5),
  'has a document that is longer than its batch': lengthBehind('0', 5_000),
  'has a document of negative length': lengthBehind('0', -7),
  'has a document of length 0': lengthBehind('0', 0),
}

const ofUpdate: Readonly<Record<string, Tamper>> = {
  'has a count that is a text': sendReply({ n: 'one', nModified: 1, ok: 1 }),
  'has a count below 0': sendReply({ n: -1, nModified: 1, ok: 1 }),
  'has a count that is no whole number': sendReply({ n: 1, nModified: 0.5, ok: 1 }),
  'has upserts that are no array': sendReply({ n: 1, nModified: 0, upserted: 1, ok: 1 }),
  'has more upserts than documents': sendReply({ n: 0, nModified: 0, upserted: [{ index: 0, _id: 1 }], ok: 1 }),
}

const isCounted = ({ reply }: Outcome): boolean => Object.values(reply).some((count) => count !== 0 && count !== null)

/** What becomes of a call whose reply is changed, and of the next. */
async function endsOf(kind: MethodKind, command: string, tamper: Tamper) {
  const before = proxy.connections()
  proxy.tamperOnce(command, tamper)
  const outcome = await call(kind)
  const next = await call(kind)
  return {
    kind: outcome.kind,
    name: 'name' in outcome ? outcome.name : '',
    isCounted: isCounted(outcome),
    next: next.kind,
    isReconnected: proxy.connections() > before,
  }
}

const unknown = {
  kind: 'unknown',
  name: 'MongoNetworkError',
  isCounted: false,
  next: 'ok',
  isReconnected: true,
} as const

const commands: readonly (readonly [MethodKind, string])[] = [
  ['find', 'find'],
  ['updateOne', 'update'],
  ['insertMany', 'insert'],
  ['insertOne', 'insert'],
  ['findOneAndUpdate', 'findAndModify'],
  ['countDocuments', 'aggregate'],
]

describe.each(commands)('a reply to %s', (kind, command) => {
  test.each(Object.entries(ofAll))(
    'that %s is not known, and the next call has another connection',
    async (...[, tamper]) => expect(await endsOf(kind, command, tamper)).toEqual(unknown),
  )
})

test.each(Object.entries(ofFind))('a reply to find that %s is not known', async (...[, tamper]) =>
  expect(await endsOf('find', 'find', tamper)).toEqual(unknown),
)

test.each(Object.entries(ofUpdate))('a reply to updateOne that %s is not known', async (...[, tamper]) =>
  expect(await endsOf('updateOne', 'update', tamper)).toEqual(unknown),
)

test('a later batch that is no array is not known', async () =>
  expect(
    await endsOf('find', 'getMore', sendReply({ cursor: { nextBatch: 5, id: Long.ZERO, ns: 'a.b' }, ok: 1 })),
  ).toEqual(unknown))
