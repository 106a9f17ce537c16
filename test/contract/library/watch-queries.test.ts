import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Db, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type WatchOptions } from '../../../src/verdicts/testing/watch/options.ts'
import { type TestBody, type WrapTest } from '../../../src/verdicts/testing/watch/runners.ts'
import { watchQueriesIn } from '../../../src/verdicts/testing/watch/watch-queries.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'
import { sharedPrimary } from '../support/shared-servers.ts'

const server = sharedPrimary()
let client: MongoClient
let db: Db

beforeAll(async () => {
  client = new MongoClient(server.uri, { monitorCommands: true })
  db = client.db('watched')
  await db
    .collection('orders')
    .insertMany(Array.from({ length: 2000 }, (_, number) => ({ number, customer: number % 50 })))
  await db.collection('orders').createIndex({ number: 1 })
})

afterAll(() => client.close())

/** Runs the function of a test as a runner does that is watched. */
async function runTest(body: TestBody, options: WatchOptions = {}, on: MongoClient = client): Promise<unknown> {
  let wrap: WrapTest | undefined
  watchQueriesIn({ watchTests: (given) => (wrap = given), atEnd: () => {} }, on, options)
  return await wrap?.('suite > test', body)()
}

const findOrder = (number: number) => db.collection('orders').findOne({ number })

async function findOrders(count: number): Promise<void> {
  for (let number = 0; number < count; number++) await findOrder(number)
}

const findByCustomer = async () => await db.collection('orders').find({ customer: 7 }).toArray()

async function failAfterQueries(): Promise<void> {
  await findOrders(6)
  throw new Error('of the test')
}

/** Runs the function of a test that takes a callback. @returns what the callback gets. */
function runWithCallback(count: number): Promise<unknown> {
  const wraps: WrapTest[] = []
  watchQueriesIn({ watchTests: (wrap) => void wraps.push(wrap), atEnd: () => {} }, client, {})
  return new Promise((resolve) => {
    wraps[0]?.('callback', (done) => void findOrders(count).then(done as () => void))(resolve)
  })
}

async function readAndStream(): Promise<void> {
  const read = await db.collection('orders').find({}, { batchSize: 100 }).toArray()
  expect(read).toHaveLength(2000)
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await db.collection('orders').findOne({ number: 1 }, { session })
      await db.collection('orders').updateOne({ number: 1 }, { $set: { paid: true } }, { session })
    }),
  )
  const stream = db.collection('orders').watch([], { maxAwaitTimeMS: 50 })
  // The server has answered once: it sees the update, whichever connection is faster.
  expect(await stream.tryNext()).toBeNull()
  const next = stream.next()
  await db.collection('orders').updateOne({ number: 2 }, { $set: { paid: new Date() } })
  expect(await next).toMatchObject({ operationType: 'update' })
  await stream.close()
}

describe('a watched test', () => {
  test('fails where one shape of query is sent too often, and shows the line', async () => {
    await expect(runTest(() => findOrders(6))).rejects.toThrow(
      /^find orders number was sent 6 times in one test; the limit is 5\. Sent by findOrders \(test\/contract\/library\/watch-queries\.test\.ts:\d+:\d+\)\.\n/,
    )
    await expect(runTest(() => findOrders(5))).resolves.toBeUndefined()
    await expect(runTest(() => findOrders(6), { repeats: 6 })).resolves.toBeUndefined()
  })

  test('begins with no queries when it is tried again', async () => {
    let tries = 0
    const body = async (): Promise<void> => await findOrders(tries++ === 0 ? 6 : 3)
    await expect(runTest(body)).rejects.toThrow('sent 6 times')
    await expect(runTest(body)).resolves.toBeUndefined()
  })

  test('counts no queries of tests that run at the same time, and none that was begun outside', async () => {
    const over = new AbortController()
    const polling = (async () => {
      while (!over.signal.aborted) await findOrder(1)
    })()
    const tests = [5, 5, 6].map((count) => runTest(() => findOrders(count)))
    const outcomes = await Promise.allSettled(tests)
    over.abort()
    await polling
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  })

  test('fails where a query examines too many documents without an index', async () => {
    await expect(runTest(findByCustomer)).rejects.toThrow(
      'find orders customer examined 2000 documents without an index (COLLSCAN)',
    )
    await expect(runTest(findByCustomer, { scans: 2000 })).resolves.toHaveLength(40)
    await expect(runTest(findByCustomer, { report: true })).resolves.toHaveLength(40)
    await expect(runTest(findByCustomer, { allow: [{ shape: 'find orders customer' }] })).resolves.toHaveLength(40)
  })

  test('explains a shape again as long as it reads its whole collection', async () => {
    const growing = db.collection('growing')
    const body = async (): Promise<unknown> => await growing.find({ state: 'open' }).toArray()
    await runTest(body)
    await growing.insertMany(Array.from({ length: 1500 }, () => ({ state: 'done' })))
    await expect(runTest(body)).rejects.toThrow('examined 1500 documents')
  })

  test('finds what is read inside of a pipeline, and in writes', async () => {
    const orders = db.collection('orders')
    const joined = { from: 'orders', localField: 'customer', foreignField: 'customer', as: 'others' }
    const aggregate = async () => await orders.aggregate([{ $match: { number: 1 } }, { $lookup: joined }]).toArray()
    await expect(runTest(aggregate)).rejects.toThrow('aggregate orders number examined 2001 documents without an index')
    const update = async () => await orders.updateMany({ customer: 3 }, { $set: { seen: true } })
    await expect(runTest(update)).rejects.toThrow('update orders customer examined 2000 documents without an index')
  })

  test('may open cursors, transactions and change streams: getMore belongs to its query', async () =>
    await expect(runTest(readAndStream, { repeats: 1, scans: 10 })).resolves.toBeUndefined())

  test('returns what its function returns, keeps its own error, and calls the callback of one that takes it', async () => {
    expect(await runTest(() => 7)).toBe(7)
    await expect(runTest(failAfterQueries)).rejects.toThrow('of the test')
    expect(await runWithCallback(6)).toBeInstanceOf(Error)
    expect(await runWithCallback(1)).toBeUndefined()
  })

  test('does not connect a client again that it has closed', async () => {
    const own = new MongoClient(server.uri, { monitorCommands: true })
    const body = async (): Promise<void> => {
      await own.db('watched').collection('orders').findOne({ customer: 1 })
      await own.close()
    }
    await runTest(body, {}, own)
    expect(Reflect.get(own, 'topology')).toBeUndefined()
  })

  test('fails where its client was connected before without reporting commands', async () => {
    const silent = new MongoClient(server.uri)
    await silent.db('watched').collection('orders').findOne({ number: 1 })
    const body = () => silent.db('watched').collection('orders').findOne({ number: 1 })
    await expect(runTest(body, {}, silent)).rejects.toSay('watch-client-silent')
    await silent.close()
  })
})

