import { deserialize, type Document, Long, ObjectId, serialize } from 'bson'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Outcome } from '../../../src/load/engines/engine.ts'
import { createShares } from '../../../src/load/plan/share.ts'
import { type Connection } from '../../../src/protocol/wire/connection.ts'
import { bodyOffset } from '../../../src/protocol/wire/frame.ts'
import { type RecordedCall } from '../../../src/traffic/recording/recorded-call.ts'
import { createReplayLoad, type Replay } from '../../../src/traffic/replay/replay-load.ts'
import { splitConnections } from '../../../src/traffic/replay/shares.ts'
import { assignSlots } from '../../../src/traffic/replay/slots.ts'
import { surveyCalls } from '../../../src/traffic/replay/survey.ts'
import { Tally } from '../../../src/traffic/replay/tally.ts'
import { virtualTime } from '../../fakes/virtual-time.ts'
import { aCall, aReplyOf as aReply } from '../calls.ts'
import { aRecording } from './a-recording.ts'

type Sent = { readonly connection: number; readonly atMs: number; readonly command: Document }

const selection = { fromUs: 0, untilUs: Infinity, only: undefined, javascript: false, expires: true }

/** Replays calls over connections that reply after a time of their own. */
async function replay(
  calls: readonly RecordedCall[],
  {
    reply = () => ({ ok: 1 }),
    takesMs = () => 1,
    isOver = () => false,
    ...given
  }: Partial<Omit<Replay, 'recording'>> & {
    readonly reply?: (command: Document) => Document
    readonly takesMs?: () => number
    readonly isOver?: () => boolean
  } = {},
) {
  const time = virtualTime()
  const { clock } = time
  const recording = aRecording(calls)
  const sent: Sent[] = []
  const outcomes: { readonly operation: number; readonly kind: Outcome['kind']; readonly ms: number }[] = []
  const opened: number[] = []

  async function connect(): Promise<Connection> {
    const connection = opened.push(0) - 1
    return {
      send(message, handler) {
        const command = deserialize(Buffer.from(message.subarray(bodyOffset)), { promoteLongs: false })
        sent.push({ connection, atMs: clock.now(), command })
        void clock.sleep(takesMs()).then(() => {
          const bytes = Buffer.from(serialize(reply(command)))
          handler.onReply(bytes, 0, bytes.length)
        })
      },
      post(message, onPosted) {
        sent.push({ connection, atMs: clock.now(), command: deserialize(message.subarray(bodyOffset)) })
        onPosted()
      },
      command: async () => ({ ok: 1 }),
      isClosed: () => false,
      close: () => {},
      [Symbol.dispose]: () => {},
    }
  }

  const survey = await surveyCalls(recording.batches(), given.selection ?? selection)
  const tally = new Tally(survey.shapes.list.length)
  const slots = assignSlots(survey.uses, 'as-recorded')
  const whole: Replay = { recording, survey, slots, selection, speed: 1, compareDocuments: false, ...given }
  const load = createReplayLoad(whole, { connect, takesRetries: true, clock, deadlineMs: 30_000, tally })
  await load.engine.warmUp()
  const end = await time.run(() =>
    load.own.loop({
      startMs: 0,
      clock,
      isOver,
      record: ({ operation }, startMs, endMs, { kind }) => void outcomes.push({ operation, kind, ms: endMs - startMs }),
      signal: new AbortController().signal,
      noteIdle: () => {},
      listener: { recordArrival: () => {}, recordDropped: () => {} },
    }),
  )
  return { sent, outcomes, survey, tally, end, load }
}

/** The numbers of finds. */
const ids = (of: readonly Sent[]): readonly number[] => of.map(({ command }) => Number(command['filter']['id']))

const find = (id: number, given: Partial<RecordedCall> = {}) => aCall({ find: 'orders', filter: { id } }, given)

test('calls go out when they are due, at a multiple of their recorded speed', async () => {
  const calls = [5000, 7000, 45_000].map((startUs, id) => find(id, { startUs, connection: id }))
  const { sent, tally } = await replay(calls, { speed: 2 })
  expect(sent.map(({ atMs }) => atMs)).toEqual([0, 1, 20])
  expect(tally).toMatchObject({ due: 3, onTime: 3, held: 0 })
})

test('a call waits for the one before it on its connection, and is late', async () => {
  const calls = [0, 2000].map((startUs, id) => find(id, { startUs }))
  const { sent, tally } = await replay(calls, { takesMs: () => 10 })
  expect(sent.map(({ atMs }) => atMs)).toEqual([0, 10])
  expect(tally).toMatchObject({ due: 2, onTime: 1, held: 1 })
})

test('a call that is due goes out when another one ends, which may be before the timer looks', async () => {
  const calls = [find(0), find(1, { startUs: 200, connection: 1 })]
  const { sent } = await replay(calls, { takesMs: () => 0.3 })
  expect(sent.map(({ atMs }) => atMs)).toEqual([0, 0.3])
})

