import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { BSON, Decimal128, type Document, Long, MongoClient, ObjectId, Timestamp } from 'mongodb'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startTestMongod, type TestMongod } from '../../../bench/start/mongod.ts'
import { comesTrue } from '../../../bench/start/wait.ts'
import { run, type RunOptions, type SpecInput } from '../../../src/entries/index.ts'

type Row = { _id: number | ObjectId; [field: string]: unknown }

/** Somebody's server, a set of one member: its oplog tells of every write. */
let server: TestMongod
let client: MongoClient
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-own-'))
  server = await startTestMongod(inject('mongodPath'), ['--replSet', 'own', '--oplogSize', '50'])
  client = new MongoClient(server.uri)
  const host = new URL(server.uri).host
  await client.db('admin').command({ replSetInitiate: { _id: 'own', members: [{ _id: 0, host }] } })
  const isPrimary = async (): Promise<boolean> =>
    (await client.db('admin').command({ hello: 1 }))['isWritablePrimary'] === true
  await comesTrue(isPrimary, 60_000)
  // A new primary makes itself two keys, by commands that it counts as if others had sent them.
  const hasItsKeys = async (): Promise<boolean> =>
    (await client.db('admin').collection('system.keys').countDocuments()) > 1
  await comesTrue(hasItsKeys, 60_000)
  const orders = client.db('shop').collection<Row>('orders')
  await orders.insertMany(
    Array.from({ length: 3000 }, (_, i) => ({
      _id: i,
      customer: { id: Long.fromNumber(i % 7), city: `city ${i % 5}` },
      items: [{ sku: `a${i % 3}` }, { sku: 'b' }],
      total: Decimal128.fromString('1.50'),
    })),
  )
  await orders.createIndex({ 'customer.id': 1 })
  await client
    .db('shop')
    .collection<Row>('few')
    .insertMany([{ _id: 1, n: 5 }, { _id: 2, n: 7 }, { _id: 3 }])
  await client.db('shop').createCollection('cities', { viewOn: 'orders', pipeline: [{ $project: { customer: 1 } }] })
  await client.db('shop').createCollection('empty')
})

afterAll(async () => {
  await client.close()
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const measure = (spec: object, options: RunOptions = {}) => run(spec as SpecInput, { uri: server.uri, ...options })

const phase = (operation: object, operations = 30) => ({
  name: 'go',
  stopAfter: { operations },
  operations: [operation],
})

/** Commands that change a server, and those alone that it does not send to itself. */
const changes = ['create', 'drop', 'dropDatabase', 'collMod', 'fsync', 'insert', 'delete', 'findAndModify']

/** Every document of a user, and what was ever done to them. */
async function traces() {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true })
  const names = databases.map(({ name }) => name).filter((name) => !['admin', 'config', 'local'].includes(name))
  const hashes: Record<string, unknown> = {}
  for (const name of names) hashes[name] = (await client.db(name).command({ dbHash: 1 }))['collections']
  const writes = await client
    .db('local')
    .collection('oplog.rs')
    // Not what the server notes for itself: that it is alive, and its sessions.
    .countDocuments({ op: { $ne: 'n' }, ns: { $not: /^(config|admin)\./ } })
  const { metrics } = await client.db('admin').command({ serverStatus: 1 })
  const sent = Object.fromEntries(changes.map((name) => [name, Number(metrics.commands[name]?.total ?? 0)]))
  return { names, hashes, writes, sent }
}

test('measuring a collection that is there leaves no trace on the server', async () => {
  const before = await traces()
  const spec = {
    name: 'no-trace',
    target: { kind: 'existing' },
    data: [{ existing: 'shop.orders' }, { collection: 'small', existing: 'shop.few' }],
    phases: [
      {
        ...phase({
          kind: 'findOne',
          collection: 'orders',
          filter: { 'customer.id': { '@sample': { path: 'customer.id' } } },
        }),
        settle: true,
      },
      { ...phase({ kind: 'find', collection: 'small' }), name: 'list' },
      { ...phase({ kind: 'aggregate', collection: 'orders', pipeline: [{ $limit: 3 }] }), name: 'stages' },
    ],
  }
  const { variants } = await measure(spec)
  expect(variants[0]?.data).toMatchObject([
    { collection: 'orders', source: 'existing', rows: 3000, indexes: ['{"customer.id":1}'], loadSeconds: 0 },
    { collection: 'small', source: 'existing', rows: 3, indexes: [] },
  ])
  expect(variants[0]?.phases.map(({ operations: [only] }) => [only?.ok, only?.documents])).toEqual([
    [30, 30],
    [30, 90],
    [30, 90],
  ])
  expect(variants[0]?.warnings).toEqual([])
  expect(await traces()).toEqual(before)
  // The same look sees a write.
  await client.db('other').collection('trace').insertOne({})
  expect((await traces()).writes).toBeGreaterThan(before.writes)
})