const root = path.resolve(import.meta.dirname, '../../..')
const inFolder = useFreshFolder()

/** The tests of an application with a loop of queries, as a file for a runner. */
const suite = (runner: string, more = ''): string => `
import { ${runner === 'vitest' ? 'afterAll' : 'after as afterAll'}, describe, test } from '${runner}'
import { client } from './client.js'
import { findByCustomer, findOrders } from './orders.js'

afterAll(() => client.close())

describe('orders', () => {
  test('one by one', () => findOrders(10))
  test('of a customer', () => findByCustomer(7))
  test('imports all', () => findOrders(10))
  test('at once', () => findOrders(5))
${more}
})
`

/** Whether its tests pass depends on which of them a query is counted for. */
const concurrentTests = `
  test.concurrent('beside another', () => findOrders(5))
  test.concurrent('beside one', () => findOrders(5))
  let tries = 0
  test('at the second try', { retry: 1 }, () => findOrders(tries++ === 0 ? 6 : 5))
`

const files = (entry: string): Readonly<Record<string, string>> => ({
  'package.json': '{ "type": "module" }',
  'client.js': `import { MongoClient } from 'mongodb'
export const client = new MongoClient(${JSON.stringify(server.uri)}, { monitorCommands: true })
`,
  'orders.js': `import { client } from './client.js'
const orders = client.db('watched').collection('orders')

export async function findOrders(count) {
  for (let number = 0; number < count; number++) await orders.findOne({ number })
}

export async function findByCustomer(customer) {
  return await orders.find({ customer }).toArray()
}
`,
  'setup.js': `import { watchQueries } from ${JSON.stringify(path.join(root, 'build/src/entries', `${entry}.js`))}
import { client } from './client.js'

watchQueries(client, { repeats: 5, scans: 1_000, allow: [{ test: 'imports' }] })
`,
})

/** Runs a runner in a folder with the files of an application. @returns what it prints. */
async function runSuite(contents: Readonly<Record<string, string>>, args: readonly string[]): Promise<string> {
  const folder = inFolder('suite')
  await mkdir(path.join(folder, 'node_modules'), { recursive: true })
  for (const name of ['mongodb', 'vitest'])
    await symlink(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name), 'dir')
  for (const [name, text] of Object.entries(contents)) await writeFile(path.join(folder, name), text)
  const env = { PATH: process.env['PATH'], NO_COLOR: '1' }
  return await new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: folder, env }, (_, stdout, stderr) => resolve(stdout + stderr)),
  )
}

test('a suite of Vitest fails with the queries of each test', async () => {
  const config = `export default { test: { setupFiles: ['setup.js'], testTimeout: 300_000, server: { deps: { external: [/build/] } } } }`
  const contents = {
    ...files('vitest'),
    'vitest.config.js': config,
    'orders.test.js': suite('vitest', concurrentTests),
  }
  const printed = await runSuite(contents, [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run'])
  expect(printed).toMatch(/Tests +2 failed \| 5 passed \(7\)/)
  expect(printed).toHaveLine('watch-suite-repeated', { error: 'QueryLimitError' })
  expect(printed).toHaveLine('watch-suite-scan', { error: 'QueryLimitError' })
  expect(printed).toHaveLine('watch-suite-summary', { queries: 46, tests: 7 })
  expect(printed).toHaveLine('watch-suite-unindexed')
})

test('a suite of node:test fails with the queries of each test', async () => {
  const contents = { ...files('testing'), 'orders.test.js': suite('node:test') }
  const printed = await runSuite(contents, [
    '--import',
    './setup.js',
    '--test',
    '--test-reporter=spec',
    'orders.test.js',
  ])
  expect(printed).toMatch(/pass 2\n. fail 2/)
  expect(printed).toHaveLine('watch-suite-repeated', { error: 'Error [QueryLimitError]' })
  expect(printed).toHaveLine('watch-suite-scan', { error: 'Error [QueryLimitError]' })
  expect(printed).toHaveLine('watch-suite-summary', { queries: 25, tests: 3 })
  expect(printed).toHaveLine('watch-suite-unindexed')
})
