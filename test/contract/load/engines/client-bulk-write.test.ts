import { Binary, type Document, Long, ObjectId, Timestamp } from 'bson'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Outcome } from '../../../../src/load/engines/engine.ts'
import { type Namespace, type Write } from '../../../../src/load/engines/intent.ts'
import { type PhasePlan } from '../../../../src/load/plan/plan.ts'
import { fakeOperation, sendTo } from '../../../fakes/fake-calls.ts'
import { aReply } from '../../../protocol/wire/a-message.ts'
import { sharedServer } from '../../support/shared-servers.ts'
import { startWireTap, type WireTap } from '../../support/wire-tap.ts'
import { argumentsFor, engineOf, type Sender, write } from './both-engines.ts'
import { startTamperingProxy, type TamperingProxy } from './tampering-proxy.ts'

/**
 * Servers before 8.0 do not know the command, so replies to it are made here. Their fields, types and order are those that a primary of 8.0.0-rc7
 * printed in a shell (kevinAlbs/c-bootstrap, investigations/bulkWrite_serverless/README.md), and that tests of the Node.js driver have
 * (Apache-2.0, test/unit/operations/client_bulk_write/results_merger.test.ts).
 */
const server = sharedServer()
let proxy: TamperingProxy
let tap: WireTap

beforeAll(async () => {
  proxy = await startTamperingProxy(server.uri)
  tap = await startWireTap(proxy.uri)
})
afterAll(async () => {
  await tap[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})

type Parts = { readonly [field: string]: unknown }

const counts = { nErrors: 0, nInserted: 1, nMatched: 5, nModified: 4, nUpserted: 2, nDeleted: 6 }
const inserted = (nInserted: number) => ({ nInserted, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 })
const batch = (items: readonly Document[], id = 0, name = 'firstBatch'): Document => ({
  cursor: { id: Long.fromNumber(id), [name]: items, ns: 'admin.$cmd.bulkWrite' },
})
const reply = (items: readonly Document[] = [], more: Parts = {}, id = 0): Document => ({
  ...batch(items, id),
  ...counts,
  ...more,
  ok: 1,
})
const second = new Timestamp({ t: 1_700_000_000, i: 1 })
const unsigned = { hash: new Binary(Buffer.alloc(20)), keyId: Long.ZERO }
/** Fields that the primary of a set adds, before and behind `ok`. */
const byPrimary = {
  ...reply([], { electionId: new ObjectId(), opTime: { ts: second, t: Long.ONE } }),
  $clusterTime: { clusterTime: second, signature: unsigned },
  operationTime: second,
}
const refused = (idx: number, code = 11000): Document => ({ ok: 0, idx, code, errmsg: `no: ${code}`, n: 0 })
const done = (idx: number): Document => ({ ok: 1, idx, n: 1 })
const writeConcernError = { code: 64, errmsg: 'late' }

const things: Namespace = { database: undefined, collection: 'things' }
const others: Namespace = { database: 'elsewhere', collection: 'others' }
const at = (namespace: Namespace, kind: Write['kind'], fields: Document): Write => ({
  ...write(kind, fields),
  namespace,
})

const collation = { locale: 'en', strength: 2 }
const filter = { n: { $gte: 2 } }
const update = { $set: { seen: true } }
const all: readonly Write[] = [
  at(things, 'insertOne', { document: { _id: 1, text: 'a' } }),
  at(others, 'updateOne', { filter, update, upsert: true, hint: { _id: 1 }, collation, sort: { n: 'desc' } }),
  at(things, 'updateMany', { filter, update: [{ $set: { a: 1 } }], arrayFilters: [{ 'e.k': 1 }] }),
  at(others, 'replaceOne', { filter, replacement: { n: 1 }, upsert: true, sort: { _id: -1 } }),
  at(things, 'deleteOne', { filter, hint: 'n_1', collation }),
  at(things, 'deleteMany', { filter }),
]
const text = 'x'.repeat(10 * 1024 * 1024)
const large = Array.from({ length: 6 }, (_, i) => at(things, 'insertOne', { document: { _id: i, text } }))

type Case = {
  readonly writes?: readonly Write[]
  readonly options?: Document
  readonly plan?: Partial<PhasePlan>
  /** To the commands that are sent, in their order. */
  readonly replies: readonly (readonly ['bulkWrite' | 'getMore', Document])[]
}

const first = (document: Document): Case['replies'][number] => ['bulkWrite', document]
const then = (document: Document): Case['replies'][number] => ['getMore', document]
const refusal = { ok: 0, code: 8000, codeName: 'AtlasError', errmsg: 'no', errorLabels: ['A'] }

const cases: Readonly<Record<string, Case>> = {
  'as it is': { replies: [first(reply())] },
  'by the primary of a set': { replies: [first(byPrimary)] },
  // SERVER-113344, as a test of the Java driver has it.
  'with an upsert in its reply though none was asked for': {
    replies: [first(reply([{ ok: 1, idx: 1, n: 1, nModified: 0, upserted: { _id: 1 } }]))],
  },
  'with options': {
    options: { ordered: false, let: { x: 3 }, maxTimeMS: 1000 },
    replies: [first(reply())],
  },
  'in several batches': {
    replies: [
      first(reply([done(0), done(1)], {}, 77)),
      then({ ok: 1, ...batch([done(2), done(3)], 77, 'nextBatch') }),
      then({ ok: 1, ...batch([done(4), done(5)], 0, 'nextBatch') }),
    ],
  },
  'with a write that is refused': { replies: [first(reply([refused(2)], { nErrors: 1 }))] },
  'with a write that is refused after one that is told': {
    replies: [first(reply([done(0), refused(1)], { nErrors: 1 }))],
  },
  'in no order, with writes that are refused': {
    options: { ordered: false },
    replies: [first(reply([refused(2, 121), refused(4)], { nErrors: 2 }))],
  },
  'in no order, with writes that are refused in a later batch': {
    options: { ordered: false },
    replies: [
      first(reply([done(0), done(1)], { nErrors: 1 }, 77)),
      then({ ok: 1, ...batch([refused(2, 121), done(3)], 0, 'nextBatch') }),
    ],
  },
  'with a write concern that is not met': { replies: [first(reply([], { writeConcernError }))] },
  'with both': {
    options: { ordered: false },
    replies: [first(reply([refused(1)], { nErrors: 1, writeConcernError }))],
  },
  'that is refused': { replies: [first(refusal)] },
  'that may have been interrupted': { replies: [first({ ...refusal, code: 11602, codeName: 'Interrupted' })] },
  'whose further batch is refused': {
    replies: [first(reply([done(0)], {}, 77)), then({ ok: 0, code: 43, codeName: 'CursorNotFound', errmsg: 'no' })],
  },
  'of nothing': { writes: [], replies: [] },
  'with an update by a document': {
    writes: [...all, at(things, 'updateOne', { filter, update: { a: 1 } })],
    replies: [],
  },
  'with a replacement by operators': {
    writes: [...all, at(things, 'replaceOne', { filter, replacement: update })],
    replies: [],
  },
  'of 60 MiB': { writes: large, replies: [first(reply([], inserted(4))), first(reply([], inserted(2)))] },
  'of 60 MiB, of which a write is refused': { writes: large, replies: [first(reply([refused(1)], { nErrors: 1 }))] },
  'of 60 MiB in no order, of which writes are refused': {
    writes: large,
    options: { ordered: false },
    replies: [first(reply([refused(0, 121)], { nErrors: 1 })), first(reply([refused(0)], { nErrors: 1 }))],
  },
  'of 60 MiB, whose second command is refused': { writes: large, replies: [first(reply()), first(refusal)] },
  'without acknowledgement, in order': { plan: { writeConcern: { w: 0 } }, replies: [] },
}

type Seen = { readonly outcome: Outcome; readonly sent: readonly unknown[]; readonly unused: number }

async function seenBy(sender: Sender, { writes = all, options = {}, plan = {}, replies }: Case): Promise<Seen> {
  const operation = fakeOperation({ kind: 'clientBulkWrite', reply: 'bulkWrite', collection: 'things' })
  // The tap is slow with megabytes.
  const { uri } = writes === large ? proxy : tap
  const engine = engineOf(sender, uri, 'client_bulk', { ...plan, operations: [operation] })
  await engine.warmUp()
  for (const [command, document] of replies)
    proxy.tamperOnce(command, (_, client, id) => void client.write(aReply(document, id)))
  const from = tap.sent.length
  const given = { writes: structuredClone(writes), options: { ordered: true, ...options } }
  const outcome = await sendTo(engine, { operation: 0, args: argumentsFor(sender, given), bytes: 0 })
  const sent = tap.sent
    .slice(from)
    .map(({ command }) => command)
    .filter((command) => 'bulkWrite' in command || 'getMore' in command)
  await engine.close()
  return { outcome, sent: sent.map(comparable), unused: proxy.forget() }
}

/** What only a driver sends: its sessions, and a read preference that means nothing for a write. */
function comparable({
  lsid: _l,
  txnNumber: _t,
  $clusterTime: _c,
  $readPreference: _r,
  ...command
}: Document): Document {
  return command
}

test.each(Object.entries(cases))('a bulk write of the client %s is the same through both engines', async (_, one) => {
  const byDriver = await seenBy('driver', one)
  expect(await seenBy('wire', one)).toEqual(byDriver)
  expect(await seenBy('encoded', one)).toEqual(byDriver)
})
