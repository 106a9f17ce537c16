import { type Document } from 'mongodb'
import { expect, test } from 'vitest'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { sharedPrimary } from '../support/shared-servers.ts'

const server = sharedPrimary()

const ping = { kind: 'command', name: 'ping', command: { ping: 1 } }
const phases = [{ name: 'go', stopAfter: { operations: 1 }, operations: [ping] }]

const runSpec = (spec: object) =>
  run({ name: 'kinds', target: { kind: 'existing' }, phases, ...spec } as SpecInput, { uri: server.uri })

const kinds: Readonly<Record<string, object>> = {
  'a time series': { timeseries: { timeField: 'at', metaField: 'device', granularity: 'minutes' } },
  'a time series that expires': { timeseries: { timeField: 'at' }, expireAfterSeconds: 3600 },
  'a clustered collection': { clusteredIndex: { key: { _id: 1 }, unique: true, name: 'byId' } },
  'one with pre-images': { changeStreamPreAndPostImages: { enabled: true } },
  'one with a validator': { validator: { n: { $gte: 0 } }, validationLevel: 'moderate', validationAction: 'warn' },
  'one with a collation': { collation: { locale: 'de', strength: 2 } },
  'one with a compressor': { storageEngine: { wiredTiger: { configString: 'block_compressor=zstd' } } },
  'a capped one': { capped: true, size: 4096, max: 10 },
}

test.each(Object.entries(kinds))('%s is what the server lists', async (_, options) => {
  const { status } = await runSpec({ data: { collection: 'one', options } })
  const [found] = await server.client.db('mongoperf_kinds').listCollections({ name: 'one' }).toArray()
  expect(status).toBe('done')
  expect((found as { options?: Document }).options).toMatchObject(options)
})

test('what only the server knows to be wrong is its answer, about the collection', async () => {
  const options = { storageEngine: { wiredTiger: { configString: 'nonsense=1' } } }
  const message = expect.stringMatching(/"one".*unknown configuration key/) as string
  await expect(runSpec({ data: { collection: 'one', options } })).rejects.toMatchObject({
    code: 'spec-invalid',
    message,
  })
})

test('measurements that were added to are loaded anew, for nothing can be merged into a time series', async () => {
  const { variants } = await runSpec({
    name: 'kinds-again',
    variants: [{ label: 'first' }, { label: 'second' }],
    data: {
      collection: 'readings',
      rows: 20,
      reuse: true,
      options: { timeseries: { timeField: 'at' } },
      let: { m: { '@series': { devices: 2 } } },
      document: { at: { '@var': 'm.at' } },
    },
    phases: [{ name: 'add', stopAfter: { operations: 5 }, operations: [{ kind: 'insertOne' }] }],
  })
  expect(variants.flatMap(({ data }) => data.map(({ source, rows }) => [source, rows]))).toEqual([
    ['generated', 20],
    ['generated', 20],
  ])
})

const measured = {
  let: { m: { '@series': { devices: 7, everySeconds: { min: 1, max: 5 }, jitter: 0.5 } } },
  document: {
    at: { '@var': 'm.at' },
    device: { id: { '@var': 'm.device' } },
    walk: { '@walk': { of: { '@var': 'm.device' }, tick: { '@var': 'm.tick' }, digits: 2 } },
    season: { '@season': { of: { '@var': 'm.device' }, at: { '@var': 'm.at' }, tick: { '@var': 'm.tick' }, noise: 1 } },
    counter: { '@counter': { of: { '@var': 'm.device' }, tick: { '@var': 'm.tick' }, step: 5 } },
  },
}

/** Measurements of a collection in the order of devices and times, without what is drawn anew in each run. */
const measurementsIn = (name: string): Promise<Document[]> =>
  server.client
    .db(`mongoperf_${name.replaceAll('-', '_')}`)
    .collection('readings')
    .aggregate([{ $project: { _id: 0 } }, { $sort: { 'device.id': 1, counter: 1, at: 1 } }])
    .toArray()

async function ingest(name: string, engine: string, threads: number, rows: number, options: object) {
  const { variants } = await runSpec({
    name,
    engine,
    data: { collection: 'readings', rows, options, ...measured },
    phases: [
      {
        name: 'ingest',
        load: { kind: 'closed', workers: 2, ...(threads > 1 && { threads }) },
        stopAfter: { documents: 600 },
        operations: [{ kind: 'insertMany', documentsPerCall: 50 }],
      },
    ],
    report: { tables: [{ title: 'T', columns: ['storage.documentsPerBucket'] }] },
  })
  const [variant] = variants
  return { variant, digest: variant?.phases[0]?.digest, stored: await measurementsIn(name) }
}

const timeseries = { timeseries: { timeField: 'at', metaField: 'device' } }

test('measurements are the same by both engines, on threads, and in a plain collection', async () => {
  const wire = await ingest('series-wire', 'wire', 1, 100, timeseries)
  const others = [
    await ingest('series-driver', 'driver', 1, 100, timeseries),
    await ingest('series-threads', 'wire', 2, 100, timeseries),
    await ingest('series-plain', 'wire', 1, 100, {}),
  ]
  expect(wire.stored).toHaveLength(700)
  for (const { stored, digest } of others) {
    expect(stored).toEqual(wire.stored)
    expect(digest).toBe(wire.digest)
  }
  const sizes = wire.variant?.storage?.collections
  expect(sizes).toMatchObject([{ collection: 'readings', documents: 700, buckets: 7 }])
  expect(others[2]?.variant?.storage?.collections).toMatchObject([{ documents: 700, buckets: null }])
})
