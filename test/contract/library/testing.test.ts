import { EventEmitter, once } from 'node:events'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measure, measureInTurn, testServer, verify } from '../../../src/entries/testing.ts'

const short = { depth: 'quick', rounds: 6, seconds: 0.1, warmupSeconds: 0.05 } as const

let client: MongoClient

beforeAll(async () => {
  const { uri } = await testServer()
  client = new MongoClient(uri, { monitorCommands: true })
  const orders = Array.from({ length: 500 }, (_, number) => ({ _id: number, customer: number % 50 }))
  await client.db('shop').collection<{ _id: number }>('orders').insertMany(orders)
})

afterAll(async () => {
  await client.close()
  const server = await testServer()
  await server.stop()
})

test('a query without an index is found by its plan, and so is one with it', async () => {
  const orders = client.db('shop').collection('orders')
  const find = (collection: typeof orders, number: number) => collection.find({ customer: number % 50 }).toArray()
  const scanning = await measure(find, { on: orders, depth: 'off' })
  const plan = 'find on orders: COLLSCAN'
  expect(() => verify(scanning).toUseIndex()).toSay('call-index-unused', { call: 'find', plan })
  expect(() => verify(scanning).toExamineAtMost(1)).toSay('call-examined-more', { call: 'find', plan, examined: 50 })
  verify(scanning).toSendAtMost(1)

  await orders.createIndex({ customer: 1 })
  const indexed = await measure(find, { on: orders, ...short })
  verify(indexed).toUseIndex('customer_1')
  verify(indexed).toExamineAtMost(1)
  verify(indexed).toHaveNoErrors()
  verify(indexed).toHaveP99Below(10_000)
  verify(indexed).toHaveThroughputAbove(0)
  expect(indexed.calls.ok).toBeGreaterThan(6)
})

async function nPlusOne(given: MongoClient): Promise<void> {
  const orders = given.db('shop').collection('orders')
  for (const { _id } of await orders.find().limit(5).toArray()) await orders.findOne({ _id })
}

test('a query for each document is found by the number of commands', async () => {
  const measured = await measure(nPlusOne, { on: client, depth: 'off' })
  expect(() => verify(measured).toSendAtMost(2)).toSay('call-sent-more', { call: 'nPlusOne', sent: 6 })
})

/** The newest orders of a customer: a page of them, or without a limit all. */
const page =
  (limit: number) =>
  async (given: MongoClient): Promise<void> => {
    const orders = given.db('shop').collection('orders')
    await orders.find({}, { sort: { _id: -1 }, limit, batchSize: 50 }).toArray()
  }

test('reading 100 documents instead of 20 is more work, which is decided without a time', async () => {
  const [twenty, hundred] = [
    await measure(page(20), { on: client, depth: 'off', name: 'page' }),
    await measure(page(100), { on: client, depth: 'off', name: 'page' }),
  ]
  expect(twenty.work).toEqual({
    docsExamined: 20,
    keysExamined: 20,
    docsReturned: 20,
    // An order has two int32 values: 5 bytes of frame, 8 with the key "_id", 13 with "customer".
    bytesReturned: 20 * 28,
    commands: 1,
    roundTrips: 1,
  })
  verify(twenty).toNeedAtMost({ docsExamined: 20, keysExamined: 20, bytesReturned: 560, commands: 1, roundTrips: 1 })
  verify(twenty).toDoNoMoreWorkThan(hundred)
  expect(hundred.work).toMatchObject({ docsExamined: 100, docsReturned: 100, commands: 2, roundTrips: 2 })
  verify(hundred).toExamineAtMost(1)
  expect(() => verify(hundred).toDoNoMoreWorkThan(twenty)).toSay('call-does-more-work')
  verify(hundred).toDoNoMoreWorkThan(twenty, { percent: 400 })
})

const findOrder = (given: MongoClient, _id: number) =>
  given.db('shop').collection<{ _id: number }>('orders').findOne({ _id })

