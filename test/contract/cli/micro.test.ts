import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type MicroResult, microResult } from '../../../src/micro/results.ts'
import { type Workplace, workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'

/** One iteration to warm up, one to measure. */
const once = ['--min-seconds', '0', '--iterations', '1']

/** Somebody else's server. */
const server = sharedServer()

const resultOf = async ({ folder }: Workplace): Promise<MicroResult> =>
  microResult.parse(JSON.parse(await readFile(path.join(folder, 'mongo-perf-results', 'micro', 'result.json'), 'utf8')))

const databases = async (): Promise<string[]> =>
  (await server.client.db('admin').admin().listDatabases({ nameOnly: true })).databases.map(({ name }) => name)

test('a server that is there is measured in a database that is dropped afterwards, and its address is in no output', async () => {
  await using place = await workplace()
  await server.client.db('shop').collection('corpus').insertOne({ precious: true })
  const args = ['micro', 'small-doc-bulk-insert', 'small-doc-client-bulk-write', ...once, '--uri', server.uri]
  const { code, stdout, stderr } = await place.run(args)
  expect(code).toBe(0)
  const result = await resultOf(place)
  expect(result.server).toMatchObject({ startedByUs: false, cacheGB: null })
  expect(stdout + stderr + JSON.stringify(result)).not.toContain(new URL(server.uri).host)
  expect(await databases()).not.toContain('mongoperf_micro')
  expect(await server.client.db('shop').collection('corpus').countDocuments()).toBe(1)

  const major = Number.parseInt(result.server?.version ?? '', 10)
  const [, bulkWrite] = result.tasks
  const reason = expect.toSay('micro-needs-version', { needed: '8.0', version: String(result.server?.version) })
  expect(bulkWrite).toMatchObject(major >= 8 ? { status: 'measured' } : { status: 'notRun', reason })
})

test('a database of that name that others made is refused and left as it was', async () => {
  await using place = await workplace()
  const orders = server.client.db('mongoperf_micro').collection('orders')
  await orders.insertOne({ precious: true })
  try {
    const stderr = expect.toSay('run-database-of-others', { database: 'mongoperf_micro' })
    expect(await place.run(['micro', 'run-command', '--uri', server.uri])).toMatchObject({ code: 3, stderr })
    expect(await orders.countDocuments()).toBe(1)
    expect((await place.run(['clean'])).stdout).toSay('clean-nothing')
  } finally {
    await server.client.db('mongoperf_micro').dropDatabase()
  }
})

test('the files of --data are what is measured', async () => {
  await using place = await workplace()
  await writeFile(path.join(place.folder, 'deep_bson.json'), '{"left": "a", "right": "b"}')
  const { code } = await place.run(['micro', 'deep-bson-decoding', ...once, '--data', place.folder])
  expect(code).toBe(0)
  expect(await resultOf(place)).toMatchObject({
    server: null,
    data: { kind: 'given' },
    tasks: [{ bytes: 270_000, statistics: { operations: 10_000 } }],
  })
})

test('generators and expressions are measured without a server, by tinybench', async () => {
  await using place = await workplace()
  const { code, stdout, stderr } = await place.run(['micro', 'draw-int', 'compute-text', ...once])
  expect(code).toBe(0)
  expect(stderr).toMatch(/\[1\/2] draw-int: .* MB\/s \(.* ns ± .* % for one operation\)/)
  expect(stdout).toMatch(/^\| Compute text +\| +100,000 \|/m)
  const measured = { status: 'measured', statistics: { operations: 100_000 } }
  expect(await resultOf(place)).toMatchObject({ server: null, tasks: [measured, measured] })
})

test('a task that fails is told of with its reason, the others run, and the exit code is 7', async () => {
  await using place = await workplace()
  await writeFile(path.join(place.folder, 'deep_bson.json'), '{"a": 1}')
  await writeFile(path.join(place.folder, 'flat_bson.json'), 'no document')
  const earlier = path.join(place.folder, 'mongo-perf-results', 'micro')
  await mkdir(earlier, { recursive: true })
  await writeFile(path.join(earlier, 'result.json'), '{"startedAt":"2026-01-01T00:00:00.000Z","tasks":[{}]}')
  const tasks = ['flat-bson-encoding', 'deep-bson-encoding']
  const { code, stderr } = await place.run(['micro', ...tasks, ...once, '--data', place.folder])
  expect(code).toBe(7)
  const file = 'mongo-perf-results/micro/previous/2026-01-01T00-00-00-000Z/result.json'
  expect(stderr).toHaveLine('run-previous-kept', { file })
  expect(stderr.replace(/Unexpected .*/, 'REASON')).toHaveLine('micro-file-not-a-document', { file: 'flat_bson.json' })
  expect((await resultOf(place)).tasks.map(({ status }) => status)).toEqual(['failed', 'measured'])
})
