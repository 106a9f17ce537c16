import { type Document, Long, serialize } from 'bson'
import { array, constantFrom, nat, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Reply } from '../../../../src/load/engines/engine.ts'
import type { MethodKind, NamedArguments } from '../../../../src/load/engines/intent.ts'
import { wireMethods } from '../../../../src/load/engines/wire/commands/index.ts'
import { Message } from '../../../../src/load/engines/wire/message.ts'
import type { Exchange } from '../../../../src/load/engines/wire/method.ts'
import { MalformedBson } from '../../../../src/protocol/bson/types.ts'
import { getOperation } from '../../../../src/spec/operations/index.ts'
import { fail } from '../../../fakes/fail.ts'
import { fakeOperation, fakePhase } from '../../../fakes/fake-calls.ts'
import { forAll } from '../../../fakes/for-all.ts'

const cursor = (id: number, name = 'firstBatch'): Document => ({
  cursor: {
    [name]: [
      { _id: 1, text: 'a' },
      { _id: 2, list: [1, { a: null }] },
    ],
    id: Long.fromNumber(id),
    ns: 'a.rows',
  },
  ok: 1,
})
const refusal = {
  ok: 0,
  errmsg: 'no',
  code: 112,
  codeName: 'WriteConflict',
  errorLabels: ['TransientTransactionError'],
}
const written = { n: 1, nModified: 1, ok: 1 }
const troubled = {
  n: 1,
  nModified: 0,
  writeErrors: [{ index: 0, code: 11000, errmsg: 'E11000', keyValue: { _id: 1 } }],
  writeConcernError: { code: 64, errmsg: 'late', errInfo: { wtimeout: true } },
  ok: 1,
}
const upserted = { n: 1, nModified: 0, upserted: [{ index: 0, _id: 5 }], ok: 1 }
const changed = { lastErrorObject: { n: 1, updatedExisting: true }, value: { _id: 1, n: 5 }, ok: 1 }
const added = { lastErrorObject: { n: 1, updatedExisting: false, upserted: 5 }, value: null, ok: 1 }
const ofWrites = [written, troubled, upserted]
const ofClientBulk = [
  { cursor: { firstBatch: [{ ok: 0, idx: 0, code: 11000, errmsg: 'E11000' }], id: Long.ZERO, ns: 'a.b' }, nErrors: 1 },
  { cursor: { firstBatch: [], id: Long.fromNumber(7), ns: 'admin.$cmd.bulkWrite' }, nErrors: 0 },
].map((reply) => Object.assign(reply, { nInserted: 1, nMatched: 2, nModified: 3, nUpserted: 4, nDeleted: 5, ok: 1 }))

const filter = {}
const update = { $set: { n: 1 } }
const writes = [
  { kind: 'insertOne', namespace: undefined, fields: { document: { _id: 1 } } },
  { kind: 'updateOne', namespace: undefined, fields: { filter, update } },
  { kind: 'deleteOne', namespace: undefined, fields: { filter } },
] as const

type Given = { readonly args: Omit<NamedArguments, 'options'>; readonly replies: readonly Document[] }

const given: Readonly<Partial<Record<MethodKind, Given>>> = {
  insertOne: { args: { document: { _id: 1 } }, replies: ofWrites },
  insertMany: { args: { documents: [{ _id: 1 }] }, replies: ofWrites },
  findOne: { args: { filter }, replies: [cursor(0)] },
  find: { args: { filter }, replies: [cursor(0), cursor(99), cursor(99, 'nextBatch')] },
  aggregate: { args: { pipeline: [] }, replies: [cursor(0), cursor(99)] },
  countDocuments: { args: { filter }, replies: [{ cursor: { firstBatch: [{ _id: 1, n: 7 }], id: Long.ZERO }, ok: 1 }] },
  estimatedDocumentCount: { args: {}, replies: [{ n: 7, ok: 1 }] },
  distinct: { args: { key: 'n', filter }, replies: [{ values: [1, 'a', null, {}], ok: 1 }] },
  updateOne: { args: { filter, update }, replies: ofWrites },
  updateMany: { args: { filter, update }, replies: ofWrites },
  replaceOne: { args: { filter, replacement: {} }, replies: ofWrites },
  deleteOne: { args: { filter }, replies: ofWrites },
  deleteMany: { args: { filter }, replies: ofWrites },
  findOneAndUpdate: { args: { filter, update }, replies: [changed, added] },
  findOneAndReplace: { args: { filter, replacement: {} }, replies: [changed] },
  findOneAndDelete: { args: { filter }, replies: [changed] },
  bulkWrite: { args: { writes }, replies: ofWrites },
  clientBulkWrite: { args: { writes }, replies: ofClientBulk },
  command: { args: { command: { ping: 1 } }, replies: [{ ok: 1, a: [1, { b: 'c' }] }] },
}

function exchangeOf(kind: MethodKind): Exchange {
  const { reply } = getOperation(kind)
  const method = fakeOperation({ kind, reply, documentIsRead: true })
  const create = wireMethods[kind] ?? fail(kind)
  return create({ method, database: 'a', concerns: fakePhase(), readPreference: undefined })()
}

type Ended = Reply | Error | undefined

/** What an exchange makes of one reply to its call. */
function takeOnce(exchange: Exchange, args: Given['args'], bytes: Buffer): Ended {
  const message = new Message()
  exchange.begin({ ...args, options: {} }, message)
  try {
    return exchange.take(bytes, 0, bytes.length, message)
  } catch (error) {
    return error as Error
  }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

function isSound(ended: Ended): boolean {
  if (ended === undefined) return true
  if (ended instanceof Error) return ended.name !== ''
  const { document, ...counts } = ended
  return Object.values(counts).every(isCount) && (document === null || document.length >= 5)
}

/** Bytes of a reply that are others than those that were sent. */
const flips = array(tuple(nat(10_000), nat(255)), { minLength: 1, maxLength: 4 })

test('every kind of call is here', () =>
  expect(Object.keys(given).toSorted()).toEqual(Object.keys(wireMethods).toSorted()))

describe.each(Object.entries(given) as [MethodKind, Given][])('%s', (kind, { args, replies }) => {
  const exchange = exchangeOf(kind)
  const valid = [...replies, refusal].map((reply) => Buffer.from(serialize(reply)))

  test('takes a reply that is whole', () => {
    for (const bytes of valid) expect(takeOnce(exchange, args, bytes)).not.toBeInstanceOf(MalformedBson)
  })

  test('makes counts of a reply whose bytes were changed, or an error', () =>
    forAll(constantFrom(...valid), flips, (whole, changes) => {
      const bytes = Buffer.from(whole)
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte
      expect(takeOnce(exchange, args, bytes)).toSatisfy(isSound)
    }))

  test('makes counts of a reply that is cut off, or an error', () => {
    for (const whole of valid)
      for (let length = 0; length < whole.length; length++)
        expect(takeOnce(exchange, args, Buffer.from(whole.subarray(0, length)))).toBeInstanceOf(Error)
  })

  // Of a command nothing else is known.
  test.runIf(kind !== 'command')('does not take a reply that says nothing but "ok" for one to it', () =>
    expect(takeOnce(exchange, args, Buffer.from(serialize({ ok: 1 })))).toBeInstanceOf(MalformedBson),
  )
})
