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
  await expect(compiled({ kind: 'findOne', filter: {} })).rejects.toSay('operation-without-collection')
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

const insert = { kind: 'insertOne', collection: 'orders' }

test.each<[string, unknown, string]>([
  ['an unknown key', { ...byCustomer, filterr: {} }, 'operation-key-unknown'],
  ['an unknown keyword', { ...byCustomer, filter: { n: { '@intt': [1, 2] } } }, 'operation-keyword-unknown'],
  ['an unknown kind', { kind: 'findTwo' }, 'operation-kind-unknown'],
  ['a wrong value', { ...byCustomer, limit: -1, kind: 'find' }, 'operation-limit-wrong'],
  ['a value that is no update', { ...byCustomer, kind: 'updateOne', update: { n: 1 } }, 'operation-update-wrong'],
  ['a row', { ...byCustomer, filter: { _id: { '@row': {} } } }, 'operation-with-row'],
  ['a key', { ...byCustomer, filter: { _id: { '@key': {} } } }, 'operation-with-key'],
  ['the next row', { ...insert, document: { _id: { '@nextRow': {} } } }, 'operation-with-next-row'],
  ['no document', insert, 'operation-without-document'],
  ['a collection of the server', { ...byCustomer, collection: 'system.users' }, 'operation-on-system-collection'],
  ['a function', { ...byCustomer, filter: { n: () => 1 } }, 'operation-with-function'],
])(
  '%s is refused with its path',
  async (_, operation, code) => await expect(compiled(operation as OperationInput)).rejects.toSay(code),
)

test.each(['steps', 'transaction', 'changeStream'])(
  '%s is refused by its kind',
  async (kind) => await expect(compiled({ kind } as never)).rejects.toSay('operation-not-one-call', { kind }),
)

test('a function that specs call is to be handed in itself', async () =>
  await expect(compiled({ kind: 'function', function: 'orders' } as never)).rejects.toSay('operation-of-function'))

test('a client of another copy of the driver needs that driver', async () => {
  const other = { on() {}, off() {}, db: () => ({ databaseName: 'shop' }) }
  const settings = { name: 'read', seed: 1, workers: 1, driver: undefined }
  const work = workOfOperation(byCustomer, { watched: other, timed: other }, settings)
  await expect(work).rejects.toSay('operation-of-other-driver')
})
