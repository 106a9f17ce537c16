import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { EJSON, serialize } from 'bson'
import { type Document } from 'mongodb'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildHidden } from '../../../src/advise/build-hidden.ts'
import { type Candidate } from '../../../src/advise/candidate.ts'
import { showIndexes } from '../../../src/advise/count-work.ts'
import { claimDatabase } from '../../../src/servers/targets/ownership.ts'
import { guardChanges } from '../../../src/servers/targets/server/guardian/changed-servers.ts'
import { type Workplace, workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'

const shared = sharedServer()
let place: Workplace
const namespace = 'indexed_shop.orders'
const shop = () => shared.client.db('indexed_shop')
const orders = () => shop().collection<{ _id: number }>('orders')
const listIndexes = async () => (await orders().listIndexes().toArray()).map(({ name }) => String(name))

const documents = Array.from({ length: 2000 }, (_, _id) => ({ _id, status: _id % 100, total: _id, at: new Date(_id) }))

beforeAll(async () => {
  place = await workplace(shared)
  await orders().insertMany(documents)
  await shop().createCollection('recent', { viewOn: 'orders', pipeline: [] })
  await shop().createCollection('weather', { timeseries: { timeField: 'at' } })
})
beforeEach(() => orders().dropIndexes())
afterAll(async () => {
  await shop().dropDatabase()
  await place[Symbol.asyncDispose]()
})

const allowed = ['--allow-index', namespace]
const ask = (...args: readonly string[]) => place.run(['advise', namespace, '--query', '{"status":1}', ...args])
const sayings = async (said: string, code: number, ...args: readonly string[]) =>
  expect(await place.run(['advise', ...args])).toMatchObject({ code, stderr: expect.toSay(said) })
const asJson = (stdout: string) => JSON.parse(stdout) as Document

test('an index that the user names is counted on their server, and dropped', async () => {
  const { code, stdout, stderr } = await ask('--index', '{"status":1}', ...allowed, '--count-only', '--format', 'json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.toSay('advise-dropped') })
  expect(asJson(stdout)['collections']).toMatchObject([
    {
      create: [{ key: { status: 1 }, saves: 1960 }],
      drop: [],
      operations: [{ name: 'find {status}', work: { today: 2000, advised: 40 } }],
    },
  ])
  expect(await listIndexes()).toEqual(['_id_'])
})

test('without one, indexes are proposed, and an index of today is never hidden', async () => {
  await orders().createIndex({ status: 1 })
  await orders().createIndex({ total: -1 })
  const { stdout } = await ask('--sort', '{"at":-1}', '--limit', '5', ...allowed, '--count-only', '--format', 'json')
  const [{ create, drop, keep, notes }] = asJson(stdout)['collections'] as [Document]
  expect(create).toMatchObject([{ key: { status: 1, at: -1 } }])
  expect({ drop, keep }).toEqual({ drop: [], keep: [] })
  expect(notes).toContainEqual(expect.toSay('advise-extended'))
  const left = await orders().listIndexes().toArray()
  expect(left.map(({ name, hidden }) => ({ name: String(name), hidden: hidden as unknown }))).toEqual(
    ['_id_', 'status_1', 'total_-1'].map((name) => ({ name, hidden: undefined })),
  )
})

test('an index that the planner does not choose is not worth it', async () => {
  const { code, stdout } = await ask('--index', '{"total":1}', ...allowed, '--format', 'json')
  expect(code).toBe(0)
  expect(asJson(stdout)['collections']).toMatchObject([{ create: [], notWorth: [{ key: { total: 1 }, saves: 0 }] }])
  expect(await listIndexes()).toEqual(['_id_'])
})

test('the collections of a join need permission too, and the sentence has the options to add', async () => {
  const lookup = '[{"$lookup":{"from":"recent","localField":"_id","foreignField":"total","as":"a"}}]'
  const { code, stderr } = await place.run(['advise', namespace, '--pipeline', lookup, ...allowed, '--count-only'])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  await shop().createCollection('customers')
  const joined = await place.run(['advise', namespace, '--pipeline', lookup.replace('recent', 'customers'), ...allowed])
  expect(joined).toMatchObject({ code: 3, stderr: expect.toSay('advise-join-not-allowed') })
})

test('nothing is built for what cannot be tried, and the sentence says what can', async () => {
  const query = ['--query', '{"status":1}']
  await sayings('advise-not-allowed', 3, namespace, ...query)
  await sayings('advise-field-unknown', 2, namespace, ...query, '--index', '{"statsu":1}', ...allowed)
  await sayings('advise-index-unreadable', 2, namespace, ...query, '--index', '{"status":"up"}', ...allowed)
  await sayings(
    'advise-unique-on-server',
    3,
    namespace,
    ...query,
    '--index',
    '{"key":{"total":1},"unique":true}',
    ...allowed,
  )
  await sayings(
    'advise-expiring',
    3,
    namespace,
    ...query,
    '--index',
    '{"key":{"at":1},"expireAfterSeconds":9}',
    ...allowed,
  )
  await sayings('advise-view', 2, 'indexed_shop.recent', ...query)
  await sayings('advise-time-series', 2, 'indexed_shop.weather', ...query)
  await sayings('advise-no-collection', 2, 'indexed_shop.order', ...query)
  await sayings('advise-nothing', 2)
  await sayings('advise-no-recording', 2, namespace)
  await sayings('advise-query-of-recording', 2, 'shop.mprec', ...query)
  await sayings('advise-lonely-index', 2, 'shop.mprec', '--index', '{"status":1}')
  await sayings('advise-profile-and-recording', 2, 'shop.mprec', '--from-profile', 'shop')
  await sayings('advise-recorded-query', 2, namespace, ...query, '--data', 'recorded')
  await sayings('advise-no-profile', 2, '--from-profile', 'indexed_shop')
  await orders().createIndex({ status: 1 })
  await sayings('advise-index-is-there', 3, namespace, ...query, '--index', '{"status":1}', ...allowed)
  expect(await listIndexes()).toEqual(['_id_', 'status_1'])
})

test('an index too many is refused with the remedy', async () => {
  await orders().createIndexes(Array.from({ length: 63 }, (_, i) => ({ key: { [`f${i}`]: 1 } })))
  const { code, stderr } = await ask('--index', '{"status":1}', ...allowed)
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.toSay('advise-too-many-indexes') })
  expect(await listIndexes()).toHaveLength(64)
})

