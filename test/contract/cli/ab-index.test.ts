import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { buildTrialIndex } from '../../../src/verdicts/ab/trial-index.ts'
import { fail } from '../../fakes/fail.ts'
import { type Workplace, workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'

const shared = sharedServer()
let place: Workplace
const trial = 'mongoperf_trial_status_1'

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
  place.run(['ab', '--index', `indexed_shop.orders ${key}`, '--query', '{"status":1}', ...more])
const allowed = ['--allow-index', 'indexed_shop.orders']

test('an index that the planner does not choose is dropped after its plan, and nothing is measured', async () => {
  const { code, stdout } = await compare('{"total":1}', ...allowed)
  expect(code).toBe(0)
  expect(stdout).toMatch(/built hidden on indexed_shop.orders in [\d.]+ s, [\d.]+ MB/)
  expect(stdout).toContain('without it: documents examined 2000, keys examined 0, returned 667 (COLLSCAN).')
  expect(stdout).toContain('The server does not choose the index')
  expect(await indexes()).toEqual(['_id_'])
})

test('nothing is built without permission, a query, or a right key', async () => {
  const refused = await compare('{"status":1}')
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('--allow-index indexed_shop.orders') })
  expect(await compare('{"statsu":1}', ...allowed)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"status"'),
  })
  expect(await compare('', ...allowed)).toMatchObject({ code: 2 })
  const noQuery = await place.run(['ab', '--index', 'indexed_shop.orders {"status":1}', ...allowed])
  expect(noQuery).toMatchObject({ code: 2, stderr: expect.stringContaining('needs the query') })
  await orders().createIndex({ status: 1 })
  const there = await compare('{"status":1}', ...allowed)
  expect(there).toMatchObject({ code: 2, stderr: expect.stringContaining('has this index already: "status_1"') })
  expect(await indexes()).toEqual(['_id_', 'status_1'])
})

const build = (signal: AbortSignal) =>
  buildTrialIndex({
    uri: shared.uri,
    database: 'indexed_shop',
    collection: 'orders',
    key: { status: 1 },
    stateFolder: path.join(place.folder, 'elsewhere'),
    clock: systemClock,
    signal,
    onLeftover: () => fail('nothing is left over'),
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
    await expect(build(new AbortController().signal)).rejects.toThrow(
      'has the index "mongoperf_trial_status_1" of another',
    )
  }
  expect(await indexes()).toEqual(['_id_'])
})

test('an abort while it is built leaves none', async () => {
  await expect(build(AbortSignal.abort())).rejects.toThrow('Stopped while the index was built')
  expect(await indexes()).toEqual(['_id_'])
})

/** As it stands on disk when the process of a run was killed. */
async function writeDownLeftover(hosts: string): Promise<void> {
  const folder = path.join(place.folder, 'state', 'mongo-perf', 'servers', 'indexes')
  await mkdir(folder, { recursive: true })
  const owner = { pid: 2 ** 22 + 1, startTime: '1' }
  const record = { namespace: 'indexed_shop.orders', name: trial, hosts, owner }
  await writeFile(path.join(folder, `${owner.pid}-${trial}.json`), JSON.stringify(record))
}

test('what a killed run has left is dropped by the next one; that of a run elsewhere is named', async () => {
  await orders().createIndex({ status: 1 }, { name: trial, hidden: true })
  const foreign = await compare('{"total":1}', ...allowed)
  expect(foreign).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`getCollection("orders").dropIndex("${trial}")`),
  })
  expect(await indexes()).toEqual(['_id_', trial])

  await writeDownLeftover('127.0.0.1:1')
  expect(await compare('{"total":1}', ...allowed)).toMatchObject({ code: 3 })
  await writeDownLeftover(shared.client.options.hosts.join(','))
  const { code, stderr } = await compare('{"total":1}', ...allowed)
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`has left behind: ${trial}`) })
  expect(await indexes()).toEqual(['_id_'])
})

test('clean names what a killed run has left, once', async () => {
  await writeDownLeftover('127.0.0.1:27017')
  const { code, stdout } = await place.run(['clean'])
  expect(code).toBe(4)
  expect(stdout).toBe(
    `index on indexed_shop.orders of 127.0.0.1:27017: drop it with db.getSiblingDB("indexed_shop").getCollection("orders").dropIndex("${trial}")\n`,
  )
  expect(await place.run(['clean'])).toMatchObject({ code: 0, stdout: 'nothing is left over\n' })
})
