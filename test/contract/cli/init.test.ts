import { readFile } from 'node:fs/promises'
import { Decimal128, Double, Long, MongoClient, ObjectId, UUID } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestMongod, type TestMongod } from '../../../bench/start/mongod.ts'
import { type JsonObject } from '../../../src/core/json.ts'
import { type RowChoice, readMetric } from '../../../src/metrics/value-of.ts'
import { type Result } from '../../../src/results/schema.ts'
import { startTarget, targetSpec } from '../../../src/servers/targets/index.ts'
import { specFromCollection } from '../../../src/sources/init/make-spec.ts'
import { type Ended, filesBelow, type Workplace, workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { startContext } from '../support/start-context.ts'

const password = 'c4nary-p@ss/word:%'
const partsOfPassword = ['c4nary', 'ss/word', 'ss%2Fword']

const shared = sharedServer()
/** Somebody else's server, of which users are the point. */
let server: TestMongod
let client: MongoClient
let place: Workplace
/** Everything that any command has said. */
const said: string[] = []

const uriOf = (user: string): string =>
  `mongodb://${user}:${encodeURIComponent(password)}@${new URL(server.uri).host}/?authSource=admin`

beforeAll(async () => {
  // Every five minutes a server writes down by itself whose sessions go on, and its counters of writes rise.
  const noSessions = ['--setParameter', 'disableLogicalSessionCacheRefresh=true']
  server = await startTestMongod(inject('mongodPath'), ['--auth', ...noSessions])
  place = await workplace()
  await using setUp = new MongoClient(server.uri)
  await setUp.db('admin').command({ createUser: 'ann', pwd: password, roles: ['root'] })
  client = new MongoClient(uriOf('ann'))
  const readOnly = { role: 'read', db: 'shop' }
  const users = { reader: [readOnly], profiler: [readOnly, { role: 'dbAdmin', db: 'shop' }], guest: [] }
  for (const [user, roles] of Object.entries(users))
    await client.db('admin').command({ createUser: user, pwd: password, roles })
  await fill()
})

afterAll(async () => {
  await client.close()
  await place[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const person = (i: number) => ({ _id: i, name: `Name ${i}`, age: i % 90, at: new Date(1.7e12 + i * 1000) })

async function fill(): Promise<void> {
  const shop = client.db('shop')
  const customers = Array.from({ length: 50 }, () => new ObjectId())
  const orders = Array.from({ length: 2000 }, (_, i) => ({
    _id: new ObjectId(),
    number: Long.fromNumber(1e10 + i),
    email: `buyer${i}@example.com`,
    customer: customers[i % 50],
    status: ['open', 'paid', 'sent'][i % 3],
    total: new Double((i % 977) / 4),
    tax: Decimal128.fromString(`${i % 100}.25`),
    at: new Date(Date.UTC(1960 + (i % 60), 0, 1 + (i % 28))),
    device: new UUID(),
    tags: [`tag${i % 9}`, `tag${i % 7}`],
    lines: [{ sku: `sku${i % 300}`, n: i % 5 }],
    shop: { type: 'Point', coordinates: [(i % 300) / 2 - 70.3, (i % 100) / 2 - 20.1] },
    '@odd': 1,
    mixed: i % 2 === 0 ? i : `text ${i}`,
    ...(i % 3 === 0
      ? { coupon: ['SPRING', 'FRIEND'][i % 2], depot: { type: 'Point', coordinates: [i / 40, 1.5] } }
      : {}),
  }))
  await shop.collection<object>('orders').insertMany(orders)
  await shop
    .collection('orders')
    .createIndexes([
      { key: { customer: 1, at: -1 } },
      { key: { email: 1 }, unique: true },
      { key: { number: 1 }, unique: true },
      { key: { at: 1 } },
      { key: { tags: 1 } },
      { key: { 'lines.sku': 1 } },
      { key: { device: 'hashed' } },
      { key: { shop: '2dsphere' } },
      { key: { status: 'text' } },
      { key: { coupon: 1 }, sparse: true },
      { key: { depot: '2dsphere' } },
      { key: { status: 1, at: 1 }, partialFilterExpression: { status: { $in: ['open', 'paid'] } } },
    ])
  await shop.createCollection('open', { viewOn: 'orders', pipeline: [{ $match: { status: 'open' } }] })
  await shop.createCollection('empty')
  const people = Array.from({ length: 300 }, (_, i) => person(i))
  const age = { $jsonSchema: { required: ['age'], properties: { age: { bsonType: 'int', minimum: 0 } } } }
  const odd = { $expr: { $eq: [{ $strLenCP: '$name' }, 3] } }
  await shop.createCollection('validated', { validator: age })
  await shop.createCollection('strict', { validator: odd, validationAction: 'warn' })
  await shop.createCollection('clustered', { clusteredIndex: { key: { _id: 1 }, unique: true, name: 'byId' } })
  await shop.createCollection('german', { collation: { locale: 'de', strength: 2 } })
  await shop.createCollection('readings', { timeseries: { timeField: 'at', metaField: 'name' } })
  for (const name of ['validated', 'strict', 'clustered', 'german', 'readings'])
    await shop.collection<{ _id: number }>(name).insertMany(people)
  await shop
    .collection('german')
    .createIndexes([{ key: { name: 1 } }, { key: { name: 'text' }, collation: { locale: 'simple' } }])
}

async function init(args: readonly string[], uri = uriOf('reader')): Promise<Ended> {
  const ended = await place.run(['init', ...args], { MONGO_PERF_URI: uri })
  said.push(ended.stdout, ended.stderr)
  return ended
}

const specOf = async (file: string): Promise<JsonObject> =>
  JSON.parse(await readFile(`${place.folder}/${file}`, 'utf8')) as JsonObject

/** For runs whose figures are not the point. */
const quick = ['--profile', 'smoke', '--set', 'seconds=0.3', '--set', 'workers=2']

/** All that a write would change. */
async function stateOf(): Promise<unknown> {
  const shop = client.db('shop')
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true })
  const { insert, update, delete: deleted } = (await client.db('admin').command({ serverStatus: 1 }))['opcounters']
  return {
    databases,
    writes: [insert, update, deleted],
    hash: (await shop.command({ dbHash: 1 }))['md5'],
    collections: await shop.listCollections().toArray(),
    indexes: await shop.collection('orders').listIndexes().toArray(),
    profile: await shop.command({ profile: -1 }).then(({ was, slowms }) => [was, slowms]),
  }
}

test('nothing is written to the server, even by a user who could', async () => {
  const before = await stateOf()
  for (const args of [[], ['--existing', '--sample', '50']])
    expect((await init(['a.json', '--force', '--from', 'shop.orders', ...args], uriOf('ann'))).code).toBe(0)
  expect(await stateOf()).toEqual(before)
})

test('a spec of a collection runs as it is, every operation works, and queries find something', async () => {
  expect((await init(['orders.json', '--from', 'shop.orders'])).code).toBe(0)
  // The one second of "smoke" may be over on a busy machine before every operation has had its turn.
  const ended = await place.run(['run', 'orders.json', '--profile', 'smoke', '--set', 'seconds=5', '--quiet'])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  const { variants } = await place.result('shop-orders')
  const operations = variants[0]?.phases[0]?.operations ?? []
  const indexed = 'customer_1_at_-1 email_1 at_1 tags_1 shop_2dsphere coupon_1 depot_2dsphere status_1_at_1'.split(' ')
  expect(operations.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['byId', ...indexed, 'insertOne', 'updateOne']),
  )
  for (const { name, failed, unknown, ok, documents } of operations)
    expect([name, failed, unknown, ok > 0, (documents ?? 0) >= ok]).toEqual([name, 0, 0, true, true])
})

test('the same collection gives the same spec, also by a sample, and grows in the order of insertion', async () => {
  for (const file of ['one.json', 'two.json'])
    expect((await init([file, '--from', 'shop.orders', '--sample', '500'])).code).toBe(0)
  expect(await specOf('one.json')).toEqual(await specOf('two.json'))
  expect(await specOf('one.json')).toMatchObject({
    data: { document: { number: { '@toLong': { '@add': [expect.anything(), { '@row': {} }] } } } },
  })
})

test.each([
  ['validated', { options: { validator: {} } }, undefined],
  [
    'strict',
    { collection: 'strict' },
    expect.toHaveLine('init-validator-left-out', { collection: 'strict', tried: 50 }),
  ],
  ['clustered', { options: { clusteredIndex: { key: { _id: 1 } } } }, undefined],
  [
    'german',
    { options: { collation: { locale: 'de' } }, indexes: [{}, { collation: { locale: 'simple' } }] },
    undefined,
  ],
  [
    'readings',
    { indexes: [{ key: { name: 1, at: 1 } }] },
    expect.toHaveLine('init-time-series-plain', { namespace: 'shop.readings' }),
  ],
  ['open', [{ collection: 'orders' }, { options: { viewOn: 'orders' } }], expect.toHaveLine('init-view-pipeline')],
])('the kind of "%s" is kept or named, and the spec runs', async (name, data, stderr = expect.anything()) => {
  expect(await init([`${name}-kind.json`, '--from', `shop.${name}`])).toMatchObject({ code: 0, stderr })
  expect((await specOf(`${name}-kind.json`))['data']).toMatchObject(data)
  const ended = await place.run(['run', `${name}-kind.json`, ...quick, '--quiet', '--uri', shared.uri])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
})

test('real values are listed, and replaced if they must not be copied', async () => {
  const told = await init(['values.json', '--from', 'shop.orders'])
  expect(told.stderr).toMatch(/ {2}status: ("\w{4}"(, )?){3}\n/)
  const { stderr } = await init(['no-values.json', '--from', 'shop.orders', '--no-values'])
  expect(stderr).not.toContain('paid')
  const text = JSON.stringify(await specOf('no-values.json'))
  expect(text).not.toMatch(/paid|sku\d|buyer\d/)
})

test.each(['open', 'empty'])('"%s" makes a spec that is right', async (name) => {
  expect((await init([`${name}.json`, '--from', `shop.${name}`])).code).toBe(0)
  expect((await place.run(['check', `${name}.json`])).code).toBe(0)
})

test('a spec that reads the collection itself is right, and names the variable, not the server', async () => {
  await init(['existing.json', '--from', 'shop.orders', '--existing'])
  expect((await place.run(['check', 'existing.json'])).code).toBe(0)
  const byId = expect.objectContaining({ kind: 'findOne', filter: { _id: { '@sample': { path: '_id' } } } })
  expect(await specOf('existing.json')).toMatchObject({
    target: { kind: 'existing', uriFrom: 'MONGO_PERF_URI' },
    data: { existing: 'shop.orders' },
    phases: [{ operations: expect.arrayContaining([byId]) }],
  })
})

describe('what cannot be had is explained', () => {
  const mayRead = '{ role: "read", db: "shop" }'
  test.each([
    ['a collection that is not there', 'reader', '--from shop.ordres', 2, 'init-collection-misspelled', {}],
    ['a database that is not there', 'ann', '--from shopp.orders', 2, 'init-database-unknown', { database: 'shopp' }],
    ['a user without rights', 'guest', '--from shop.orders', 4, 'init-role-lacking', { user: 'guest', roles: mayRead }],
    [
      'a user who may not read the profile',
      'reader',
      '--from-profile shop',
      4,
      'init-role-lacking',
      { user: 'reader', roles: `${mayRead}, { role: "dbAdmin", db: "shop" }` },
    ],
    ['a profile that was never on', 'profiler', '--from-profile shop', 2, 'init-profile-missing', {}],
  ])('%s', async (_what, user, args, code, text, data) => {
    const ended = await init(['none.json', ...args.split(' ')], uriOf(user))
    expect(ended).toMatchObject({ code, stderr: expect.toHaveLine(text, data) })
    await expect(specOf('none.json')).rejects.toThrow('ENOENT')
  })
})

test('a stop while it connects ends it before anything is looked at', async () => {
  await using start = await startContext({ uri: () => uriOf('reader'), signal: AbortSignal.abort() })
  const options = { sample: 10, keepValues: true, existing: false }
  await expect(specFromCollection('shop.orders', options, start)).rejects.toMatchObject({ code: 'aborted' })
})

test('a profile becomes operations with the weights that it has seen', async () => {
  const shop = client.db('shop')
  const orders = shop.collection('orders')
  await shop.command({ profile: 2 })
  for (let n = 0; n < 6; n++) await orders.findOne({ email: `buyer${n}@example.com` })
  for (let n = 0; n < 3; n++)
    await orders
      .find({ status: 'open', total: { $gte: n, $lt: n + 5 } })
      .skip(2 * n)
      .limit(7)
      .toArray()
  await shop.command({
    findandmodify: 'orders',
    query: { email: 'buyer1@example.com' },
    update: { $set: { status: 'lost' } },
  })
  await orders.updateOne({ email: 'buyer1@example.com' }, { $set: { status: 'lost' } })
  await shop.command({ profile: 0 })
  const before = await stateOf()
  const { code } = await init(['profile.json', '--from-profile', 'shop'], uriOf('profiler'))
  expect(code).toBe(0)
  expect(await stateOf()).toEqual(before)
  const spec = await specOf('profile.json')
  const operations = [
    { kind: 'findOne', weight: 6, filter: { email: { '@var': 'like.email' } } },
    { kind: 'find', weight: 3, skip: { '@choice': { values: [0, 2, 4] } }, limit: 7 },
    { kind: 'findOneAndUpdate', weight: 1 },
    { kind: 'updateOne', weight: 1 },
  ]
  expect(spec['phases']).toMatchObject([{ operations }])
  expect(JSON.stringify(spec)).not.toMatch(/buyer|lost/)
  expect((await place.run(['check', 'profile.json'])).code).toBe(0)
})

test('operations of a profile are tried on the made-up data: keys point to documents, ranges hold, and others are named', async () => {
  const stock = client.db('stock')
  const ids = Array.from({ length: 20 }, () => new ObjectId())
  const items = stock.collection<{ _id: number }>('items')
  const until = new Date(Date.now() + 3 * 3600 * 1000)
  await stock.collection('users').insertMany(ids.map((_id, i) => ({ _id, name: `user ${i}` })))
  const item = (i: number) => ({
    _id: i,
    user: ids[i % 20],
    stock: 1 + (i % 50),
    until,
    title: `${i % 5} of many ${i}`,
  })
  await items.insertMany(Array.from({ length: 500 }, (_, i) => item(i)))
  const roles = ['dbAdmin', 'read'].map((role) => ({ role, db: 'stock' }))
  await client.db('admin').command({ grantRolesToUser: 'profiler', roles })
  await stock.command({ profile: 2 })
  const lookup = { $lookup: { from: 'users', localField: 'user', foreignField: '_id', as: 'user' } }
  for (let i = 0; i < 40; i++) {
    await items.aggregate([{ $match: { _id: i } }, lookup, { $unwind: '$user' }]).toArray()
    await items.findOne({ _id: i, stock: { $gt: 0 } })
    await items.findOne({ _id: i, until: { $gt: new Date() } })
    await items.find({ title: /^3 of/ }).toArray()
  }
  await stock.command({ profile: 0 })
  const { code, stderr } = await init(['stock.json', '--from-profile', 'stock'], uriOf('profiler'))
  expect(code).toBe(0)
  expect((await specOf('stock.json'))['data']).toMatchObject([
    { document: { user: { '@ref': { collection: 'users' } } } },
    {},
  ])
  const differs = { operation: 'find_title', here: 1, profile: 100 }
  expect(stderr.replace(/\([\d.]+ per/, '(1 per')).toHaveLine('init-profile-differs', differs)
})

describe('a query of the user becomes a spec in one command', () => {
  const query = ['--query', '{"status":"open","tags":"tag1"}', '--sort', '{"at":-1}', '--limit', '5']

  test('that draws values of the collection, and finds as many documents by them; init says what the query does now', async () => {
    const before = await stateOf()
    const { stderr, code } = await init(['query.json', '--from', 'shop.orders', '--existing', ...query])
    expect(code).toBe(0)
    expect(stderr.replaceAll(/\d+/g, 'N')).toHaveLine('init-query-as-written')
    expect(stderr).toHaveLine('init-values-drawn', { fields: 'status, tags' })
    expect(await stateOf()).toEqual(before)
    const env = { MONGO_PERF_URI: uriOf('ann') }
    const ended = await place.run(['run', 'query.json', ...quick, '--quiet'], env)
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const [row] = (await place.result('shop-orders-existing-query')).variants
    expect(row?.data[0]?.samples).toMatchObject([{ path: 'status, tags', values: 1000 }])
    // Values of one document find that document at least.
    const { ok = 0, documents = 0 } = row?.phases[0]?.operations[0] ?? {}
    expect(ok).toBeGreaterThan(0)
    expect(documents).toBeGreaterThanOrEqual(ok)
  })

  test('with an index that is there, by a hint, and with one that is not, on made-up data', async () => {
    const hinted = ['--existing', '--index', '{"customer":1,"at":-1}', '--query', '{"status":"open"}']
    expect((await init(['hinted.json', '--from', 'shop.orders', ...hinted])).code).toBe(0)
    const flags = [...quick, '--repeat', '1', '--quiet']
    const ended = await place.run(['run', 'hinted.json', ...flags], { MONGO_PERF_URI: uriOf('ann') })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const result = await place.result('shop-orders-existing-indexes')
    const keysOf = (index: string) => readMetric(result, 'find_status.keysExaminedPerOperation', { index })
    expect([keysOf('scan'), keysOf('customer_1_at_-1')]).toEqual([0, 2000])

    const update = ['--query', '{"email":"a"}', '--update', '{"$set":{"status":"paid"}}', '--index', '{"total":1}']
    expect((await init(['update.json', '--from', 'shop.orders', ...update])).code).toBe(0)
    expect((await place.run(['check', 'update.json'])).code).toBe(0)
  })

  test('unless the server does not take it', async () => {
    const wrong = ['--query', '{"status":{"$foo":1}}', '--keep', 'status', '--print']
    const stderr = expect.toSay('init-query-not-taken', { reason: 'unknown operator: $foo' })
    expect(await init(['--from', 'shop.orders', ...wrong])).toMatchObject({ code: 2, stderr })
  })
})

/** What a report says of a ratio after a single round, whichever side was the bottleneck. Beside other tests the windows of this profile may be too short, or too disturbed, to compare. */
const aboutRatio = (of: string): RegExp =>
  new RegExp(
    `: (about [\\d.]+ times the ${of} per second \\(too few rounds for a verdict: 5 more(; [^)]*limited by the client)?\\)|not measured \\([^)]+\\))\\.$`,
    'gm',
  )

test('a spec of a replica set starts one, compares an index and write concerns on the set itself, and answers in words', async () => {
  await using context = await startContext()
  await using set = await startTarget(targetSpec.parse({ kind: 'replicaSet', members: 1 }), context)
  await using own = new MongoClient(set.uri)
  const orders = Array.from({ length: 1000 }, (_, i) => ({ customer: i % 50, at: new Date(1.7e12 + i), total: i }))
  await own.db('shop').collection('orders').insertMany(orders)
  const args = ['--from', 'shop.orders', '--index', '{"customer":1,"at":-1}', '--write-concerns', '1,majority']
  const { stderr, code } = await place.run(['init', 'compared.json', ...args, '--uri', set.uri])
  expect(code).toBe(0)
  expect(stderr).toContain("run compared.json --uri 'mongodb")
  expect(stderr).toHaveLine('init-next-replica-set', { members: 1 })
  expect(await specOf('compared.json')).toMatchObject({ target: { kind: 'replicaSet', members: 1 } })

  const flags = [...quick, '--repeat', '1', '--quiet', '--format', 'md', '--uri', set.uri]
  const ended = await place.run(['run', 'compared.json', ...flags])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  const masked = (of: string): string => ended.stdout.replaceAll(aboutRatio(of), ': RATIO.')
  const ofIndex = { index: 'customer_1_at_-1' }
  expect(masked('writes')).toHaveLine('init-finding-index-writes', ofIndex)
  expect(masked('queries')).toHaveLine('init-finding-index-query', ofIndex)
  expect(ended.stdout.replace(/(?<=MB: )[\d.]+(?=\.$)/m, 'N')).toHaveLine('init-finding-index-size', ofIndex)
  expect(masked('writes')).toHaveLine('init-finding-write-concerns')
  const examined = valueOfRow(await place.result('shop-orders-compared'))
  expect(examined({ index: 'none', writeConcern: 'w=1' })).toBeGreaterThanOrEqual(1000)
  expect(examined({ index: 'customer_1_at_-1', writeConcern: 'w=1' })).toBeLessThan(100)
})

const valueOfRow = (result: Result) => (row: RowChoice) =>
  readMetric(result, 'customer_1_at_-1.docsExaminedPerOperation', row)

test('nothing that was said or written has a part of the password in it', async () => {
  const files = await filesBelow(place.folder)
  const texts = [...said, ...(await Promise.all(files.map((file) => readFile(file, 'latin1'))))]
  expect(texts.length).toBeGreaterThan(10)
  for (const part of partsOfPassword) expect(texts.filter((text) => text.includes(part))).toEqual([])
})
