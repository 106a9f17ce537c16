import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { isGuarded } from '../../../src/language/values/keys.ts'
import {
  type Checkout,
  findCheckout,
  type ImportedTest,
  importTests,
  specName,
} from '../../../src/sources/mongo-perf/import-tests.ts'
import { recordFile } from '../../../src/sources/mongo-perf/record-file.ts'
import { type Recording } from '../../../src/sources/mongo-perf/recorded.ts'
import { loadSpecFile, loadSpecText } from '../../../src/spec/load-spec.ts'
import { useFolder } from '../../fakes/temporary-folder.ts'
import { recordText } from './recorded-here.ts'

const folder = useFolder()

type Given = {
  readonly record?: () => readonly Recording[]
  readonly tests?: readonly string[]
  readonly threads?: readonly number[]
}

function printValid(spec: JsonObject, file: string, allow: readonly string[]): string {
  const text = JSON.stringify(spec)
  loadSpecText(text, file, { allow: allow.filter(isGuarded) })
  return text
}

const importInto = (out: string, checkout: Checkout, { record, tests = [], threads = [1] }: Given = {}) =>
  importTests(checkout, {
    out,
    tests,
    threads,
    seconds: 30,
    memoryMB: 1024,
    record: async (request, onRecording) => {
      const recordings: Recording[] = []
      if (record) recordings.push(...record())
      else
        recordFile(request, (message) => {
          if (message.kind === 'recording') recordings.push(message.recording)
        })
      for (const recording of recordings) await onRecording(recording)
    },
    printSpec: printValid,
  })

const oneFile: Checkout = { folder: '/checkout', files: ['/checkout/a.js'], before: [] }

/** Imports a file of which this is the text, and reads the specs that were written. */
async function importText(name: string, text: string, given: Omit<Given, 'record'> = {}) {
  const out = path.join(folder, name)
  const imported = await importInto(out, oneFile, { ...given, record: () => recordText(text, given) })
  const specs = await Promise.all(
    imported.map(async (one) =>
      one.kind === 'imported' ? (JSON.parse(await readFile(path.join(out, one.spec), 'utf8')) as JsonObject) : null,
    ),
  )
  return { out, imported, specs }
}

const reasonsOf = (imported: readonly ImportedTest[]): readonly string[] =>
  imported.flatMap((one) => (one.kind === 'refused' ? [one.reason] : []))

test('the files of a checkout are its test cases, and what is loaded before them', async () => {
  const root = path.resolve('fixtures/mongo-perf-tests')
  const { files, before } = await findCheckout('fixtures/mongo-perf-tests')
  expect(before).toEqual([path.join(root, 'util/orders.js')])
  expect(files).toContain(path.join(root, 'testcases/templates.js'))
  expect((await findCheckout('fixtures/mongo-perf-tests/testcases')).files).toEqual(files)
  const single = await findCheckout('fixtures/mongo-perf-tests/testcases/commands.js')
  expect(single.files).toEqual([path.join(root, 'testcases/commands.js')])
  for (const place of [folder, path.join(folder, 'absent')])
    await expect(findCheckout(place)).rejects.toSay('import-without-test-cases', { folder: place })
})

test('a single file comes with `util` of its checkout, and with files beside it that have no tests', async () => {
  const root = path.join(folder, 'checkout')
  const texts = {
    'util/letters.js': "letters = ['a', 'b']",
    'testcases/helper.js': 'function documentOf(letter) { return { letter: letter } }',
    'testcases/letters.js':
      "tests = [{ name: 'L', pre: function (c) { letters.forEach(function (l) { c.insert(documentOf(l)) }) }, ops: [{ op: 'find' }] }]",
    'testcases/others.js': "tests = [{ name: 'O', ops: [{ op: 'find' }] }]",
  }
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), text)
  }
  const single = await findCheckout(path.join(root, 'testcases/letters.js'))
  const before = ['util/letters.js', 'testcases/helper.js'].map((name) => path.join(root, name))
  expect(single).toEqual({ folder: root, files: [path.join(root, 'testcases/letters.js')], before })
  expect((await findCheckout(root)).before).toEqual(before)
  const imported = await importInto(path.join(folder, 'single'), single)
  expect(imported).toMatchObject([{ kind: 'imported', name: 'L', source: 'testcases/letters.js' }])
})

