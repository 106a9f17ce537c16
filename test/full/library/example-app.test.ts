import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type InstalledApp, installExampleApp, type Suite } from '../../../bench/start/example-app.ts'
import { ownServer } from '../../contract/support/own-server.ts'
import { fencesOf, pageOf } from '../../docs/pages.ts'

const server = ownServer()

let app: InstalledApp

beforeAll(async () => {
  app = await installExampleApp()
  return () => app[Symbol.asyncDispose]()
})

/** What its runner prints of the regression. */
const regressions: readonly [suite: Suite, printed: readonly string[]][] = [
  ['vitest', ['app-index-not-used', 'app-examined-more']],
  ['node', ['app-sent-more']],
  ['jest', ['app-slower']],
]

// A verdict is right with a probability only, and the more load there is beside it, the lower that is.
describe.each(regressions)('the suite of the example app in %s', { retry: 2 }, (suite, printed) => {
  test('passes where the app has no regression', async () => {
    expect(await app.run(suite, 'fixed', { MONGO_PERF_TEST_URI: server.uri })).toMatchObject({ passed: true })
  })

  test('fails where it has one, and shows which', async () => {
    const run = await app.run(suite, 'broken', { MONGO_PERF_TEST_URI: server.uri })
    expect(run).toMatchObject({ passed: false })
    const lines = run.printed.replace(/(?<=made )\S+( operations .* released ).*(?=, which)/, 'N$1N')
    for (const code of printed) expect(lines).toHaveLine(code)
  })
})

test('a suite without the URI of a server starts one', async () => {
  const env = { MONGOMS_SYSTEM_BINARY: inject('mongodPath') }
  expect(await app.run('node', 'fixed', env)).toMatchObject({ passed: true })
})

const commonJs = `
const { MongoClient } = require('mongodb')
const { measure, testServer } = require('mongo-perf/jest')

test('an operation is sent with the driver of the test', async () => {
  const { uri } = await testServer()
  const client = new MongoClient(uri, { monitorCommands: true })
  const measured = await measure({ kind: 'countDocuments' }, { on: client.db().collection('orders'), depth: 'off' })
  expect(measured).toHaveNoErrors()
  await client.close()
})

test('a function is measured', async () => {
  await measure((db) => db.collection('orders').insertOne({ customer: 2 }), { depth: 'off' })
  const measured = await measure((db) => db.collection('orders').findOne({ customer: 1 }), { depth: 'off' })
  expect(measured).toSendAtMost(1)
  expect(measured).toUseIndex()
})
`

test('a CommonJS test of Jest requires it, and Jest needs no flag', async () => {
  await writeFile(path.join(app.folder, 'common.test.cjs'), commonJs)
  const env = { MONGO_PERF_TEST_URI: server.uri }
  const run = await app.run('commonjs', 'fixed', env, ['--testMatch', '**/common.test.cjs'])
  expect(run).toMatchObject({ passed: false, printed: expect.stringContaining('1 failed, 1 passed') })
  expect(run.printed).toHaveLine('app-no-index-used')
})

test.each([
  ['jest', 'test/jest.test.mjs'],
  ['commonjs', 'test/jest.test.cjs'],
] as const)('the example of the page on test suites passes with Jest (%s)', async (suite, name) => {
  const text = fencesOf(pageOf('docs/test-suites.md'), 'js').find((fence) => fence.startsWith(`// ${name}\n`))
  await writeFile(path.join(app.folder, name), text ?? '')
  const args = ['--testMatch', `**/${name}`]
  const run = await app.run(suite, 'fixed', { MONGO_PERF_TEST_URI: server.uri }, args)
  expect(run).toMatchObject({ passed: true, printed: expect.stringContaining('1 passed') })
})

const watchedByMongoose = `
import { after, before, test } from 'node:test'
import { watchQueries } from 'mongo-perf/testing'
import mongoose from 'mongoose'

const connection = await mongoose.createConnection(process.env.MONGO_PERF_TEST_URI, { dbName: 'watched', monitorCommands: true }).asPromise()
const Customer = connection.model('Customer', new mongoose.Schema({ name: String }))
const Order = connection.model('Order', new mongoose.Schema({ customer: { type: mongoose.Schema.Types.ObjectId, ref: 'Customer' } }))
watchQueries(connection, { repeats: 5 })

before(async () => {
  const customers = await Customer.insertMany(Array.from({ length: 10 }, (_, number) => ({ name: String(number) })))
  await Order.insertMany(customers.map(({ _id }) => ({ customer: _id })))
})
after(() => connection.close())

async function listCustomers() {
  for (const { customer } of await Order.find()) await Customer.findById(customer)
}
test('one by one', () => listCustomers())
test('populated', async () => void (await Order.find().populate('customer')))
`

