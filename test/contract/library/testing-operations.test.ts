import { type Collection, type CommandStartedEvent, type Db, MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measure, measureInTurn, type OperationInput, testServer, verify } from '../../../src/entries/testing.ts'

const short = { depth: 'quick', rounds: 6, seconds: 0.1, warmupSeconds: 0.05 } as const

type Order = { readonly _id: number; readonly customer: number }

let client: MongoClient
let db: Db
let orders: Collection<Order>

beforeAll(async () => {
  const { uri } = await testServer()
  client = new MongoClient(uri, { monitorCommands: true })
  db = client.db('shop-of-operations')
  orders = db.collection<Order>('orders')
  await orders.insertMany(Array.from({ length: 500 }, (_, number) => ({ _id: number, customer: number % 50 })))
})

afterAll(async () => {
  await db.dropDatabase()
  await client.close()
  const server = await testServer()
  await server.stop()
})

const byId: OperationInput = { kind: 'findOne', filter: { _id: { '@int': { min: 0, max: 499 } } } }

const byCustomer: OperationInput = {
  kind: 'find',
  name: 'ordersOfCustomer',
  collection: 'orders',
  filter: { customer: { '@int': { min: 0, max: 49 } } },
}

test('an operation is measured on a collection, which is left as it is', async () => {
  const measurement = await measure(byId, { on: orders, ...short })
  expect(measurement).toMatchObject({ name: 'findOne', firstErrors: [], errors: [], notTimed: null })
  expect(measurement.calls.ok).toBeGreaterThan(6)
  expect(measurement.rounds).toHaveLength(6)
  verify(measurement).toUseIndex('_id_')
  verify(measurement).toSendAtMost(1)
  verify(measurement).toHaveNoErrors()
  expect(await orders.countDocuments()).toBe(500)
  expect((await orders.indexes()).map(({ name }) => name)).toEqual(['_id_'])
  expect((await db.listCollections().toArray()).map(({ name }) => name)).toEqual(['orders'])
})

test('an operation names its collection where a database is given, and a rate is an open loop', async () => {
  const measurement = await measure(byCustomer, { on: db, ...short, load: { ratePerSecond: 100 } })
  expect(measurement).toMatchObject({ name: 'ordersOfCustomer', calls: { ok: 60, failed: 0 } })
  const [call, plan] = ['ordersOfCustomer', 'find on orders: COLLSCAN']
  expect(() => verify(measurement).toUseIndex()).toSay('call-index-unused', { call, plan })
  expect(() => verify(measurement).toExamineAtMost(1)).toSay('call-examined-more', { call, plan, examined: 50 })
})

test('without a place it works in the database of the server of the suite, and with a client or a URI in its default one', async () => {
  const { uri } = await testServer()
  const insert: OperationInput = { kind: 'insertOne', collection: 'fromOperation', document: { at: { '@now': {} } } }
  await measure(insert, { depth: 'off' })
  await measure(insert, { depth: 'off', on: uri })
  await measure(insert, { depth: 'off', on: client })
  expect(await client.db().collection('fromOperation').countDocuments()).toBe(9)
  await client.db().collection('fromOperation').drop()
})

test('operations are sent with the concerns of their collection', async () => {
  const seen: unknown[] = []
  const note = ({ command }: CommandStartedEvent): void => void seen.push(command['readConcern'])
  client.on('commandStarted', note)
  await measure(byId, { on: db.collection('orders', { readConcern: { level: 'majority' } }), depth: 'off' })
  client.off('commandStarted', note)
  expect(seen.filter((readConcern) => readConcern !== undefined)).toContainEqual(
    expect.objectContaining({ level: 'majority' }),
  )
})

test('values that stand in the collection can be drawn', async () => {
  const sampled: OperationInput = { kind: 'countDocuments', filter: { customer: { '@sample': { path: 'customer' } } } }
  const measurement = await measure(sampled, { on: orders, depth: 'off' })
  expect(measurement.firstErrors).toEqual([])
  const nowhere: OperationInput = { kind: 'findOne', filter: { a: { '@sample': { path: 'nowhere' } } } }
  await expect(measure(nowhere, { on: orders })).rejects.toSay('sample-path-empty', {
    collection: 'orders',
    path: 'nowhere',
  })
})

test('functions and operations are measured in turn, and errors of the server are counted', async () => {
  const { asFunction, asOperation, duplicate } = await measureInTurn(
    {
      asFunction: (on: typeof orders, number) => on.findOne({ _id: number % 500 }),
      asOperation: byId,
      duplicate: { kind: 'insertOne', document: { _id: 1 } },
    },
    { on: orders, ...short },
  )
  expect(asFunction.series).toBe(asOperation.series)
  expect([asFunction, asOperation].map(({ calls }) => calls.failed)).toEqual([0, 0])
  expect(() => verify(duplicate).toHaveNoErrors()).toThrow('E11000')
  expect(duplicate.errors).toMatchObject([{ code: '11000', name: 'DuplicateKey' }])
})

test('numbers of a counter go on from the first calls to the last round', async () => {
  const numbered = db.collection('numbered')
  const next = { '@pickRow': { distribution: 'sequential', count: 1_000_000 } }
  const measurement = await measure({ kind: 'insertOne', document: { _id: next } }, { on: numbered, ...short })
  expect(measurement).toMatchObject({ firstErrors: [], errors: [] })
  await numbered.drop()
})