test('every test of a checkout becomes a spec that is valid', async () => {
  const checkout = await findCheckout('fixtures/mongo-perf-tests')
  const files = checkout.files.filter((file) => /templates|commands/.test(file))
  const out = path.join(folder, 'all')
  const imported = await importInto(out, { ...checkout, files }, { threads: [1, 4] })
  expect(reasonsOf(imported)).toEqual([])
  expect(imported.map(({ name }) => name)).toContain('Shelves.Where')
  for (const one of imported) {
    if (one.kind === 'refused') continue
    const { rows, title } = await loadSpecFile(path.join(out, one.spec), { allow: one.allow.filter(isGuarded) })
    expect({ title, rows: rows.length }).toEqual({ title: one.name, rows: 2 })
  }
})

const write = (name: string, model: JsonObject): JsonObject => ({
  name,
  measured: false,
  stopAfter: { operations: 1 },
  operations: [{ kind: 'bulkWrite', collection: 'A0', operations: [model] }],
})

describe('a spec', () => {
  test('has the documents in a file that tests with the same documents share', async () => {
    const pre = 'function (c) { c.insert([{ _id: 1 }, { _id: 2 }]); c.createIndex({ a: 1 }) }'
    const make = (name: string): string => `{ name: '${name}', pre: ${pre}, ops: [{ op: 'find', query: {} }] }`
    const { out, specs } = await importText('shared', `tests = [${make('A')}, ${make('B')}]`)
    const names = await readdir(path.join(out, 'data'))
    expect(names).toHaveLength(1)
    expect(specs.map((spec) => spec?.['data'])).toEqual(
      ['A0', 'B0'].map((collection) => [{ collection, file: `data/${names[0]}`, indexes: [{ key: { a: 1 } }] }]),
    )
    expect(await readFile(path.join(out, 'data', names[0] ?? ''), 'utf8')).toBe(
      '{"_id":{"$numberDouble":"1.0"}}\n{"_id":{"$numberDouble":"2.0"}}\n',
    )
  })

  test('has the collection of the test, also when pre makes none, and views behind what they show', async () => {
    const pre = "function (c) { c.getDB().createView('v', 'base', []); c.getDB().base.insert({}) }"
    const { specs } = await importText('views', `tests = [{ name: 'A', pre: ${pre}, ops: [{ op: 'find' }] }]`)
    expect(specs[0]?.['data']).toMatchObject([{ collection: 'A0' }, { collection: 'base' }, { collection: 'v' }])
  })

  test('makes other writes of pre and post in phases that are not measured', async () => {
    const pre = 'function (c) { c.insert({ a: 1 }); c.update({}, { $set: { a: 2 } }) }'
    const post = 'function (c) { c.insert({ b: 1 }); c.drop(); c.insert({ b: 2 }) }'
    const text = `tests = [{ name: 'A', pre: ${pre}, ops: [{ op: 'find' }], post: ${post} }]`
    const { specs } = await importText('phases', text)
    const two = { $numberDouble: '2.0' }
    expect(specs[0]?.['phases']).toEqual([
      write('pre1', { updateOne: { filter: {}, update: { $set: { a: two } } } }),
      expect.objectContaining({ name: 'benchRun' }),
      write('post1', { insertOne: { document: { b: two } } }),
    ])
  })

  test('has the data of each number of workers for which pre makes other data', async () => {
    const pre = 'function (c, env) { for (var i = 0; i < env.threads; i++) c.insert({ _id: i }) }'
    const text = `tests = [{ name: 'A', pre: ${pre}, ops: [{ op: 'find' }] }]`
    const { out, imported } = await importText('threads', text, { threads: [1, 3] })
    const [one] = imported
    const { rows } = await loadSpecFile(path.join(out, one?.kind === 'imported' ? one.spec : ''))
    const lines = await Promise.all(
      rows.map(
        async ({ spec }) => (await readFile(path.join(out, spec.data[0]?.file ?? ''), 'utf8')).split('\n').length - 1,
      ),
    )
    expect(lines).toEqual([1, 3])
  })

  test('says how many documents the shell does not insert either', async () => {
    const pre = 'function (c) { c.insert({ _id: 1 }); c.insert({ _id: 1 }) }'
    const { specs } = await importText('twice', `tests = [{ name: 'A', pre: ${pre}, ops: [{ op: 'find' }] }]`)
    expect(specs[0]?.['description']).toSay('import-description-duplicates', { documents: 1 })
  })

  test('has the write concern of its writes, and counts the steps of all rounds', async () => {
    const writeConcern = '{ w: 1, j: true }'
    const ops = `[{ op: 'find' }, { op: 'insert', doc: {}, writeConcern: ${writeConcern} }]`
    const { specs } = await importText('concern', `tests = [{ name: 'A', ops: ${ops} }]`)
    const counted = ['find', 'insertOne'].map((step) => ({ '@metric': `benchRun.steps.${step}.opsPerSecond` }))
    expect(specs[0]).toMatchObject({
      phases: [{ name: 'benchRun', writeConcern: { w: 1, j: true } }],
      report: {
        tables: [{ columns: [{}, { value: { '@add': counted } }, 'benchRun.p50Ms', 'benchRun.p99Ms', 'errors'] }],
      },
    })
  })

  test('starts its server with the parameters that pre sets', async () => {
    const pre = 'function (c) { db.adminCommand({ setParameter: 1, internalQueryForceClassicEngine: true }) }'
    const { specs } = await importText('server', `tests = [{ name: 'A', pre: ${pre}, ops: [{ op: 'find' }] }]`)
    expect(specs[0]?.['target']).toEqual({
      kind: 'standalone',
      server: { setParameters: { internalQueryForceClassicEngine: true } },
    })
  })

  test('lists operators that the command line has to allow', async () => {
    const ops = "[{ op: 'find', query: { $where: function () { return true } } }]"
    const { imported, specs } = await importText('where', `tests = [{ name: 'A', ops: ${ops} }]`)
    expect(imported).toMatchObject([{ kind: 'imported', allow: ['$where'] }])
    expect(specs[0]?.['allow']).toEqual(['$where'])
  })
})

