import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { MongoClient } from 'mongodb'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { type Result } from '../../../src/results/schema.ts'
import { findFreePort } from '../../../src/servers/targets/server/process/server-process.ts'
import { recordProxy } from '../../../src/traffic/record/record-proxy.ts'
import { fail } from '../../fakes/fail.ts'
import { type Workplace, workplace } from '../support/program.ts'
import { sharedPrimary } from '../support/shared-servers.ts'

const server = sharedPrimary()
const shop = () => server.client.db('shop')

type Numbered = { _id: number; customer?: number; total?: number; items?: number[]; balance?: number }

/** The data that the application begins with. */
async function restore(): Promise<void> {
  await shop().dropDatabase()
  const orders = Array.from({ length: 500 }, (_, _id) => ({ _id, customer: _id % 7, total: _id / 2, items: [_id] }))
  await shop().collection<Numbered>('orders').insertMany(orders)
  await shop().collection('orders').createIndex({ customer: 1 })
  await shop()
    .collection<Numbered>('accounts')
    .insertMany([0, 1, 2].map((_id) => ({ _id, balance: 100 })))
}

const findSorted = (name: string) =>
  shop()
    .collection(name)
    .find({}, { projection: { _id: 0 }, sort: { customer: 1, total: 1, balance: 1, key: 1 } })

/** Everything in the database, without ids that the server makes. */
async function snapshot(): Promise<unknown> {
  return await Promise.all(['orders', 'accounts', 'counters'].map((name) => findSorted(name).toArray()))
}

/** Records what an application does through the proxy. */
async function record(place: Workplace, application: (uri: string) => Promise<void>): Promise<string> {
  const file = path.join(place.folder, 'shop.mprec')
  const listen = { host: '127.0.0.1', port: await findFreePort() }
  const stop = new AbortController()
  let recording: Promise<unknown> = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    recording = recordProxy({
      file,
      uri: server.uri,
      listen,
      tls: undefined,
      values: 'keep',
      maxMs: Infinity,
      clock: systemClock,
      signal: stop.signal,
      log: () => resolve(),
    })
    recording.catch(reject)
  })
  await application(`mongodb://127.0.0.1:${listen.port}/?directConnection=true&maxPoolSize=1`)
  stop.abort()
  await recording
  return file
}

/** Cursors of several batches, writes that are retried, bulk writes, transactions, errors, and ids that the server makes. */
async function useShop(uri: string): Promise<void> {
  await using client = new MongoClient(uri)
  const db = client.db('shop')
  const orders = db.collection<Numbered>('orders')
  const accounts = db.collection<Numbered>('accounts')
  await orders.find({ customer: 3 }, { batchSize: 10, sort: { _id: 1 } }).toArray()
  await orders.find({}, { batchSize: 100 }).limit(150).toArray()
  const left = orders.find({ total: { $gt: 10 } }, { batchSize: 5 })
  await left.next()
  await left.close()
  await orders.aggregate([{ $group: { _id: '$customer', total: { $sum: '$total' } } }, { $sort: { _id: 1 } }]).toArray()
  await orders.countDocuments({ customer: 1 })
  await orders.distinct('customer')
  for (let id = 0; id < 150; id++) await orders.findOne({ _id: id })
  await db.collection('orders').insertMany(Array.from({ length: 50 }, (_, i) => ({ customer: 100, total: i })))
  await orders.updateMany({ customer: 2 }, { $inc: { total: 1 } })
  await orders.findOneAndUpdate({ _id: 4 }, { $set: { total: 0 } }, { returnDocument: 'after' })
  await orders.bulkWrite([
    { deleteOne: { filter: { _id: 9 } } },
    { replaceOne: { filter: { _id: 10 }, replacement: { customer: 1, total: -1 } } },
  ])
  await orders.insertOne({ _id: 0 }).catch(() => {})
  const { upsertedId } = await db.collection('counters').updateOne({ key: 'a' }, { $inc: { n: 1 } }, { upsert: true })
  await db.collection('counters').updateOne({ _id: upsertedId ?? fail('Nothing was upserted') }, { $inc: { n: 5 } })
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await accounts.updateOne({ _id: 0 }, { $inc: { balance: -30 } }, { session })
      await accounts.updateOne({ _id: 1 }, { $inc: { balance: 30 } }, { session })
      await accounts.find({}, { session }).toArray()
    }),
  )
  await client.withSession(async (session) => {
    session.startTransaction()
    await accounts.deleteMany({}, { session })
    await session.abortTransaction()
  })
}

