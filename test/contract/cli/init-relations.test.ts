import { type Document, ObjectId } from 'bson'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { specFromCollection } from '../../../src/sources/init/make-spec.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { startContext } from '../support/start-context.ts'

const server = sharedServer()
const database = 'init_relations'
const shop = () => server.client.db(database)

beforeAll(async () => {
  const customers = Array.from({ length: 200 }, (_, i) => ({ _id: new ObjectId(), name: `Name ${i}` }))
  const countries = ['NO', 'SE', 'DK', 'FI'].map((_id) => ({ _id, name: `Country ${_id}` }))
  const orders = Array.from({ length: 1000 }, (_, _id) => ({
    _id,
    // One of ten points to a customer who is gone.
    customer: _id % 10 === 0 ? new ObjectId() : customers[(_id * 7) % 200]?.['_id'],
    country: countries[_id % 4]?.['_id'],
    clerk: new ObjectId(),
  }))
  await shop().collection<Document>('customers').insertMany(customers)
  await shop().collection<Document & { _id: string }>('countries').insertMany(countries)
  await shop().collection<Document & { _id: number }>('orders').insertMany(orders)
  await shop().collection('orders').createIndex({ customer: 1 })
})

afterAll(async () => void (await shop().dropDatabase()))

test('fields that hold keys of other collections refer to them, and init says how many of their values do', async () => {
  const options = { sample: 1000, keepValues: true, existing: false }
  await using start = await startContext({ uri: () => server.uri })
  const made = await specFromCollection(`${database}.orders`, options, start)
  const [orders, ...others] = made.spec['data'] as readonly JsonObject[]
  expect(orders?.['document']).toMatchObject({
    customer: { '@ref': { collection: 'customers' } },
    country: { '@ref': { collection: 'countries' } },
    clerk: { '@objectId': {} },
  })
  expect(others.map(({ collection }) => collection)).toEqual(['customers', 'countries'])
  expect(made.notes).toContain(
    'orders.country holds keys of countries: 100 % of the values looked up are an "_id" there.',
  )
  expect(made.notes.some((note) => /^orders\.customer holds keys of customers: (8\d|9\d) % /.test(note))).toBe(true)

  const spec = { ...made.spec, target: { kind: 'existing' } } as JsonObject & SpecInput
  const { variants } = await run(spec, { uri: server.uri, profile: 'smoke', set: { seconds: 0.2, warmupSeconds: 0.1 } })
  expect(variants[0]?.phases.flatMap(({ operations }) => operations.flatMap(({ errors }) => errors))).toEqual([])
  const ours = server.client.db(`mongoperf_${String(spec['name']).replaceAll('-', '_')}`)
  const loose = [
    { $match: { _id: { $lt: 1000 } } },
    { $lookup: { from: 'customers', localField: 'customer', foreignField: '_id', as: 'found' } },
    { $match: { found: { $size: 0 } } },
    { $count: 'n' },
  ]
  expect(await ours.collection('orders').aggregate(loose).toArray()).toEqual([])
})
