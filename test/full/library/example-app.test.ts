import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type InstalledApp, installExampleApp, type Suite } from '../../../bench/start/example-app.ts'
import { ownServer } from '../../contract/support/own-server.ts'

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
    const lines = run.printed.replace(/(?<=made )\S+( calls .* released ).*(?=, which)/, 'N$1N')
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