const sumOf = (result: Result, column: string): unknown => result.variants[0]?.phases[0]?.columns?.[column]

test('a recorded application has the same replies, documents and data when it is replayed on the same data', async () => {
  await using place = await workplace()
  await restore()
  const file = await record(place, useShop)
  const after = await snapshot()

  const refused = await place.run(['replay', file, '--uri', server.uri])
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(refused.stderr).toSay('replay-may-not-write')
  const twice = await place.run(['replay', file, '--uri', server.uri, '--allow-writes', '--repeat', '2'])
  expect(twice).toMatchObject({ code: 2, stderr: expect.toSay('replay-writes-twice') })
  expect(await place.run(['replay', file, '--only', 'find,drop'])).toMatchObject({
    code: 2,
    stderr: expect.toSay('replay-only-unknown'),
  })
  expect(await place.run(['replay', file, '--uri', `one=${server.uri}`])).toMatchObject({
    code: 2,
    stderr: expect.toSay('replay-uri-named'),
  })

  expect(await place.run(['replay', file, '--agents', 'redis://127.0.0.1:1'])).toMatchObject({
    code: 2,
    stderr: expect.toSay('replay-agents-without-uri'),
  })

  for (const speed of ['max', '20']) {
    await restore()
    const replay = ['replay', file, '--uri', server.uri, '--allow-writes', '--compare-documents', '--speed', speed]
    const { code, stderr, stdout } = await place.run([...replay, '--format', 'text'])
    expect(stderr + (code === 0 ? '' : stdout)).not.toContain('error')
    expect(code).toBe(0)
    const result = await place.result('replay-shop')
    expect({ differing: sumOf(result, 'differing'), notSent: sumOf(result, 'notSent') }).toEqual({
      differing: 0,
      notSent: 0,
    })
    const [phase] = result.variants[0]?.phases ?? []
    expect(phase?.operations.flatMap(({ errors }) => errors)).toEqual([])
    expect(phase?.operations.map(({ name }) => name)).toContain('getMore-orders')
    expect(await snapshot()).toEqual(after)
    const [ratio, low, high] = ['p50Ratio', 'p50RatioLow', 'p50RatioHigh'].map((column) =>
      Number(sumOf(result, column)),
    )
    expect(low).toBeLessThan(ratio ?? 0)
    expect(high).toBeGreaterThan(ratio ?? 0)
    const overTime = phase?.columnsPerSecond?.['recordedP50Ms'] ?? []
    expect(overTime.some((ms) => ms !== null)).toBe(speed !== 'max')
  }
  const folder = path.join(place.folder, 'mongo-perf-results', 'replay-shop')
  expect((await place.run(['report', path.join(folder, 'result.json')])).code).toBe(0)
  expect(await readFile(path.join(folder, 'report.md'), 'utf8')).toContain('find-orders-customer')
})

test('of other data the documents differ, and reads alone need no permission', async () => {
  await using place = await workplace()
  await restore()
  const file = await record(place, useShop)
  await restore()
  await shop()
    .collection('orders')
    .updateMany({ customer: 3 }, { $set: { total: 7 } })
  const replay = ['replay', file, '--uri', server.uri, '--only', 'find', '--compare-documents', '--speed', 'max']
  expect(await place.run([...replay, '--quiet'])).toEqual({ code: 0, stderr: '', stdout: '' })
  const result = await place.result('replay-shop')
  const of = (name: string) => result.variants[0]?.phases[0]?.operations.find((operation) => operation.name === name)
  expect(of('find-orders-customer')?.columns?.['differing']).toBe(1)
  expect(of('insert-orders')).toBeUndefined()
})

