import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
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