test('a test that no spec can have is refused with the first reason, and leaves no file behind', async () => {
  const pre = 'function (c) { c.insert({}); c.createIndex({ a: "2d" }, { bits: 20 }) }'
  const { out, imported } = await importText('refused', `tests = [{ name: 'A', pre: ${pre}, ops: [{ op: 'find' }] }]`)
  expect(reasonsOf(imported)).toSay('import-refused-by-spec')
  expect(await readdir(path.join(out, 'data'))).toEqual([])
})

test('a name that chooses no test is an error', async () => {
  const text = "tests = [{ name: 'Insert.A', ops: [{ op: 'insert', doc: {} }] }]"
  await expect(importText('names', text, { tests: ['Insert.B'] })).rejects.toSay('import-test-unknown', {
    test: 'Insert.B',
  })
})

test('names of specs are those of the tests in small letters, and differ', async () => {
  expect(['Insert.IntID', '[CWI.query] Regular. 3 fields.', '...', 'A'.repeat(80)].map(specName)).toEqual([
    'insert-int-id',
    'cwi-query-regular-3-fields',
    'test',
    'a'.repeat(46),
  ])
  const text = "tests = ['A.b', 'A-b', 'a b'].map((name) => ({ name, ops: [{ op: 'find' }] }))"
  const { imported } = await importText('same', text)
  const files = ['a-b.json', 'a-b-2.json', 'a-b-3.json']
  expect(imported.map((one) => (one.kind === 'imported' ? one.spec : ''))).toEqual(files)
})
