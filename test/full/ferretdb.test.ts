import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { comesTrue, soonMs } from '../../bench/start/wait.ts'
import { findFreePort } from '../../src/servers/targets/server/process/server-process.ts'
import { sides } from '../contract/support/comparisons.ts'
import { workplace } from '../contract/support/program.ts'
import { sharedServer } from '../contract/support/shared-servers.ts'
import { threeRows } from '../contract/support/specs.ts'
import { buildMs, ferretProgram, type FerretProgram, noFerret } from './support/ferretdb-program.ts'

const named = 'FerretDB 1.24.2 (MongoDB 7.0.42 interface)'
/** Few documents: a query by `customer` reads them all there. */
const quickstart = ['quickstart', '--profile', 'smoke', '--set', 'documents=200', '--set', 'rate=100']
/** Its threshold is one of speed. */
const isMeasured = (code: number | null): boolean => code === 0 || code === 5

const mongod = sharedServer()
let program: FerretProgram
let ferret: Awaited<ReturnType<typeof startFerret>>

async function startFerret(binary: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  const port = await findFreePort()
  const uri = `mongodb://127.0.0.1:${port}/`
  const where = [`--sqlite-url=file:${folder}/`, `--state-dir=${folder}`, `--listen-addr=127.0.0.1:${port}`]
  const quiet = ['--telemetry=disable', '--debug-addr=-', '--log-level=error']
  const child = spawn(binary, ['--handler=sqlite', ...where, ...quiet], { stdio: 'ignore' })
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 1_000 })
  const answers = (): Promise<boolean> =>
    client
      .db('admin')
      .command({ ping: 1 })
      .then(
        () => true,
        () => false,
      )
  expect(await comesTrue(answers, soonMs)).toBe(true)
  return {
    uri,
    client,
    async [Symbol.asyncDispose]() {
      await client.close()
      const ended = once(child, 'exit')
      child.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

describe.skipIf(noFerret !== undefined)(`FerretDB${noFerret === undefined ? '' : ` (not tried: ${noFerret})`}`, () => {
  beforeAll(async () => void (program = await ferretProgram()), buildMs)
  beforeAll(async () => {
    if ('path' in program) ferret = await startFerret(program.path)
  })
  beforeEach(({ skip }) => {
    if ('unreachable' in program) skip(program.unreachable)
  })
  afterAll(() => ferret?.[Symbol.asyncDispose]())

  test('the quickstart is measured on it, and its report says who it is and what it does not report', async () => {
    await using place = await workplace(ferret)
    const { code, stdout } = await place.run(['run', ...quickstart, '--target', 'existing', '--format', 'md'])
    expect(code).toSatisfy(isMeasured)
    expect(stdout).toContain(named)
    expect(stdout).toContain(`${named} does not report its memory, its storage engine, its cache`)
    const [row] = (await place.result('quickstart')).variants
    expect(row?.server).toMatchObject({ version: named, topology: 'standalone', storageEngine: null, memoryMB: null })
    expect(row?.phases[0]?.operations.every(({ ok, failed }) => ok > 0 && failed === 0)).toBe(true)
    const [findOne] = row?.phases[0]?.operations ?? []
    expect(findOne?.explain).toMatchObject({ plans: [], bytesReturned: expect.any(Number), commands: 1 })
    expect(row?.phases[0]?.members[0]?.unavailable).toMatchObject({
      hostCpuBusyMs: 'not available here: getDiagnosticData was refused (CommandNotFound)',
      networkBytesIn: 'not available here: this server does not report it',
    })
  })

  test('the engine wire sends what the driver sends', async () => {
    await using place = await workplace(ferret)
    const { code } = await place.run(['run', ...quickstart, '--target', 'existing', '--engine', 'wire', '--quiet'])
    expect(code).toSatisfy(isMeasured)
  })

  test('rows get their data anew, for it makes no copies, and what was dropped is ours no longer', async () => {
    await using place = await workplace(ferret)
    const operations = [{ kind: 'updateOne', filter: { _id: 5 }, update: { $inc: { n: 1 } } }]
    const { code, stderr } = await place.run(['run', await place.spec(threeRows({}, { operations }))])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('hint:') })
    const { variants } = await place.result('three-rows')
    expect(variants.map(({ data }) => data[0]?.source)).toEqual(['generated', 'generated', 'generated'])
    const marker = await ferret.client.db('mongoperf_three_rows').collection('__mongo_perf_marker').findOne()
    expect(marker?.['collections']).toEqual(['docs'])
  })

  test('init makes a spec from its collection, which runs on it and on a mongod', async () => {
    const orders = ferret.client.db('shop').collection('orders')
    const statuses = ['open', 'paid', 'sent']
    await orders.insertMany(Array.from({ length: 3000 }, (_, n) => ({ customer: n % 70, status: statuses[n % 3], n })))
    await orders.createIndex({ customer: 1, n: -1 })
    await using place = await workplace(ferret)
    const { code, stderr } = await place.run(['init', 'orders.json', '--from', 'shop.orders'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('written to orders.json') })
    const spec = await readFile(path.join(place.folder, 'orders.json'), 'utf8')
    expect(JSON.parse(spec)).toMatchObject({ data: { indexes: [{ key: { customer: 1, n: -1 } }] } })
    const run = ['run', 'orders.json', '--profile', 'smoke', '--quiet']
    expect((await place.run([...run, '--target', 'existing'])).code).toBe(0)
    expect((await place.run(run)).code).toBe(0)
  })

  test('ab compares it with a mongod, and names the difference', async () => {
    await using place = await workplace()
    const uris = ['--a', `uri:${mongod.uri}`, '--b', `uri:${ferret.uri}`]
    const run = ['ab', ...quickstart, ...uris, '--budget', '20s', '--out', 'out']
    const { code, stdout } = await place.run(run)
    expect(code).toSatisfy(isMeasured)
    expect(stdout).toContain(named)
    expect((await sides(place)).map(({ variants }) => variants[0]?.server?.version)).toEqual(['6.0.5', named])
  })
})
