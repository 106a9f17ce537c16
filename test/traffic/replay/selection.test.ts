import { Code, type Document, Long } from 'bson'
import { expect, test } from 'vitest'
import { type RecordedCall, type RecordedSession } from '../../../src/traffic/recording/recorded-call.ts'
import { selectCalls, type Selection } from '../../../src/traffic/replay/selection.ts'
import { aCall, aReplyOf as aReply } from '../calls.ts'

const everything: Selection = { fromUs: 0, untilUs: Infinity, only: undefined, javascript: false, expires: true }

/** The fates of calls: "sent", "writes", or why they are left out. */
function fates(calls: readonly RecordedCall[], selection: Partial<Selection> = {}): readonly string[] {
  const decide = selectCalls({ ...everything, ...selection })
  return calls.map((call) => {
    const fate = decide(call)
    return 'leftOut' in fate ? fate.leftOut : fate.writes ? 'writes' : 'sent'
  })
}

test('logins, monitoring, ends of sessions and administration are left out by name, and what is not known too', () => {
  const commands: readonly Document[] = [
    { hello: 1 },
    { saslStart: 1 },
    { ping: 1 },
    { endSessions: [] },
    { shutdown: 1 },
    { dropDatabase: 1 },
    { drop: 'orders' },
    { constructor: 1 },
    { find: 'orders' },
    { insert: 'orders' },
    { aggregate: 'orders', pipeline: [{ $match: {} }] },
    { aggregate: 'orders', pipeline: [{ $match: {} }, { $merge: 'other' }] },
    { aggregate: 'orders', pipeline: [{ $changeStream: {} }, { $match: {} }] },
    { find: 'log', tailable: true, awaitData: true },
    { find: 'log', tailable: false },
  ]
  const administration = 'administration, and what drops or renames'
  expect(fates(commands.map((command) => aCall(command)))).toEqual([
    'handshakes and logins',
    'handshakes and logins',
    'monitoring',
    'ends of sessions',
    `${administration}: shutdown`,
    `${administration}: dropDatabase`,
    `${administration}: drop`,
    `${administration}: constructor`,
    'sent',
    'writes',
    'sent',
    'writes',
    'change streams and tailable cursors',
    'change streams and tailable cursors',
    'sent',
  ])
  expect(fates([aCall({ find: 'system.users' }, { database: 'admin' })])).toEqual([`${administration}: find on admin`])
})

const more = (id: number, cursor: bigint): RecordedCall =>
  aCall({ getMore: Long.fromNumber(id), collection: 'orders' }, { startUs: 5, reply: aReply({ cursor }) })

test('a cursor is continued only where its first batch is replayed, until it is exhausted', () => {
  const opened = aCall({ find: 'orders' }, { reply: aReply({ cursor: 7n }) })
  expect(fates([opened, more(7, 7n), more(7, 0n), more(7, 0n)])).toEqual([
    'sent',
    'sent',
    'sent',
    'continued cursors whose first batch is left out',
  ])
  expect(fates([opened, more(7, 7n)], { fromUs: 1 })).toEqual([
    'outside of --from and --until',
    'continued cursors whose first batch is left out',
  ])
  expect(fates([opened, more(7, 0n)], { only: new Set(['find']) })).toEqual(['sent', 'sent'])
})

const at = (transaction: RecordedSession['transaction'], startUs: number): Partial<RecordedCall> => ({
  startUs,
  session: { number: 3, transactionNumber: 8, transaction },
})

test('a transaction is replayed from its start on, or not at all', () => {
  const calls = [
    aCall({ insert: 'orders' }, at('starts', 0)),
    aCall({ find: 'orders' }, at('continues', 1)),
    aCall({ commitTransaction: 1 }, { ...at('continues', 2), database: 'admin' }),
  ]
  expect(fates(calls)).toEqual(['writes', 'sent', 'sent'])
  const noStart = 'transactions whose start is left out'
  expect(fates(calls, { fromUs: 1 })).toEqual(['outside of --from and --until', noStart, noStart])
  expect(fates(calls, { only: new Set(['find']) })).toEqual(['commands that --only does not name', noStart, noStart])
})

