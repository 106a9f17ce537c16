import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { type ResultComparison } from '../../../src/report/comparison/comparison.ts'
import { claimDatabase } from '../../../src/servers/targets/ownership.ts'
import { guardChanges } from '../../../src/servers/targets/server/guardian/changed-servers.ts'
import { buildTrialIndex } from '../../../src/verdicts/ab/trial-index.ts'
import { type Workplace, workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'

const shared = sharedServer()
let place: Workplace
const trial = 'mongoperf_trial_status_1'
const namespace = 'indexed_shop.orders'

const orders = () => shared.client.db('indexed_shop').collection('orders')
const isHidden = async () => (await orders().listIndexes().toArray()).find(({ name }) => name === trial)?.['hidden']
const indexes = async () => (await orders().listIndexes().toArray()).map(({ name }) => String(name))

beforeAll(async () => {
  place = await workplace(shared)
  await orders().insertMany(Array.from({ length: 2000 }, (_, i) => ({ status: i % 3, total: i, at: new Date(i) })))
})
beforeEach(() => orders().dropIndexes())
afterAll(async () => {
  await shared.client.db('indexed_shop').dropDatabase()
  await place[Symbol.asyncDispose]()
})

const compare = (key: string, ...more: readonly string[]) =>
  place.run(['ab', '--index', `${namespace} ${key}`, '--query', '{"status":1}', ...more])
const allowed = ['--allow-index', namespace]

test('an index that the planner does not choose is dropped after its plan, and nothing is measured', async () => {
  const { code, stdout } = await compare('{"total":1}', ...allowed)
  expect(code).toBe(0)
  const measured = /in [\d.]+ s, [\d.]+ MB/
  expect(stdout.replace(measured, 'in 0.1 s, 0.2 MB')).toSay('ab-index-not-chosen', { namespace, examined: 2000 })
  expect(await indexes()).toEqual(['_id_'])
})

test('nothing is built without permission, a query, or a right key', async () => {
  const noPermission = expect.toSay('ab-index-not-allowed', { namespace })
  expect(await compare('{"status":1}')).toMatchObject({ code: 3, stderr: noPermission })
  const wrongField = expect.toSay('ab-index-field-unknown', { namespace, field: 'statsu', near: 'status' })
  expect(await compare('{"statsu":1}', ...allowed)).toMatchObject({ code: 2, stderr: wrongField })
  expect(await compare('', ...allowed)).toMatchObject({
    code: 2,
    stderr: expect.toSay('ab-index-not-named', { namespace }),
  })
  const noQuery = await place.run(['ab', '--index', `${namespace} {"status":1}`, ...allowed])
  expect(noQuery).toMatchObject({ code: 2, stderr: expect.toSay('ab-index-without-query') })
  await orders().createIndex({ status: 1 })
  const isThere = expect.toHaveLine('ab-index-is-there', { namespace, index: 'status_1' })
  expect(await compare('{"status":1}', ...allowed)).toMatchObject({ code: 2, stderr: isThere })
  expect(await indexes()).toEqual(['_id_', 'status_1'])
})

const build = async (signal: AbortSignal) =>
  buildTrialIndex({
    uri: shared.uri,
    database: 'indexed_shop',
    collection: 'orders',
    key: { status: 1 },
    recordChange: await guardChanges(
      shared.uri,
      { id: 'none', guard: () => Promise.resolve() },
      path.join(place.folder, 'elsewhere'),
    ),
    clock: systemClock,
    signal,
  })

test('it is built hidden, shown and hidden, and dropped in the end', async () => {
  {
    await using index = await build(new AbortController().signal)
    expect(index).toMatchObject({ name: trial, buildSeconds: expect.any(Number) })
    expect(index.megabytes).toBeGreaterThan(0)
    expect(await isHidden()).toBe(true)
    await index.show(true)
    expect(await isHidden()).toBeUndefined()
    await index.show(false)
    expect(await isHidden()).toBe(true)
    await expect(build(new AbortController().signal)).rejects.toSay('trial-index-of-another', {
      namespace,
      trial,
    })
  }
  expect(await indexes()).toEqual(['_id_'])
})

test('an abort while it is built leaves none', async () => {
  await expect(build(AbortSignal.abort())).rejects.toSay('trial-index-stopped')
  expect(await indexes()).toEqual(['_id_'])
})

/** As it stands on disk when the process of a run and its guardian were killed. */
async function writeDownLeftover(hosts: string, left: { readonly namespace: string; readonly name?: string }) {
  const folder = path.join(place.folder, 'state', 'mongo-perf', 'servers', 'indexes')
  await mkdir(folder, { recursive: true })
  const owner = { pid: 2 ** 22 + 1, startTime: '1' }
  await writeFile(
    path.join(folder, `${owner.pid}-${left.name ?? left.namespace}.json`),
    JSON.stringify({ ...left, hosts, owner }),
  )
}

test('clean drops what killed runs have left on the server that it is given, and names what is elsewhere, until it is gone', async () => {
  await orders().createIndex({ status: 1 }, { name: trial, hidden: true })
  const made = shared.client.db('mongoperf_left_a')
  await made
    .collection<{ _id: string; collections: string[] }>('__mongo_perf_marker')
    .insertOne({ _id: 'mongo-perf', collections: ['orders'] })
  await made.collection('orders').insertOne({})
  const other = expect.toHaveLine('trial-index-dropped-by-hand', { trial })
  expect(await compare('{"total":1}', ...allowed)).toMatchObject({ code: 3, stderr: other })

  const hosts = shared.client.options.hosts.join(',')
  await writeDownLeftover(hosts, { namespace, name: trial })
  await writeDownLeftover(hosts, { namespace: 'mongoperf_left_a' })
  const named = await place.run(['clean'])
  expect(named).toMatchObject({
    code: 4,
    stdout: expect.toSay('clean-trial-index', { namespace, hosts, trial, folder: place.folder }),
  })
  expect(await place.run(['clean'])).toMatchObject({ code: 4, stdout: named.stdout })
  expect(await indexes()).toEqual(['_id_', trial])
  const { code, stdout } = await place.run(['clean', '--uri', shared.uri])
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.toSay('clean-dropped', { namespace, hosts, trial }) })
  expect(await indexes()).toEqual(['_id_'])
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

test('a comparison of writes to fewer documents says so beside its verdict, in every form of it', async () => {
  const args = [...allowed, '--documents', '500', '--budget', '5s', '--format', 'json', '--out', 'fewer']
  const { stdout } = await compare('{"status":1}', ...args)
  const ofWrites = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1)) as ResultComparison
  expect(ofWrites.limits[0]).toSay('ab-index-fewer-documents', { namespace })
  const page = await readFile(path.join(place.folder, 'fewer', 'writes', 'comparison.md'), 'utf8')
  expect(page).toContain(ofWrites.limits[0])
})
