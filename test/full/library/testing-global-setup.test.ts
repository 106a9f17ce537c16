import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { comesTrue } from '../../../bench/start/wait.ts'
import { workplace, type Workplace } from '../../contract/support/program.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')

let suite: Workplace

const write = (file: string, text: string): Promise<void> => writeFile(path.join(suite.folder, file), text)

const runNode = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(process.execPath, args, { cwd: suite.folder, env: { ...suite.env, ...env }, timeout: 280_000 })

/** Writes down which server a test file has worked with. */
const testFile = (name: string): string => `
import { writeFile } from 'node:fs/promises'
import { expect, measure, test } from './expect.js'

test('${name}', async () => {
  const seen = []
  const status = await measure(async (db) => seen.push(await db.admin().command({ serverStatus: 1 })), {
    name: '${name}',
    depth: 'off',
  })
  expect(status).toHaveNoErrors()
  await writeFile('${name}.json', JSON.stringify({ server: Number(seen[0].pid), tests: process.pid }))
})
`

beforeAll(async () => {
  suite = await workplace()
  await mkdir(path.join(suite.folder, 'node_modules'))
  await symlink(root, path.join(suite.folder, 'node_modules', 'mongo-perf'), 'dir')
  await symlink(path.join(root, 'node_modules', 'vitest'), path.join(suite.folder, 'node_modules', 'vitest'), 'dir')
  await write('package.json', '{ "type": "module" }')
  await write(
    'vitest.config.js',
    `export default { test: { globalSetup: 'mongo-perf/global-setup', testTimeout: 300_000, maxWorkers: 2 } }\n`,
  )
  await write('expect.js', `export { expect, test } from 'vitest'\nexport { measure } from 'mongo-perf/vitest'\n`)
  await write('one.test.js', testFile('one'))
  await write('other.test.js', testFile('other'))
  return () => suite[Symbol.asyncDispose]()
})

type Seen = { readonly server: number; readonly tests: number }

const seenBy = async (file: string): Promise<Seen> =>
  JSON.parse(await readFile(path.join(suite.folder, `${file}.json`), 'utf8')) as Seen

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('the files of a suite of Vitest share one server, which is gone after the suite', async () => {
  const { stdout } = await runNode([vitest, 'run', '--no-color'])
  expect(stdout).toMatch(/Tests +2 passed/)
  const [one, other] = [await seenBy('one'), await seenBy('other')]
  expect(one.tests).not.toBe(other.tests)
  expect(one.server).toBe(other.server)
  expect(await comesTrue(() => !isRunning(one.server), 20_000)).toBe(true)
  expect(suite.servers()).toEqual([])
})

const undecidedFile = (name: string): string => `
import { expect, measure, test } from './expect.js'

test('${name}', async () => {
  const measured = await measure((db) => db.admin().command({ ping: 1 }), { name: '${name}', rounds: 1, seconds: 0.01 })
  expect(measured).toHaveP99Below(0.000001)
})
`

test('after the suite one line has what its files left undecided, and MONGO_PERF_STRICT=1 fails them', async () => {
  await write('first.undecided.js', undecidedFile('first'))
  await write('second.undecided.js', undecidedFile('second'))
  const args = [vitest, 'run', '--no-color', '--config', 'undecided.config.js']
  await write(
    'undecided.config.js',
    `export default { test: { globalSetup: 'mongo-perf/global-setup', include: ['*.undecided.js'], testTimeout: 300_000 } }\n`,
  )
  const { stderr } = await runNode(args)
  // Which file ends first is not known.
  const inOrder = stderr.replace(
    'second toHaveP99Below, first toHaveP99Below',
    'first toHaveP99Below, second toHaveP99Below',
  )
  expect(inOrder).toHaveLine('suite-expectations-undecided', { expectations: 2, one: 'first', other: 'second' })
  const strict = runNode(args, { MONGO_PERF_STRICT: '1' })
  await expect(strict).rejects.toMatchObject({ code: 1, stdout: expect.stringMatching(/Tests +2 failed/) })
})

test('with the reporter verbose, Vitest shows the figures of what a test measured although it passes', async () => {
  await write(
    'figures.shown.js',
    `
import { afterEach, test } from 'vitest'
import { measure } from 'mongo-perf/vitest'

const ping = (name) => measure((db) => db.admin().command({ ping: 1 }), { name, rounds: 2, seconds: 0.01 })
test('alone', () => ping('ping alone'))
test.concurrent('beside others', () => ping('ping beside others'))
afterEach(() => ping('ping after a test'))
`,
  )
  await write(
    'shown.config.js',
    `export default { test: { globalSetup: 'mongo-perf/global-setup', include: ['*.shown.js'], testTimeout: 300_000 } }\n`,
  )
  const args = [vitest, 'run', '--no-color', '--reporter', 'verbose', '--config', 'shown.config.js']
  const { stdout } = await runNode(args)
  expect(stdout.match(/ping .*/g)).toEqual([
    expect.stringMatching(
      /^ping alone: \d+ operations in 2 rounds, 1 worker: [\d,.]+ per second.*; p50 [\d.]+ ms, p95 [\d.]+ ms, p99 [\d.]+ ms$/,
    ),
  ])
})

test('a runner that never calls the end of the setup, as Jest, leaves no server behind', async () => {
  await write(
    'as-jest.js',
    `
import setUp from 'mongo-perf/global-setup'
import { measure } from 'mongo-perf/testing'

await setUp({}, {})
const seen = []
await measure(async (db) => seen.push(await db.admin().command({ serverStatus: 1 })), { name: 'status', depth: 'off' })
process.stdout.write(String(seen[0].pid) + ' ' + process.env.MONGO_PERF_TEST_URI)
`,
  )
  const { stdout } = await runNode(['as-jest.js'])
  const [pid, uri] = stdout.split(' ')
  expect(uri).toMatch(/^mongodb:/)
  expect(await comesTrue(() => !isRunning(Number(pid)), 20_000)).toBe(true)
})