test('at "max" a call goes out as soon as the one before it on its connection has ended', async () => {
  const calls = [0, 1, 2, 3].map((id) => find(id, { startUs: id * 1e6, connection: id % 2, latencyUs: 5e6 }))
  const { sent, tally, load } = await replay(calls, { speed: 'max', takesMs: () => 4 })
  expect(sent.map(({ atMs, connection }) => [connection, atMs])).toEqual([
    [0, 0],
    [1, 0],
    [0, 4],
    [1, 4],
  ])
  expect(tally.due).toBe(0)
  expect(load.own.endedBecause()).toBe('operations')
})

test('once it is stopped, what waits is not sent, and what is under way is waited for', async () => {
  let isStopped = false
  const takesMs = () => {
    isStopped = true
    return 5
  }
  const calls = [0, 1, 2].map((startUs, id) => find(id, { startUs }))
  const { sent, end, outcomes } = await replay(calls, { speed: 'max', takesMs, isOver: () => isStopped })
  expect(sent).toHaveLength(1)
  expect(outcomes).toHaveLength(1)
  expect(end.endMs).toBe(5)
})

test('the commands of each connection are those of the recording in their order, whatever the interleaving', async () => {
  const planned = fc.array(fc.record({ connection: fc.nat(4), session: fc.option(fc.nat(2)), gapUs: fc.nat(3000) }), {
    maxLength: 40,
  })
  const property = fc.asyncProperty(
    planned,
    fc.infiniteStream(fc.nat(20)),
    fc.constantFrom(1, 10, 'max' as const),
    fc.constantFrom('as-recorded' as const, 1, 3),
    async (given, delays, speed, connections) => {
      let startUs = 0
      const calls = given.map(({ connection, session, gapUs }, id) => {
        startUs += gapUs
        const number =
          session === null ? null : { number: session, transactionNumber: id, transaction: 'none' as const }
        return find(id, { connection, startUs, session: number, latencyUs: 1e6 })
      })
      if (calls.length === 0) return
      const { uses } = await surveyCalls(aRecording(calls).batches(), selection)
      const slots = assignSlots(uses, connections)
      const { sent } = await replay(calls, { speed, slots, takesMs: () => delays.next().value ?? 0 })
      expect(ids(sent).toSorted((one, other) => one - other)).toEqual(calls.map((_, id) => id))
      for (const connection of new Set(calls.map((call) => call.connection))) {
        const own = sent.filter(({ command }) => calls[Number(command['filter']['id'])]?.connection === connection)
        expect(new Set(own.map((one) => one.connection)).size).toBe(1)
        expect(ids(own)).toEqual(ids(own).toSorted((one, other) => one - other))
      }
      const names = new Map<number, Set<string>>()
      for (const { command } of sent) {
        const session = calls[Number(command['filter']['id'])]?.session?.number
        if (session === undefined) continue
        names.set(session, (names.get(session) ?? new Set()).add(command['lsid'].id.toString('hex')))
      }
      expect([...names.values()].every(({ size }) => size === 1)).toBe(true)
      const all = [...names.values()].map((own) => own.values().next().value)
      expect(new Set(all).size).toBe(names.size)
    },
  )
  await fc.assert(property)
})

const batch = (id: bigint, documents: number, name = 'firstBatch') => ({
  ok: 1,
  cursor: { id: Long.fromBigInt(id), ns: 'shop.orders', [name]: Array.from({ length: documents }, (_, a) => ({ a })) },
})

/** The calls of a cursor whose second batch has fewer documents than the recorded one. */
const batches = ({ find: of, getMore }: Document): Document =>
  of ? batch(123n, 2) : getMore ? batch(123n, 1, 'nextBatch') : { ok: 1 }

test('cursors have the ids of the server of the replay, also over another connection', async () => {
  const calls = [
    aCall({ find: 'orders', batchSize: 2 }, { reply: aReply({ cursor: 77n, documents: 2 }) }),
    aCall(
      { getMore: Long.fromNumber(77), collection: 'orders' },
      { startUs: 1, connection: 1, reply: aReply({ cursor: 77n, documents: 2 }) },
    ),
    aCall({ killCursors: 'orders', cursors: [Long.fromNumber(77)] }, { startUs: 2, connection: 2 }),
  ]
  const { sent, tally } = await replay(calls, { reply: batches, takesMs: () => 5 })
  expect(sent.map(({ atMs }) => atMs)).toEqual([0, 5, 10])
  expect(sent[1]?.command['getMore']).toEqual(Long.fromNumber(123))
  expect(sent[2]?.command['cursors']).toEqual([Long.fromNumber(123)])
  expect(tally.shapes.map(({ differing }) => differing)).toEqual([0, 1, 0])
})