test('calls of a profile get advice on their server', async () => {
  await shop().command({ profile: 2 })
  for (let i = 0; i < 25; i++) await orders().find({ status: i }).toArray()
  await shop().command({ profile: 0 })
  const args = ['--from-profile', 'indexed_shop', ...allowed, '--count-only', '--format', 'json']
  const { code, stdout, stderr } = await place.run(['advise', ...args])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(asJson(stdout)).toMatchObject({ calls: 25, collections: [{ create: [{ key: { status: 1 } }] }] })
  // What advise itself asked the server is no traffic.
  expect((await place.run(['advise', ...args])).stdout).toBe(stdout)
  await shop().dropCollection('system.profile')
})

/** Writes what mongodump would. */
async function dump(): Promise<string> {
  const folder = path.join(place.folder, 'dump', 'indexed_shop')
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'orders.bson'), Buffer.concat(documents.map((one) => serialize(one))))
  const indexes = [{ v: 2, key: { _id: 1 }, name: '_id_' }]
  const metadata = EJSON.stringify({ indexes, collectionName: 'orders', type: 'collection' }, { relaxed: false })
  await writeFile(path.join(folder, 'orders.metadata.json'), metadata)
  return path.dirname(folder)
}

test('with a dump, indexes are tried on a copy, unique ones too', async () => {
  const data = ['--data', await dump(), '--count-only']
  const { code, stdout, stderr } = await ask('--index', '{"status":1}', ...data, '--format', 'json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(asJson(stdout)['collections']).toMatchObject([{ create: [{ key: { status: 1 } }] }])
  const unique = await ask('--index', '{"key":{"status":1},"unique":true}', ...data)
  expect(unique).toMatchObject({ code: 3, stderr: expect.toSay('advise-duplicates') })
  expect(place.servers()).toEqual([])
})

const candidate: Candidate = { collection: 'orders', key: [['status', 1]], interchangeable: 0, share: 1, options: {} }
const build = async (signal: AbortSignal) => {
  const supervisor = { id: 'none', guard: () => Promise.resolve() }
  const recordChange = await guardChanges(shared.uri, supervisor, path.join(place.folder, 'elsewhere'))
  return await buildHidden({ db: shop(), recordChange }, { documents: 2000 }, [candidate], signal)
}
const isHidden = async () => (await orders().listIndexes().toArray()).at(-1)?.['hidden'] as unknown

test('it is built hidden, shown and hidden, and dropped', async () => {
  const { names, drop } = await build(new AbortController().signal)
  const trial = [...names.values()].join()
  expect(await listIndexes()).toEqual(['_id_', trial])
  expect(await isHidden()).toBe(true)
  await showIndexes(shop(), 'orders', [trial], true)
  expect(await isHidden()).toBeUndefined()
  await showIndexes(shop(), 'orders', [trial], false)
  expect(await isHidden()).toBe(true)
  const other = await ask('--index', '{"total":1}', ...allowed)
  expect(other).toMatchObject({ code: 3, stderr: expect.toSay('advise-trial-of-another', { trial }) })
  await drop(trial)
  expect(await listIndexes()).toEqual(['_id_'])
})

test('an abort while it is built leaves none', async () => {
  await expect(build(AbortSignal.abort())).rejects.toSay('advise-build-stopped')
  expect(await listIndexes()).toEqual(['_id_'])
})

/** As it stands on disk when the process of a run and its guardian were killed. */
async function writeDownLeftover(hosts: string, left: { readonly namespace: string; readonly name?: string }) {
  const folder = path.join(place.folder, 'state', 'mongo-perf', 'servers', 'indexes')
  await mkdir(folder, { recursive: true })
  const owner = { pid: 2 ** 22 + 1, startTime: '1' }
  const file = path.join(folder, `${owner.pid}-${left.name ?? left.namespace}.json`)
  await writeFile(file, JSON.stringify({ ...left, hosts, owner }))
}

test('clean drops what killed runs have left on the server that it is given, and names what is elsewhere, until it is gone', async () => {
  const trial = 'mongoperf_trial_0a1b2c3d'
  await orders().createIndex({ status: 1 }, { name: trial, hidden: true })
  const made = shared.client.db('mongoperf_left_a')
  await made
    .collection<{ _id: string; collections: string[] }>('__mongo_perf_marker')
    .insertOne({ _id: 'mongo-perf', collections: ['orders'] })
  await made.collection('orders').insertOne({})

  const hosts = shared.client.options.hosts.join(',')
  await writeDownLeftover(hosts, { namespace, name: trial })
  await writeDownLeftover(hosts, { namespace: 'mongoperf_left_a' })
  const named = await place.run(['clean'])
  expect(named).toMatchObject({
    code: 4,
    stdout: expect.toSay('clean-trial-index', { namespace, hosts, trial, folder: place.folder }),
  })
  expect(await place.run(['clean'])).toMatchObject({ code: 4, stdout: named.stdout })
  expect(await listIndexes()).toEqual(['_id_', trial])
  const { code, stdout } = await place.run(['clean', '--uri', shared.uri])
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.toSay('clean-dropped', { namespace, hosts, trial }) })
  expect(await listIndexes()).toEqual(['_id_'])
  expect(await made.listCollections().toArray()).toEqual([])
  expect((await place.run(['clean'])).stdout).toSay('clean-nothing')
})

test('clean names the databases of a server that runs made', async () => {
  const runs = shared.client.db('mongoperf_of_a_run')
  await claimDatabase(runs)
  const { code, stdout } = await place.run(['clean', '--uri', shared.uri])
  const hosts = shared.client.options.hosts.join(',')
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.toSay('clean-database-of-run', { hosts }) })
  expect(await runs.listCollections().toArray()).toHaveLength(1)
})
