import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Double, Int32, Long, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestMongod, type TestMongod } from '../../bench/start/mongod.ts'
import { type OperationResult } from '../../src/results/schema/calls.ts'
import { permissions } from '../../src/sources/mongo-perf/record-in-process.ts'
import { type Ended, type Workplace, workplace } from '../contract/support/program.ts'

/** Small test cases in the dialect of the official ones. */
const checkout = fileURLToPath(new URL('../../fixtures/mongo-perf-tests', import.meta.url))

let place: Workplace

beforeAll(async () => {
  place = await workplace()
  return () => place[Symbol.asyncDispose]()
})

/** Imports a file of this text, in a folder of its own. */
async function importText(name: string, text: string, ...options: readonly string[]): Promise<Ended> {
  const folder = path.join(place.folder, name)
  await mkdir(folder)
  await writeFile(path.join(folder, 'cases.js'), text)
  return place.run(['import', 'mongo-perf', folder, '--allow-code', '--out', `${name}-specs`, ...options])
}

/** The rows of a table, without their padding. */
const rowsOf = (table: string): readonly string[] => table.split('\n').map((line) => line.replaceAll(/ +/g, ' '))

test('a checkout becomes specs, and each test that does not is refused by name', async () => {
  const options = ['--allow-code', '--timeout', '1', '--out', 'specs']
  const { stdout, stderr, code } = await place.run(['import', 'mongo-perf', checkout, ...options])
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('written to specs: 9 specs') })
  const [, next = ''] = /^next: npx mongo-perf run (.+)$/m.exec(stderr) ?? []
  expect(next).toBe("specs --allow '$where'")
  expect(await place.run(['check', ...next.replaceAll("'", '').split(' ')])).toMatchObject({ code: 0 })
  const rows = rowsOf(stdout)
  expect(rows).toEqual(
    expect.arrayContaining([
      '| testcases/commands.js | 6 | 6 | 0 |',
      '| testcases/refused.js | 18 | 0 | 18 |',
      '| testcases/templates.js | 3 | 3 | 0 |',
      '| all | 28 | 9 | 19 |',
    ]),
  )
  const file = 'testcases/refused.js'
  expect(rows).toHaveLine('import-test-endless', { test: 'Refused.LoopsForever', file })
  expect(rows).toHaveLine('import-test-throws', { test: 'Refused.Process', file, name: 'process' })
  expect(rows).toHaveLine('import-test-throws', { test: 'Refused.Require', file, name: 'require' })
  expect(rows).toHaveLine('import-file-refused', { file: 'testcases/whole_file.js', method: 'db.serverStatus()' })
  expect((await readdir(path.join(place.folder, 'specs'))).filter((name) => name.endsWith('.json'))).toHaveLength(9)
})

describe('a file that takes too much ends its process alone', () => {
  const good = "{ name: 'Good', ops: [{ op: 'find', query: {} }] }"
  const goodAfter = good.replace('Good', 'After')
  const refused = { test: 'Big', file: 'cases.js' }

  test.each([
    ['objects', "for (var all = []; ; ) all.push(new Array(100000).fill('x'))", 'import-test-memory'],
    ['documents', 'for (;;) c.insert({ a: 1 })', 'import-test-documents'],
    ['a bulk', 'for (var bulk = c.initializeUnorderedBulkOp(); ; ) bulk.insert({})', 'import-test-documents'],
    ['documents that are dropped', 'for (;;) { c.insert({ a: 1 }); c.drop() }', 'import-test-documents'],
  ])('memory for %s', async (what, body, saying) => {
    const text = `tests = [${good}, { name: 'Big', pre: function (c) { ${body} }, ops: [] }, ${goodAfter}]`
    const { stdout, code } = await importText(what.replaceAll(' ', '-'), text, '--memory', '64')
    expect(code).toBe(0)
    expect(rowsOf(stdout)).toContain('| cases.js | 3 | 2 | 1 |')
    expect(rowsOf(stdout)).toHaveLine(saying, refused)
  })

  // Elsewhere, systems do not limit it.
  test.runIf(process.platform === 'linux')('memory for typed arrays', async () => {
    const pre = 'function () { for (var all = []; ; ) all.push(new Uint8Array(10000000).fill(1)) }'
    const text = `tests = [${good}, { name: 'Big', pre: ${pre}, ops: [] }, ${goodAfter}]`
    const { stdout } = await importText('typed', text, '--memory', '64')
    expect(rowsOf(stdout)).toContain('| cases.js | 3 | 2 | 1 |')
    expect(rowsOf(stdout)).toHaveLine('import-test-killed', refused)
  })

  test('and its large documents are not all in memory at the same time', async () => {
    const pre = `function (c) { for (var i = 0; i < 20; i++) c.insert({ _id: i, a: 'y'.repeat(1000000) }) }`
    const big = (i: number): string => `{ name: 'Big${i}', pre: ${pre}, ops: [{ op: 'find', query: {} }] }`
    await writeFile(path.join(place.folder, 'large.js'), `tests = [${Array.from({ length: 12 }, (_, i) => big(i))}]`)
    const args = ['import', 'mongo-perf', 'large.js', '--allow-code', '--out', 'large-specs', '--memory', '256']
    const { stdout, code } = await place.start(args, {}, ['--max-old-space-size=128']).ended
    expect({ code, rows: rowsOf(stdout) }).toMatchObject({
      code: 0,
      rows: expect.arrayContaining(['| large.js | 12 | 12 | 0 |']),
    })
  })

  test('time, in promises too', async () => {
    const pre = 'function () { (async function () { for (;;) await 0 })() }'
    const text = `tests = [{ name: 'Slow', pre: ${pre}, ops: [] }, ${good}]`
    const { stdout, code } = await importText('time', text, '--timeout', '1')
    expect(code).toBe(0)
    expect(rowsOf(stdout)).toHaveLine('import-test-endless', { test: 'Slow', file: 'cases.js' })
    expect(rowsOf(stdout)).toContain('| cases.js | 2 | 1 | 1 |')
  })

  test('and sees nothing of the environment of the program', async () => {
    const text =
      "tests = [{ name: [typeof process, typeof require, typeof setTimeout, this.constructor.name].join(), ops: [{ op: 'nop' }] }]"
    const { stdout, code } = await importText('bare', text)
    expect(code).toBe(2)
    expect(stdout).toContain('undefined,undefined,undefined,Object')
  })
})

