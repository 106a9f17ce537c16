import { afterAll, beforeEach, expect, test } from 'vitest'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { type Result } from '../../../src/results/schema.ts'
import { startGate } from '../support/gate.ts'
import { sharedPrimary } from '../support/shared-servers.ts'

const server = sharedPrimary()
const engines = ['driver', 'wire'] as const

const ofTenant = { '@concat': ['tenant', { '@int': { min: 0, max: 4 } }] }
const ofShop = { collection: { '@choice': { values: ['bills0', 'bills1', 'bills2'], weights: [3, 1, 1] } } }

const spec = {
  name: 'many-collections',
  variants: { engine: engines },
  data: [
    {
      collection: 'tenant',
      collections: { '@map': { input: { '@range': [0, 5] }, as: 'n', in: { '@concat': ['tenant', { '@var': 'n' }] } } },
      rows: 40,
      document: { _id: { '@row': {} }, n: 0 },
      indexes: [{ key: { n: 1 } }],
    },
    {
      collection: 'bills',
      collections: ['bills0', 'bills1', 'bills2'],
      rows: 10,
      document: { _id: { '@row': {} }, n: 0 },
    },
  ],
  engine: { '@param': 'engine' },
  phases: [
    {
      name: 'mix',
      load: { kind: 'closed', workers: 3 },
      stopAfter: { operations: 300 },
      operations: [
        { kind: 'findOne', collection: ofTenant, filter: { _id: { '@key': { count: 40 } } }, expectDocuments: 1 },
        { kind: 'insertOne', collection: ofTenant },
        { kind: 'updateOne', ...ofShop, filter: { _id: { '@key': { count: 10 } } }, update: { $inc: { n: 1 } } },
        { kind: 'find', ...ofShop, batchSize: 3, expectDocuments: 10 },
        { kind: 'countDocuments', collection: 'tenant3' },
        {
          kind: 'bulkWrite',
          ...ofShop,
          operations: [{ updateOne: { filter: { _id: { '@key': { count: 10 } } }, update: { $inc: { n: 1 } } } }],
        },
        {
          kind: 'transaction',
          steps: [
            { kind: 'updateOne', ...ofShop, filter: { _id: 1 }, update: { $inc: { n: 1 } } },
            { kind: 'findOne', name: 'after', collection: ofTenant, filter: { _id: 2 } },
          ],
        },
      ],
    },
  ],
  report: { tables: [{ title: 'T', columns: ['storage.dataMB'] }] },
} as unknown as SpecInput

const ours = 'mongoperf_many_collections'
const databases = async (): Promise<readonly string[]> =>
  (await server.client.db('admin').admin().listDatabases({ nameOnly: true })).databases
    .map(({ name }) => name)
    .filter((name) => name.startsWith(ours))

beforeEach(async () => {
  for (const name of await databases()) await server.client.db(name).dropDatabase()
})
afterAll(async () => {
  for (const name of await databases()) await server.client.db(name).dropDatabase()
})

const mixOf = ({ variants }: Result) => variants.map(({ phases }) => phases[0])

test('both engines make the same calls in the same collections of many', async () => {
  const result = await run(spec, { uri: server.uri })
  expect(result.variants.map(({ status }) => status)).toEqual(['done', 'done'])
  expect(result.variants[0]?.data).toMatchObject([
    { collection: 'tenant', rows: 200, indexes: ['{"n":1}'] },
    { collection: 'bills', rows: 30 },
  ])
  const [driver, wire] = mixOf(result)
  expect(wire?.digest).toBe(driver?.digest)
  const operations = [driver, wire].flatMap((phase) => phase?.operations ?? [])
  expect(operations.filter(({ ok, failed, unknown }) => ok === 0 || failed + unknown > 0)).toEqual([])
  expect(operations.flatMap(({ missing }) => missing ?? [])).toEqual([0, 0, 0, 0])
  const counts = mixOf(result).map((phase) => phase?.operations.map(({ name, documents }) => [name, documents]))
  expect(counts[1]).toEqual(counts[0])
})

test('sizes on disk are added up over the collections of a data set', async () => {
  const { variants } = await run(spec, { uri: server.uri })
  expect(variants[0]?.storage?.collections.map(({ collection }) => collection).toSorted()).toEqual(['bills', 'tenant'])
})

test('none of the collections stays on a server of others', async () => {
  await server.client.db('others').collection<{ _id: number }>('tenant0').insertOne({ _id: 1 })
  await run(spec, { uri: server.uri })
  expect(await databases()).toEqual([ours])
  const left = await server.client.db(ours).listCollections().toArray()
  expect(left.map(({ name }) => name)).toEqual(['__mongo_perf_marker'])
  expect(await server.client.db('others').collection('tenant0').countDocuments()).toBe(1)
  await server.client.db('others').dropDatabase()
})

test('none of the collections stays when a run is aborted while it loads', async () => {
  const stop = new AbortController()
  await using gate = await startGate(server.uri)
  const onProgress = (event: { readonly kind: string }): void => {
    if (event.kind === 'load') stop.abort()
  }
  await run(spec, { uri: gate.uri, signal: stop.signal, onProgress }).catch(() => undefined)
  expect(await databases()).toEqual([ours])
  const left = await server.client.db(ours).listCollections().toArray()
  expect(left.map(({ name }) => name)).toEqual(['__mongo_perf_marker'])
})