const sampled = async (seed: number) => {
  const { variants } = await measure({
    name: 'sampled',
    seed,
    target: { kind: 'existing' },
    data: { existing: 'shop.orders' },
    phases: [phase({ kind: 'findOne', filter: { _id: { '@sample': { path: '_id' } } } })],
  })
  const [{ data: [data] = [], phases: [go] = [] } = {}] = variants
  return { samples: data?.samples, digest: go?.digest, found: go?.operations[0]?.documents }
}

test('a sample of more documents than are kept has the same values in each run, and the result has their digest', async () => {
  const [one, again, other] = [await sampled(1), await sampled(1), await sampled(2)]
  expect(one).toMatchObject({ samples: [{ path: '_id', choice: 'seed', values: 1000 }], found: 30 })
  expect(again).toEqual(one)
  expect(other.samples?.[0]?.digest).not.toBe(one.samples?.[0]?.digest)
})

test('beside a collection that is there one of our own is made, in a database of our own', async () => {
  const before = (await traces()).hashes['shop']
  const { variants } = await measure({
    name: 'beside',
    data: [{ existing: 'shop.few' }, { collection: 'own', rows: 5, document: { a: { '@int': {} } } }],
    phases: [phase({ kind: 'insertOne', collection: 'own', document: { n: { '@sample': { of: 'few', path: 'n' } } } })],
  })
  expect(variants[0]?.data.map(({ source }) => source)).toEqual(['existing', 'generated'])
  const stored = await client.db('mongoperf_beside').collection('own').distinct('n')
  expect(stored).toEqual([5, 7])
  expect((await traces()).hashes['shop']).toEqual(before)
})

test('a view can be measured', async () => {
  const { variants } = await measure({
    name: 'view',
    data: { existing: 'shop.cities' },
    phases: [phase({ kind: 'find', filter: { 'customer.city': { '@sample': { path: 'customer.city' } } }, limit: 2 })],
  })
  expect(variants[0]).toMatchObject({ status: 'done', data: [{ rows: 3000, indexes: [] }] })
  expect(variants[0]?.phases[0]?.operations[0]).toMatchObject({ ok: 30, documents: 60 })
})

test('a data set may be a view of another, row by row', async () => {
  const things = { collection: 'things', rows: 50, document: { _id: { '@row': {} } } }
  const pipeline = [{ $match: { _id: { $lt: { '@param': 'shown' } } } }]
  const { variants } = await measure({
    name: 'views',
    variants: { shown: [3, 7] },
    data: [{ collection: 'first', options: { viewOn: 'things', pipeline } }, things],
    phases: [phase({ kind: 'find', collection: 'first' }, 10)],
  })
  expect(variants.map(({ phases }) => phases[0]?.operations[0])).toMatchObject([
    { ok: 10, documents: 30 },
    { ok: 10, documents: 70 },
  ])
  const listed = await client.db('mongoperf_views').listCollections({ name: 'first' }).toArray()
  expect(listed).toMatchObject([{ type: 'view', options: { viewOn: 'things' } }])
})

test('a collection that does not exist can be read, until something writes to it', async () => {
  const collection = 'later'
  const { variants } = await measure({
    name: 'unmade',
    data: { collection, create: false },
    phases: [
      { ...phase({ kind: 'find', filter: { n: 1 } }), name: 'read' },
      { ...phase({ kind: 'countDocuments' }), name: 'count' },
    ],
  })
  expect(variants[0]?.phases.map(({ operations }) => operations[0])).toMatchObject([
    { ok: 30, documents: 0, explain: { plans: ['EOF'], usesIndex: null } },
    { ok: 30, matched: 0 },
  ])
  const db = client.db('mongoperf_unmade')
  expect(await db.listCollections({ name: collection }).toArray()).toEqual([])

  const insert = phase({ kind: 'insertOne', document: { n: 1 } })
  // Twice: what a write has made is ours to drop.
  for (const _ of ['first', 'second'])
    await measure({ name: 'unmade', data: { collection, create: false }, phases: [insert] })
  expect(await db.collection(collection).countDocuments()).toBe(30)
})