test('a batch of a cursor that is exhausted here is counted, and not sent', async () => {
  const calls = [
    aCall({ find: 'orders' }, { reply: aReply({ cursor: 77n, documents: 2 }) }),
    aCall({ getMore: Long.fromNumber(77), collection: 'orders' }, { startUs: 1, reply: aReply({ cursor: 0n }) }),
    find(1, { startUs: 2 }),
  ]
  const { sent, tally } = await replay(calls, { reply: () => batch(0n, 1) })
  expect(sent.map(({ command }) => Object.keys(command)[0])).toEqual(['find', 'find'])
  expect(tally.shapes[1]).toEqual({ differing: 0, notSent: 1 })
})

test('an error that the recording has too is no error of the replay', async () => {
  const duplicate = { ok: 1, n: 0, writeErrors: [{ index: 0, code: 11000, errmsg: 'E11000' }] }
  const inserts = [11000, 0].map((code, startUs) =>
    aCall({ insert: 'orders', documents: [{ _id: 1 }] }, { startUs, reply: aReply({ code, n: code === 0 ? 1 : 0 }) }),
  )
  const { outcomes, tally } = await replay(inserts, { reply: () => duplicate })
  expect(outcomes.map(({ kind }) => kind)).toEqual(['ok', 'failed'])
  expect(tally.shapes[0]?.differing).toBe(1)
})

test('ids that the server made are replaced in later commands', async () => {
  const [recorded, here] = ['a'.repeat(24), 'b'.repeat(24)]
  const calls = [
    aCall(
      { update: 'orders', updates: [{ q: { a: 1 }, u: { $set: { b: 1 } }, upsert: true }] },
      { reply: aReply({ n: 1, nModified: 0, upsertedIds: [recorded] }) },
    ),
    aCall({ find: 'orders', filter: { $or: [{ _id: new ObjectId(recorded) }] } }, { startUs: 1 }),
  ]
  const upserted = { ok: 1, n: 1, nModified: 0, upserted: [{ index: 0, _id: new ObjectId(here) }] }
  const { sent } = await replay(calls, { reply: ({ update }) => (update ? upserted : batch(0n, 0)) })
  expect(sent[1]?.command['filter']).toEqual({ $or: [{ _id: new ObjectId(here) }] })
})

/** Calls of several connections, some of them in sessions, or with cursors that others continue. Their comments are their numbers. */
const sharedCalls = fc
  .array(
    fc.record({
      connection: fc.nat(7),
      session: fc.option(fc.nat(9)),
      cursor: fc.option(fc.nat(3)),
      gapUs: fc.nat(99),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((given) => {
    const opened = new Set<number>()
    let startUs = 0
    return given.map(({ connection, session, cursor, gapUs }, comment) => {
      startUs += gapUs
      const id = cursor === null ? null : BigInt(cursor + 500)
      const command =
        cursor !== null && opened.has(cursor)
          ? { getMore: Long.fromNumber(cursor + 500), collection: 'orders', comment }
          : { find: 'orders', filter: {}, comment }
      if (cursor !== null) opened.add(cursor)
      const number =
        session === null ? null : { number: session, transactionNumber: null, transaction: 'none' as const }
      return aCall(command, { connection, startUs, session: number, reply: aReply({ cursor: id }) })
    })
  })

test('shares have all calls once, and what keeps an order is in one of them, in that order', async () => {
  const property = fc.asyncProperty(
    sharedCalls,
    fc.infiniteStream(fc.nat(20)),
    fc.integer({ min: 1, max: 5 }),
    fc.constantFrom('as-recorded' as const, 5),
    async (calls, delays, agents, connections) => {
      const survey = await surveyCalls(aRecording(calls).batches(), selection)
      const count = Math.min(agents, survey.groups.length)
      const slotsOf = splitConnections(survey, connections, count)
      const ofShares: number[][] = []
      for (const share of createShares(count)) {
        const { sent, load } = await replay(calls, {
          slots: slotsOf(share),
          takesMs: () => delays.next().value ?? 0,
          reply: ({ getMore }) => (getMore ? batch(getMore.toBigInt(), 1, 'nextBatch') : batch(9n, 1)),
        })
        expect(load.own.digest()).toMatch(new RegExp(`-${sent.length}$`))
        ofShares.push(sent.map(({ command }) => Number(command['comment'])))
      }
      expect(ofShares.every((own) => own.length > 0)).toBe(true)
      expect(ofShares.flat().toSorted((one, other) => one - other)).toEqual(calls.map((_, comment) => comment))
      const keys = calls.map(({ connection, session, reply }) => [
        `connection ${connection}`,
        ...(session === null ? [] : [`session ${session.number}`]),
        ...(reply?.cursor ? [`cursor ${reply.cursor}`] : []),
      ])
      for (const key of new Set(keys.flat())) {
        const parts = ofShares.map((own) => own.filter((comment) => keys[comment]?.includes(key)))
        const [part = [], ...others] = parts.filter(({ length }) => length > 0)
        expect(others).toEqual([])
        expect(part).toEqual(part.toSorted((one, other) => one - other))
      }
    },
  )
  await fc.assert(property)
})
