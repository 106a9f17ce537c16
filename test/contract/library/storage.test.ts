import { beforeAll, expect, test } from 'vitest'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { type Storage } from '../../../src/results/schema/servers.ts'
import { readStorage } from '../../../src/run/read-storage.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

const timeseries = { timeField: 'at', metaField: 'of' }
const readings = Array.from({ length: 2000 }, (_, n) => ({ at: new Date(n * 1000), of: n % 5, value: Math.sqrt(n) }))

beforeAll(async () => {
  const db = server.client.db('shop')
  await db.collection<{ _id: number }>('orders').insertMany(readings.map((each, _id) => ({ _id, ...each })))
  await db.createCollection('readings', { timeseries })
  await db.collection('readings').insertMany(readings)
  await db.createCollection('newest', { viewOn: 'orders', pipeline: [{ $sort: { _id: -1 } }] })
})

const ping = { kind: 'command', name: 'ping', command: { ping: 1 } }

/** Measures what a row has on the disk after its phase. */
async function storageOf(parts: object): Promise<Storage | null | undefined> {
  const spec = {
    name: 'sizes',
    phases: [{ name: 'go', stopAfter: { operations: 1 }, operations: [ping] }],
    report: { tables: [{ title: 'T', columns: ['storage.dataMB'] }] },
    ...parts,
  }
  return (await run(spec as SpecInput, { uri: server.uri })).variants[0]?.storage
}

/** Nothing of ours reports sizes that the server does not report itself. */
async function sizeOf(database: string, collection: string) {
  const stats = await server.client.db(database).command({ collStats: collection })
  const { size, storageSize, totalIndexSize, timeseries: series } = stats
  const counts = { documents: readings.length, buckets: (series?.bucketCount as number | undefined) ?? null }
  return { collection, ...counts, documentBytes: size, dataBytes: storageSize, indexBytes: totalIndexSize }
}

test('collections that are there have their sizes, also a time series, beside those of our own', async () => {
  await server.client.db('admin').command({ fsync: 1 })
  const storage = await storageOf({
    data: [
      { existing: 'shop.orders' },
      { collection: 'series', existing: 'shop.readings' },
      { collection: 'own', rows: 10, document: { _id: { '@row': {} } } },
    ],
  })
  const sizes = [await sizeOf('shop', 'orders'), { ...(await sizeOf('shop', 'readings')), collection: 'series' }]
  expect(storage?.collections.map(({ collection }) => collection)).toEqual(['own', 'orders', 'series'])
  expect(storage?.collections.slice(1)).toEqual(sizes)
  expect(sizes.map(({ dataBytes }) => dataBytes)).not.toContain(0)
})

test('of a database, a time series has its size once, and a view has none', async () => {
  const storage = await readStorage(server.client, 'shop', [], { startedByUs: false })
  expect(storage?.collections).toEqual([await sizeOf('shop', 'orders'), await sizeOf('shop', 'readings')])
})

test('a view has no size, so that of the row is not known', async () =>
  expect(await storageOf({ data: { existing: 'shop.newest' } })).toBeNull())