test('where Node has permissions, the process reads its folder and mongo-perf, and nothing else', async () => {
  const folder = path.join(place.folder, 'inside')
  await mkdir(folder)
  await writeFile(path.join(place.folder, 'secret.txt'), 'secret')
  const probe = `
    const tries = {
      inside: () => require('fs').readFileSync('${folder}/probe.cjs').length > 0,
      outside: () => require('fs').readFileSync('${place.folder}/secret.txt'),
      write: () => require('fs').writeFileSync('${folder}/new.txt', ''),
      start: () => require('child_process').spawnSync('true').status,
      thread: () => new (require('worker_threads').Worker)('0', { eval: true }),
      code: () => new Function('return 1')(),
    }
    for (const [name, attempt] of Object.entries(tries)) {
      let found
      try { found = attempt() } catch ({ code, name }) { found = code ?? name }
      console.log(name, found)
    }`
  const file = path.join(folder, 'probe.cjs')
  await writeFile(file, probe)
  const { stdout } = await promisify(execFile)(process.execPath, [...permissions(folder), file], { env: {} })
  expect(stdout.trim().split('\n')).toEqual([
    'inside true',
    'outside ERR_ACCESS_DENIED',
    'write ERR_ACCESS_DENIED',
    'start ERR_ACCESS_DENIED',
    'thread ERR_ACCESS_DENIED',
    'code EvalError',
  ])
})

/** The operations of the row with 3 workers, which ran last. */
async function lastRow(spec: string): Promise<readonly OperationResult[]> {
  const { variants } = await place.result(spec)
  return variants.at(-1)?.phases[0]?.operations ?? []
}