const failed = (code: number) => ({ reply: aReply({ ok: false, code }) })
const [elected, endedByTransaction] = [failed(11_602), failed(251)]

test('what an election ended is left out, and commits that failed: the application sent them again, or gave up', () => {
  const commit = (startUs: number, how: Partial<RecordedCall> = {}) =>
    aCall({ commitTransaction: 1 }, { ...at('continues', startUs), database: 'admin', ...how })
  const ended = 'calls that an election ended'
  const insert = aCall({ insert: 'orders' })
  expect(fates([{ ...insert, ...elected }, insert, { ...insert, ...endedByTransaction }])).toEqual([
    ended,
    'writes',
    'writes',
  ])
  const start = aCall({ insert: 'orders' }, at('starts', 0))
  expect(fates([start, commit(1, elected), commit(2)])).toEqual(['writes', ended, 'sent'])
  expect(fates([start, commit(1, elected), commit(2, endedByTransaction)])).toEqual([
    'writes',
    ended,
    'commits that failed',
  ])
  expect(fates([{ ...start, ...elected }, commit(1)])).toEqual([ended, 'transactions whose start is left out'])
})

test('--from and --until count from the first call, and a slow call that began before it is there', () => {
  const calls = [30e6, 29e6, 32e6, 34e6].map((startUs) => aCall({ find: 'orders' }, { startUs }))
  const outside = 'outside of --from and --until'
  expect(fates(calls, { untilUs: 3e6 })).toEqual(['sent', 'sent', 'sent', outside])
  expect(fates(calls, { fromUs: 1e6 })).toEqual([outside, outside, 'sent', 'sent'])
})

test('calls that run JavaScript on the server are sent only where that is allowed', () => {
  const body = { $function: { body: 'function () { return 1 }', args: [], lang: 'js' } }
  const commands: readonly Document[] = [
    { find: 'a', filter: { $or: [{ b: 1 }, { $where: 'true' }] } },
    { find: 'a', filter: { $expr: body } },
    { find: 'a', projection: { b: body } },
    { count: 'a', query: { $where: new Code('true') } },
    { distinct: 'a', key: 'b', query: { $nor: [{ $where: 'true' }] } },
    { aggregate: 'a', pipeline: [{ $group: { _id: null, b: { $accumulator: {} } } }] },
    { aggregate: 'a', pipeline: [{ $lookup: { from: 'b', pipeline: [{ $set: { c: body } }], as: 'c' } }] },
    { aggregate: 'a', pipeline: [{ $set: { b: { $_internalJsEmit: {} } } }] },
    { explain: { find: 'a', filter: { $where: 'true' } } },
    { update: 'a', updates: [{ q: { $where: 'true' }, u: { $set: { b: 1 } } }] },
    { update: 'a', updates: [{ q: {}, u: [{ $set: { b: body } }] }] },
    { delete: 'a', deletes: [{ q: { $where: 'true' }, limit: 0 }] },
    { findAndModify: 'a', query: { $where: 'true' }, remove: true },
    { bulkWrite: 1, ops: [{ delete: 0, filter: { $where: 'true' } }], nsInfo: [{ ns: 'shop.a' }] },
    { create: 'a', viewOn: 'b', pipeline: [{ $set: { c: body } }] },
  ]
  const calls = commands.map((command) => aCall(command))
  const reason = 'JavaScript for the server, which --allow-javascript sends'
  expect(fates(calls)).toEqual(commands.map(() => reason))
  expect(fates(calls, { javascript: true })).not.toContain(reason)
  const others: readonly Document[] = [
    { find: 'a', filter: { b: '$where' }, projection: { c: '$function' } },
    { find: 'a', filter: { where: 1 } },
  ]
  expect(fates(others.map((command) => aCall(command)))).toEqual(['sent', 'sent'])
  const opened = aCall({ find: 'a', filter: { $where: 'true' } }, { reply: aReply({ cursor: 7n }) })
  expect(fates([opened, more(7, 0n)])).toEqual([reason, 'continued cursors whose first batch is left out'])
})