test('without --uri a server is started, which has none of the data', async () => {
  await using place = await workplace()
  await restore()
  const file = await record(place, useShop)
  const { code, stderr, stdout } = await place.run([
    'replay',
    file,
    '--only',
    'find',
    '--format',
    'text',
    '--speed',
    '10',
  ])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stdout).toMatch(/\d+ of \d+ calls went out more than 1 ms late/)
  const result = await place.result('replay-shop')
  expect(result.variants[0]?.server?.startedByUs).toBe(true)
  expect(sumOf(result, 'differing')).toBeGreaterThan(0)
})

/** Writes what mongodump writes of the database. */
async function dump(place: Workplace): Promise<string> {
  const folder = path.join(place.folder, 'dump', 'shop')
  await mkdir(folder, { recursive: true })
  for (const { collectionName } of await shop().collections()) {
    const documents = await shop().collection(collectionName).find({}, { raw: true }).toArray()
    const indexes = await shop().collection(collectionName).indexes()
    await writeFile(path.join(folder, `${collectionName}.bson`), Buffer.concat(documents as unknown as Buffer[]))
    await writeFile(path.join(folder, `${collectionName}.metadata.json`), JSON.stringify({ options: {}, indexes }))
  }
  return path.dirname(folder)
}

test('a dump is loaded before each replay, into a database that no one else has, and nowhere else', async () => {
  await using place = await workplace()
  await restore()
  const data = await dump(place)
  const file = await record(place, useShop)
  const after = await snapshot()
  const replay = ['replay', file, '--uri', server.uri, '--data', data, '--allow-writes', '--speed', 'max']
  const refused = await place.run(replay)
  expect(refused).toMatchObject({ code: 3, stderr: expect.toSay('replay-data-taken') })
  expect(await snapshot()).toEqual(after)

  await shop().dropDatabase()
  const { code, stderr } = await place.run([...replay, '--compare-documents', '--repeat', '2'])
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.toHaveLine('run-data-stays', { database: 'shop' }) })
  const { variants } = await place.result('replay-shop')
  expect(variants.map(({ phases }) => phases[0]?.columns?.['differing'])).toEqual([0, 0])
  expect(variants[0]?.data.map(({ collection, source, rows }) => [collection, source, rows])).toEqual([
    ['accounts', 'file', 3],
    ['orders', 'file', 500],
    ['counters', 'generated', 0],
  ])
  expect(await snapshot()).toEqual(after)

  const sides = [
    '--a',
    `uri:${server.uri}`,
    '--b',
    `uri:${server.uri}`,
    '--rounds',
    '1',
    '--speed',
    'max',
    '--data',
    data,
  ]
  const unnamed = await place.run(['ab', file, ...sides])
  expect(unnamed).toMatchObject({ code: 3, stderr: expect.toSay('replay-may-not-write') })
  const compared = await place.run(['ab', file, ...sides, '--allow-writes', 'shop', '--format', 'text'])
  expect({ ...compared, code: 0 }).toEqual(compared)
  for (const side of ['a', 'b']) {
    const [variant] = (await place.result(`shop-ab/${side}`)).variants
    expect(variant?.phases[0]?.columns?.['differing']).toBe(0)
    expect(variant?.phases[0]?.operations.map(({ name }) => name)).toContain('find-orders-customer')
  }
  await shop().dropDatabase()
})

test('of data that are made up from the calls, reads find as much as they did', async () => {
  await using place = await workplace()
  await restore()
  const file = await record(place, useShop)
  const inspected = await place.run(['inspect', file, '--html', 'shop.html'])
  expect(inspected).toMatchObject({ code: 0, stderr: 'Report: shop.html\n' })
  expect(await readFile(path.join(place.folder, 'shop.html'), 'utf8')).toContain('find orders customer')
  const { code, stderr } = await place.run(['replay', file, '--only', 'find', '--speed', 'max', '--data', 'recorded'])
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.toHaveLine('replay-data-made-up', { folder: place.folder }),
  })
  const result = await place.result('replay-shop')
  expect({ differing: sumOf(result, 'differing'), notSent: sumOf(result, 'notSent') }).toEqual({
    differing: 0,
    notSent: 0,
  })
})