describe('a run of the imported tests', () => {
  let server: TestMongod
  let client: MongoClient
  let ended: Ended

  beforeAll(async () => {
    server = await startTestMongod(inject('mongodPath'))
    client = new MongoClient(server.uri, { promoteValues: false })
    const run = ['--run', '--', '--uri', server.uri, '--set', 'seconds=0.4', '--allow', '$where']
    ended = await place.run([
      'import',
      'mongo-perf',
      checkout,
      '--allow-code',
      '--tests',
      'Shop.*',
      'Shelves.*',
      '--timeout',
      '30',
      '--workers',
      '1,3',
      '--out',
      'run-specs',
      ...run,
    ])
  })
  afterAll(async () => {
    await client.close()
    await server[Symbol.asyncDispose]()
  })

  const all = (spec: string, collection: string) =>
    client
      .db(`mongoperf_${spec.replaceAll('-', '_')}`)
      .collection(collection)
      .find()
      .toArray()

  test('has no errors', async () => {
    expect(ended.stderr).not.toContain('error')
    const names = await readdir(path.join(place.folder, 'mongo-perf-results'))
    const results = await Promise.all(names.map((name) => place.result(name)))
    expect(results).toHaveLength(9)
    for (const { status, variants } of results) {
      expect([status, variants.map((row) => row.status)]).toEqual(['done', ['done', 'done']])
      const phases = variants.flatMap((row) => row.phases)
      expect(phases.map(({ name }) => name)).toEqual(['benchRun', 'benchRun'])
      for (const { operations } of phases) {
        expect(operations.flatMap(({ errors }) => errors)).toEqual([])
        expect(operations.every(({ ok }) => ok > 0)).toBe(true)
      }
    }
  })

  test('inserts what templates draw, once each', async () => {
    const documents = await all('shop-insert-numbered', 'Shop_InsertNumbered0')
    const [inserts] = await lastRow('shop-insert-numbered')
    expect(documents).toHaveLength(inserts?.ok ?? -1)
    const numbers = documents.map(({ number }) => (number as Long).toBigInt())
    const ofWorker = (worker: bigint): readonly bigint[] =>
      numbers
        .filter((number) => number >> 56n === worker)
        .map((number) => number - (worker << 56n))
        .toSorted((a, b) => Number(a - b))
    for (const worker of [0n, 1n, 2n]) {
      const own = ofWorker(worker)
      expect(own).toEqual(own.map((_, i) => 100n + 5n * BigInt(i)))
    }
    const [first] = documents
    expect(first).toMatchObject({
      shelf: expect.any(Long),
      stock: expect.any(Int32),
      code: expect.stringMatching(/^[A-Za-z0-9+/]{12}$/),
      label: expect.stringMatching(/^box [012]$/),
      kind: 'Shop_InsertNumbered0',
      sizes: [expect.any(Int32), new Double(2)],
    })
    const shelves = new Set(documents.map(({ shelf }) => Number(shelf)))
    expect([...shelves].every((shelf) => shelf >= 0 && shelf < 7)).toBe(true)
    const ranges = documents.map(({ mine }) => Math.floor(Number(mine) / 50))
    expect(new Set(ranges)).toEqual(new Set([0, 1, 2]))
  })

  test('reads and changes what pre inserted for its number of workers', async () => {
    const documents = await all('shop-read-then-pay', 'Shop_ReadThenPay0')
    expect(documents).toHaveLength(300)
    expect(documents[7]).toMatchObject({ _id: new Double(7), customer: new Double(7), placed: new Date(0) })
    const paid = documents.reduce((sum, document) => sum + Number(document['paid'] ?? 0), 0)
    const [rounds] = await lastRow('shop-read-then-pay')
    expect(paid).toBe(rounds?.ok)
  })

  test('inserts lists of documents whole', async () => {
    const numbers = (await all('shop-insert-pair', 'Shop_InsertPair0')).map(({ n }) => Number(n))
    const [inserts] = await lastRow('shop-insert-pair')
    expect(numbers).toHaveLength(2 * (inserts?.ok ?? -1))
    expect(Math.min(...numbers)).toBe(0)
  })

  test('makes the other writes of pre and post, with all of the collections', async () => {
    const shelves = await all('shelves-take-in-turn', 'Shelves_TakeInTurn0')
    expect(shelves.filter(({ old }) => old === true).map(({ _id }) => Number(_id))).toEqual([
      5, 11, 17, 23, 29, 35, 41, 47, 53,
    ])
    expect(shelves.filter(({ _id }) => (_id as unknown) === 'done')).toHaveLength(1)
    expect(shelves).toHaveLength(60)
    expect(shelves[3]).toMatchObject({ big: Long.fromNumber(3), part: new Int32(0) })
    const db = client.db('mongoperf_shelves_take_in_turn')
    const [parts] = await db.listCollections({ name: 'Shelves_TakeInTurn0_parts' }).toArray()
    expect(parts).toMatchObject({ options: { capped: true } })
    expect(Object.keys(await db.collection('Shelves_TakeInTurn0').indexInformation())).toEqual([
      '_id_',
      'group_1',
      'weight_-1',
    ])
  })

  test('finds as many documents as a test expects', async () => {
    for (const [spec, found] of [
      ['shelves-where', 10],
      ['shelves-view', 2],
      ['shelves-take-in-turn', 5],
    ] as const) {
      const [reads] = await lastRow(spec)
      expect([spec, reads?.documents]).toEqual([spec, (reads?.ok ?? 0) * found])
    }
  })
})

test('operations of a round that fails half-way count in throughput, as benchRun counts them', async () => {
  await using server = await startTestMongod(inject('mongodPath'))
  const ops = "[{ op: 'findOne', query: {} }, { op: 'insert', doc: { _id: { '#RAND_INT': [0, 2] } } }]"
  const run = ['--run', '--', '--uri', server.uri, '--set', 'seconds=0.4', '--format', 'csv']
  const { stdout } = await importText('half', `tests = [{ name: 'Half', ops: ${ops} }]`, ...run)
  const { variants } = await place.result('half')
  const [phase] = variants[0]?.phases ?? []
  const [rounds] = phase?.operations ?? []
  const [reads, inserts] = rounds?.steps ?? []
  expect(inserts?.ok).toBeLessThan(reads?.ok ?? 0)
  const [, printed = ''] = /^Workers,Operations\/s,.*\r?\n\d+,([\d.]+),/m.exec(stdout) ?? []
  expect(Number(printed)).toBeCloseTo(((reads?.ok ?? 0) + (inserts?.ok ?? 0)) / (phase?.wallSeconds ?? 0), 6)
})