test('commands that are sent together share a round trip', async () => {
  const ids = [1, 2, 3, 4, 5]
  const together = await measure((given) => Promise.all(ids.map((id) => findOrder(given, id))), {
    on: client,
    depth: 'off',
    name: 'together',
  })
  expect(together.work).toMatchObject({ commands: 5, roundTrips: 1, docsReturned: 5, docsExamined: 5 })
  const inTurn = await measure(nPlusOne, { on: client, ...short })
  expect(inTurn.work).toMatchObject({ commands: 6, roundTrips: 6, docsReturned: 10 })
  expect(() => verify(inTurn).toNeedAtMost({ roundTrips: 2 })).toSay('call-needs-more', {
    call: 'nPlusOne',
    needed: 6,
    most: 2,
  })
  expect(inTurn.rounds.every(({ cpuUs }) => cpuUs !== null && cpuUs > 0)).toBe(true)
  verify(inTurn).toNeedAtMost({ cpuUs: 1e9 })
})

test('what other work sends with the same client meanwhile does not count as sent by a call', async () => {
  const [orders, jobs] = [client.db('shop').collection('orders'), client.db('shop').collection('jobs')]
  const work = new EventEmitter()
  const over = new AbortController()
  const polling = (async () => {
    for (; !over.signal.aborted; work.emit('polled')) await jobs.findOne({ state: 'open' })
  })()
  const beside = async (on: typeof orders): Promise<void> => {
    await on.findOne({ _id: 1 as never })
    await once(work, 'polled')
    await once(work, 'polled')
  }
  const measured = await measure(beside, { on: orders, depth: 'off' })
  over.abort()
  await polling
  expect(measured.sent).toMatchObject({ kind: 'seen', calls: [1, 2, 3].map(() => ({ commands: [{ name: 'find' }] })) })
  verify(measured).toSendAtMost(1)
  verify(measured).toUseIndex('_id_')
})

test('a query of a collection that does not exist is no query without an index, and none with one', async () => {
  const [orders, jobs] = [client.db('shop').collection('orders'), client.db('shop').collection('jobs')]
  const both = async (): Promise<void> => {
    await orders.findOne({ _id: 1 as never })
    await jobs.findOne({ state: 'open' })
  }
  verify(await measure(both, { on: client, depth: 'off' })).toUseIndex('_id_')
  const alone = await measure(() => jobs.findOne({ state: 'open' }), { on: client, depth: 'off', name: 'openJob' })
  expect(() => verify(alone).toUseIndex()).toSay('call-read-nothing', { call: 'openJob' })
})

test('writes are explained, and those that fail are counted', async () => {
  const orders = client.db('shop').collection<{ _id: number }>('orders')
  const { update, insert } = await measureInTurn(
    {
      update: (on: typeof orders, number) => on.updateOne({ _id: number % 500 }, { $inc: { changes: 1 } }),
      insert: (on: typeof orders) => on.insertOne({ _id: 1 }),
    },
    { on: orders, ...short },
  )
  verify(update).toUseIndex('_id_')
  verify(update).toHaveNoErrors()
  expect(() => verify(insert).toHaveNoErrors()).toThrow('E11000')
  expect(insert.calls.ok).toBe(0)
  expect(() => verify(insert).toBeNoSlowerThan(update)).toSay('call-never-succeeded', {
    call: 'insert',
    reason: String(insert.errors[0]?.message),
  })
})

test('a client that was connected without reporting commands is named, with the way out', async () => {
  const { uri } = await testServer()
  await using silent = new MongoClient(uri)
  await silent.connect()
  const measured = await measure((given) => given.db('shop').command({ dbStats: 1 }), { on: silent, depth: 'off' })
  expect(() => verify(measured).toSendAtMost(1)).toSay('client-without-command-monitoring')
})

test('without a place, functions get a database of the server of the suite', async () => {
  const first = { _id: 1 as never }
  const measured = await measure(
    (db) => db.collection('numbers').findOneAndUpdate(first, { $inc: { n: 1 } }, { upsert: true }),
    { depth: 'off' },
  )
  expect(measured).toMatchObject({ firstErrors: [], rounds: [] })
  verify(measured).toUseIndex('_id_')
})
