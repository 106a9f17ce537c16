import { EJSON, ObjectId } from 'bson'
import { type MongoClient } from 'mongodb'
import { expect, test } from 'vitest'
import { compileOperation } from '../../../../src/verdicts/testing/work/compile-operation.ts'
import { workOfOperation } from '../../../../src/verdicts/testing/work/operation-work.ts'
import { type OperationSubject } from '../../../../src/verdicts/testing/work/subject.ts'
import { type OperationInput } from '../../../../src/verdicts/testing/work/work.ts'

const nothing = {} as never

/** A database of which nothing is read. */
const placeWith = (collection?: string): OperationSubject => ({
  client: nothing as MongoClient,
  database: { databaseName: 'shop' } as OperationSubject['database'],
  collection,
})

const compiled = (operation: OperationInput, { collection = undefined as string | undefined, seed = 1 } = {}) =>
  compileOperation(operation, placeWith(collection), { name: 'read', seed, workers: 4, ejson: EJSON })

async function argumentsOf(operation: OperationInput, seed = 1): Promise<readonly unknown[]> {
  const { next } = (await compiled(operation, { seed })).calls('measured')
  return Array.from({ length: 20 }, () => next().args)
}

const byCustomer: OperationInput = {
  kind: 'findOne',
  collection: 'orders',
  filter: { customer: { '@int': { min: 1, max: 100 } } },
}

test('the values of an operation are drawn from the seed', async () => {
  const drawn = await argumentsOf(byCustomer)
  expect(new Set(drawn.map((args) => JSON.stringify(args))).size).toBeGreaterThan(10)
  expect(await argumentsOf(byCustomer)).toEqual(drawn)
  expect(await argumentsOf(byCustomer, 2)).not.toEqual(drawn)
})

test('an operation without a collection works on that of the place', async () => {
  const place = async (operation: OperationInput) =>
    (await compiled(operation, { collection: 'invoices' })).operations[0]
  expect(await place({ kind: 'findOne', filter: {} })).toMatchObject({ database: 'shop', collection: 'invoices' })
  expect(await place(byCustomer)).toMatchObject({ database: 'shop', collection: 'orders' })
  await expect(compiled({ kind: 'findOne', filter: {} })).rejects.toThrow('read: "collection" is missing')
})

test('a write to several collections names each', async () => {
  const phase = await compiled({
    kind: 'clientBulkWrite',
    operations: [
      { insertOne: { collection: 'orders', document: { n: 1 } } },
      { deleteOne: { collection: 'customers', filter: { n: 2 } } },
    ],
  })
  expect(phase.calls('measured').next().args.writes).toMatchObject([
    { namespace: { database: 'shop', collection: 'orders' } },
    { namespace: { database: 'shop', collection: 'customers' } },
  ])
})

test('values of BSON and dates stay what they are', async () => {
  const id = new ObjectId()
  const date = new Date(0)
  const [args] = await argumentsOf({
    kind: 'find',
    collection: 'orders',
    filter: { _id: id, date: { $gt: date }, name: /^a/i, total: 5n },
    limit: 5,
  })
  expect(args).toMatchObject({ filter: { _id: id, date: { $gt: date } }, options: { limit: 5 } })
})

test('an operator that specs must allow needs no permission in a test', async () => {
  const [args] = await argumentsOf({ kind: 'findOne', collection: 'orders', filter: { $where: 'true' } })
  expect(args).toMatchObject({ filter: { $where: 'true' } })
})

test.each<[string, unknown, string]>([
  ['an unknown key', { ...byCustomer, filterr: {} }, 'read: filterr: unknown key "filterr"'],
  [
    'an unknown keyword',
    { ...byCustomer, filter: { n: { '@intt': [1, 2] } } },
    'read: filter.n.@intt: unknown keyword',
  ],
  ['an unknown kind', { kind: 'findTwo' }, 'unknown kind "findTwo"'],
  ['a wrong value', { ...byCustomer, limit: -1, kind: 'find' }, 'read: limit: must be'],
  ['a value that is no update', { ...byCustomer, kind: 'updateOne', update: { n: 1 } }, 'read: update: must be'],
  ['a row', { ...byCustomer, filter: { _id: { '@row': {} } } }, '"@row" works only in the documents of data sets'],
  ['a key', { ...byCustomer, filter: { _id: { '@key': {} } } }, 'read: filter._id'],
  [
    'the next row',
    { kind: 'insertOne', collection: 'orders', document: { _id: { '@nextRow': {} } } },
    '"@nextRow" counts',
  ],
  ['no document', { kind: 'insertOne', collection: 'orders' }, 'give the operation a "document"'],
  ['a collection of the server', { ...byCustomer, collection: 'system.users' }, 'read: the collection "system.users"'],
  ['a function', { ...byCustomer, filter: { n: () => 1 } }, '"n" is a function'],
])('%s is refused with its path', async (_, operation, message) => {
  await expect(compiled(operation as OperationInput)).rejects.toMatchObject({
    code: 'spec-invalid',
    message: expect.stringContaining(message),
  })
})

test.each(['steps', 'transaction', 'changeStream'])('%s is refused by its kind', async (kind) => {
  await expect(compiled({ kind } as never)).rejects.toThrow(
    `An operation of kind "${kind}" is not one call, and cannot be measured here`,
  )
})

test('a function that specs call is to be handed in itself', async () => {
  await expect(compiled({ kind: 'function', function: 'orders' } as never)).rejects.toMatchObject({
    code: 'usage',
    hint: 'Hand in the function itself: measure(function, { on }).',
  })
})

test('a client of another copy of the driver needs that driver', async () => {
  const other = { on() {}, off() {}, db: () => ({ databaseName: 'shop' }) }
  const settings = { name: 'read', seed: 1, workers: 1, driver: undefined }
  await expect(workOfOperation(byCustomer, { watched: other, timed: other }, settings)).rejects.toMatchObject({
    code: 'usage',
    hint: expect.stringContaining('{ on, driver: mongodb }'),
  })
})