test('a collection that is not there is told with the nearest name', async () => {
  const spec = { name: 'missing', data: { existing: 'shop.ordres' }, phases: [phase({ kind: 'findOne' })] }
  const names = { collection: 'shop.ordres', nearest: 'orders' }
  await expect(measure(spec)).rejects.toSay('data-collection-unknown', names)
})

test('writes to a collection that is there are refused unless they are allowed by its name', async () => {
  const mine = client.db('shop').collection<Row>('mine')
  await mine.insertOne({ _id: 1, n: 0 })
  const spec = {
    name: 'writes',
    data: { existing: 'shop.mine' },
    phases: [phase({ kind: 'updateOne', filter: { _id: 1 }, update: { $inc: { n: 1 } } })],
  }
  for (const allowWrites of [[], ['shop.orders']])
    await expect(measure(spec, { allowWrites })).rejects.toSay('data-writes-elsewhere', { collection: 'shop.mine' })
  expect(await mine.findOne()).toEqual({ _id: 1, n: 0 })

  await measure(spec, { allowWrites: ['shop.mine'] })
  expect(await mine.findOne()).toEqual({ _id: 1, n: 30 })
  expect((await traces()).names).not.toContain('mongoperf_writes')
})

test('what a sample draws stands in the collection, at its path and with its type', async () => {
  await measure({
    name: 'sampled',
    data: [{ existing: 'shop.orders' }, { collection: 'drawn', document: { a: 1 } }],
    phases: [
      phase(
        {
          kind: 'insertOne',
          collection: 'drawn',
          document: {
            _id: { '@nextRow': {} },
            id: { '@sample': { of: 'orders', path: 'customer.id' } },
            sku: { '@sample': { of: 'orders', path: 'items.sku' } },
            customer: { '@sample': { of: 'orders', path: 'customer' } },
            total: { '@sample': { of: 'orders', path: 'total' } },
          },
        },
        200,
      ),
    ],
  })
  const drawn = client.db('mongoperf_sampled').collection('drawn')
  expect((await drawn.distinct('id')).map(Number).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect((await drawn.distinct('sku')).toSorted()).toEqual(['a0', 'a1', 'a2', 'b'])
  const types = { id: { $type: 'long' }, total: { $type: 'decimal' }, 'customer.id': { $type: 'long' } }
  expect(await drawn.countDocuments(types)).toBe(200)
  expect((await drawn.distinct('customer.city')).length).toBe(5)
})

test('values that are drawn together are those of one document, and nothing else of it', async () => {
  const orders = client.db('shop').collection('orders')
  await measure({
    name: 'sampled-together',
    data: [{ existing: 'shop.orders' }, { collection: 'drawn', document: { a: 1 } }],
    phases: [
      phase(
        {
          kind: 'insertOne',
          collection: 'drawn',
          let: { like: { '@sample': { of: 'orders', path: ['_id', 'customer.id', 'items.sku'] } } },
          document: { _id: { '@nextRow': {} }, like: { '@var': 'like' } },
        },
        100,
      ),
    ],
  })
  const drawn = await client.db('mongoperf_sampled_together').collection<Document>('drawn').find().toArray()
  expect(drawn).toHaveLength(100)
  for (const { like } of drawn) {
    const original = await orders.findOne({ _id: like['_id'] }, { projection: { 'customer.id': 1, 'items.sku': 1 } })
    expect(like).toEqual(original)
  }
})

test('a small collection is sampled whole: the same calls in every run and every row', async () => {
  const spec = {
    name: 'same-sample',
    variants: { n: [1, 2] },
    data: { existing: 'shop.few' },
    phases: [
      phase({
        kind: 'findOne',
        filter: { n: { '@sample': { path: 'n' } } },
        skip: { '@floor': { '@divide': [{ '@param': 'n' }, 8] } },
      }),
    ],
  }
  const results = [await measure(spec), await measure(spec)]
  const digests = results.flatMap(({ variants }) => variants.map(({ phases }) => phases[0]?.digest))
  expect(digests).toHaveLength(4)
  expect(new Set(digests).size).toBe(1)
})

test('the rows of one run draw from the same documents of a large collection', async () => {
  const { variants } = await measure({
    name: 'one-sample',
    variants: [{ label: 'a' }, { label: 'b' }],
    data: { existing: 'shop.orders' },
    phases: [phase({ kind: 'findOne', filter: { _id: { '@sample': { path: '_id' } } } })],
  })
  const [first, second] = variants.map(({ phases }) => phases[0])
  expect(first?.digest).toBe(second?.digest)
  expect(first?.operations[0]?.documents).toBe(30)
})

test.each([
  ['few', 'nn', 'sample-of-nothing-there', { collection: 'few', path: 'nn' }],
  ['empty', 'n', 'sample-of-empty-collection', {}],
] as const)('a sample of %s at %s, where nothing is, is told', async (collection, at, code, data) => {
  const spec = {
    name: 'no-sample',
    data: { existing: `shop.${collection}` },
    phases: [phase({ kind: 'findOne', filter: { n: { '@sample': { path: at } } } })],
  }
  await expect(measure(spec)).rejects.toSay(code, data)
})

const stored = [
  {
    _id: new ObjectId('65f000000000000000000001'),
    int: 1,
    long: Long.fromNumber(1),
    double: 1.5,
    dec: Decimal128.fromString('1.10'),
    at: new Date('2026-01-02T03:04:05.006Z'),
    time: new Timestamp({ t: 5, i: 6 }),
    list: [1, { a: null }],
    re: /^a/i,
  },
  { _id: 2, text: 'x\u2028y' },
]
const canonical = stored.map((document) => BSON.EJSON.stringify(document, { relaxed: false }))

async function specWithFile(name: string, content: string | Buffer, data: object = {}): Promise<string> {
  const spec = {
    name: 'from-file',
    data: { collection: 'own', file: name, indexes: [{ key: { int: 1 } }], ...data },
    phases: [phase({ kind: 'findOne', filter: { _id: { '@sample': { path: '_id' } } } })],
  }
  await writeFile(path.join(folder, name), content)
  const file = path.join(folder, `${name}.spec.json`)
  await writeFile(file, JSON.stringify(spec))
  return file
}

const own = () => client.db('mongoperf_from_file').collection<Row>('own')

test.each([
  ['canonical.ndjson', `${canonical.join('\n')}\n`],
  ['windows.ndjson', `\uFEFF${canonical.join('\r\n\r\n')}\r\n`],
  ['compressed.ndjson.gz', gzipSync(canonical.join('\n'))],
])('a file beside the spec is loaded with the types that it has: %s', async (name, content) => {
  const { variants } = await run(await specWithFile(name, content), { uri: server.uri })
  expect(variants[0]?.data).toMatchObject([{ collection: 'own', source: 'file', rows: 2, indexes: ['{"int":1}'] }])
  expect(variants[0]?.phases[0]?.operations[0]).toMatchObject({ ok: 30, documents: 30 })
  const loaded = await own()
    .find({}, { sort: { text: 1 }, promoteValues: false, bsonRegExp: true })
    .toArray()
  expect(loaded.map((document) => BSON.EJSON.stringify(document, { relaxed: false }))).toEqual(
    stored.map((document) => BSON.EJSON.stringify(document, { relaxed: false })),
  )
})

test('documents that the server refuses are told with its reason', async () => {
  const file = await specWithFile('twice.ndjson', '{"_id":1}\n{"_id":1}\n')
  await expect(run(file, { uri: server.uri })).rejects.toSay('own-rows-refused', { collection: 'own' })
})

test('indexes are there before the load where the spec says so, with options of their own types', async () => {
  const events: string[] = []
  const { variants } = await measure(
    {
      name: 'before',
      data: {
        collection: 'own',
        rows: 3000,
        document: { _id: { '@row': {} }, n: { '@int': {} } },
        indexBuild: 'before',
        indexes: [{ key: { n: 1 }, partialFilterExpression: { n: { $gt: { $numberLong: '5' } } } }],
        options: { validator: { n: { $type: 'int' } } },
      },
      phases: [phase({ kind: 'findOne' })],
    },
    { onProgress: ({ kind }) => void events.push(kind) },
  )
  expect(variants[0]?.data[0]).toMatchObject({ rows: 3000, indexes: ['{"n":1}'], source: 'generated' })
  const db = client.db('mongoperf_before')
  const [, index] = await db.collection('own').indexes()
  expect(index?.['partialFilterExpression']).toEqual({ n: { $gt: 5 } })
  const made = await client
    .db('local')
    .collection('oplog.rs')
    .find({
      ns: /^mongoperf_before\./,
      $or: [{ 'o.createIndexes': 'own' }, { 'o.commitIndexBuild': 'own' }, { ns: 'mongoperf_before.own' }],
    })
    .sort({ $natural: 1 })
    .toArray()
  const kinds = made.map(({ op, o }) => (op === 'c' ? Object.keys(o)[0] : 'insert'))
  expect(kinds.findIndex((kind) => kind === 'createIndexes' || kind === 'commitIndexBuild')).toBe(0)
  expect(kinds).toHaveLength(3001)
})