test('watchQueries finds an N+1 query of mongoose, and its line', async () => {
  await writeFile(path.join(app.folder, 'test/node/order-list.test.js'), watchedByMongoose)
  const run = await app.run('node', 'fixed', { MONGO_PERF_TEST_URI: server.uri })
  expect(run).toMatchObject({ passed: false, printed: expect.stringMatching(/pass 1\n. fail 1\n/) })
  expect(run.printed).toContain(
    'find customers _id was sent 10 times in one test; the limit is 5. Sent by listCustomers (test/node/order-list.test.js:18:50).',
  )
})

test('the example of the page that measures mongoose passes, and prints what it costs', async () => {
  const text = fencesOf(pageOf('docs/test-suites.md'), 'js').find((fence) => fence.startsWith('// test/orm.test.js\n'))
  await writeFile(path.join(app.folder, 'test/node/order-list.test.js'), text ?? '')
  const run = await app.run('node', 'fixed', { MONGO_PERF_TEST_URI: server.uri })
  expect(run).toMatchObject({ passed: true, printed: expect.stringMatching(/documents: [\d.]+ ms\n/) })
})

const watchedByJest = (imports: string): string => `
${imports}
const client = new MongoClient(process.env.MONGO_PERF_TEST_URI, { monitorCommands: true })
watchQueries(client, { repeats: 5 })
afterAll(() => client.close())

async function findOrders(count) {
  for (let number = 0; number < count; number++) await client.db('watched').collection('orders').findOne({ number })
}
test.concurrent('beside others', () => findOrders(5))
test('six', () => findOrders(6))
test('five', () => findOrders(5))
`

test.each([
  [
    'jest',
    'watched.test.mjs',
    "import { afterAll, test } from '@jest/globals'\nimport { watchQueries } from 'mongo-perf/jest'\nimport { MongoClient } from 'mongodb'",
  ],
  [
    'commonjs',
    'watched.test.cjs',
    "const { watchQueries } = require('mongo-perf/jest')\nconst { MongoClient } = require('mongodb')",
  ],
] as const)('watchQueries finds a loop of queries with Jest (%s)', async (suite, name, imports) => {
  await writeFile(path.join(app.folder, name), watchedByJest(imports))
  const run = await app.run(suite, 'fixed', { MONGO_PERF_TEST_URI: server.uri }, ['--testMatch', `**/${name}`])
  expect(run).toMatchObject({ passed: false, printed: expect.stringContaining('1 failed, 2 passed') })
  expect(run.printed).toContain(
    'QueryLimitError: find orders number was sent 6 times in one test; the limit is 5. Sent by findOrders',
  )
})

/** Tests that fail before anything is started, or because nothing can be started. */
const failing = (runner: string, globals: string): string => `
import { loadSpec, run } from 'mongo-perf'
import { measure, testServer } from 'mongo-perf/${runner}'
import { test } from '${globals}'

test('testServer', () => testServer())
test('run', () => run('nowhere.json'))
test('loadSpec', () => loadSpec({ name: 'incomplete', phases: [] }))
test('measure', () => measure(() => 1, { rounds: 0 }))
`

test.each([
  ['vitest', 'vitest', ['node_modules/vitest/vitest.mjs', 'run', '--root', 'hints']],
  [
    'jest',
    '@jest/globals',
    ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--testMatch', '**/hints/**/*.test.js'],
  ],
])('%s shows the hint of each problem with the test that failed', async (runner, globals, args) => {
  const hints = path.join(app.folder, 'hints')
  await mkdir(path.join(hints, 'test/vitest'), { recursive: true })
  await writeFile(path.join(hints, 'test/vitest/hints.test.js'), failing(runner, globals))
  // Nothing is found: neither a server nor what could fetch one.
  const env = { HOME: hints, PATH: hints, NO_COLOR: '1', MONGOMS_RUNTIME_DOWNLOAD: 'false' }
  const printed = await new Promise<string>((resolve) =>
    execFile(process.execPath, args, { cwd: app.folder, env }, (_, stdout, stderr) => resolve(stdout + stderr)),
  )
  for (const code of ['hint-of-test-server', 'hint-of-run', 'hint-of-load-spec', 'hint-of-measure'])
    expect(printed).toHaveLine(code)
})
