import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { MongoClient } from 'mongodb'
import { describe, expect, test } from 'vitest'
import {
  type ApplicationDriver,
  compareResults,
  missedThresholds,
  type OperationResult,
  type OwnColumns,
  readResult,
  report,
  type Result,
  run,
  type RunOptions,
  type Sink,
  type SpecInput,
  valueOf,
} from '../../../src/entries/index.ts'
import { useFolder } from '../../fakes/temporary-folder.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()
const folder = useFolder()

const measure = (spec: object, options: RunOptions = {}) => run(spec as SpecInput, { uri: server.uri, ...options })

const orders = {
  collection: 'orders',
  rows: 100,
  document: { _id: { '@row': {} }, customer: { '@int': { max: 9 } } },
}

const call = (name: string, more: object = {}) => ({ kind: 'function', function: name, ...more })

const spec = (operations: readonly object[], phase: object = {}, more: object = {}) => ({
  name: 'extending',
  data: orders,
  phases: [{ name: 'go', load: { kind: 'closed', workers: 3 }, stopAfter: { operations: 60 }, operations, ...phase }],
  ...more,
})

const operationsOf = ({ variants }: Result): readonly OperationResult[] =>
  variants.flatMap(({ phases }) => phases.flatMap(({ operations }) => operations))

/** What the calls of a function are given. */
const runWith = async (seed: number) => {
  const given: string[] = []
  const { variants } = await measure(
    spec([call('look', { with: { a: { '@int': { max: 1000 } }, b: { '@string': { length: 5 } } } })], {}, { seed }),
    { functions: { look: (_on, values) => given.push(JSON.stringify(values)) } },
  )
  return { given: given.toSorted(), digest: variants[0]?.phases[0]?.digest }
}

describe('an own function', () => {
  test('is one operation among others, with the client, the database and the collection of the run', async () => {
    const found: unknown[] = []
    const result = await measure(
      spec([
        call('findOrders', { with: { customer: { '@int': { max: 9 } } }, weight: 2 }),
        { kind: 'findOne', filter: { _id: { '@key': {} } } },
      ]),
      {
        functions: {
          async findOrders({ client, db, collection }, { customer }) {
            const counted = await collection?.countDocuments({ customer })
            found.push([client instanceof MongoClient, db.databaseName, collection?.collectionName, typeof counted])
          },
        },
      },
    )
    const [own, other] = operationsOf(result)
    expect(own).toMatchObject({ name: 'findOrders', kind: 'function', failed: 0, unknown: 0, documents: null })
    expect((own?.ok ?? 0) + (other?.ok ?? 0)).toBe(60)
    expect(own?.latency.ok?.count).toBe(found.length)
    expect(new Set(found.map((one) => JSON.stringify(one)))).toEqual(
      new Set(['[true,"mongoperf_extending","orders","number"]']),
    )
  })

  test('that throws or rejects is a failed operation with its error', async () => {
    class OutOfStock extends Error {
      override readonly name = 'OutOfStock'
    }
    const result = await measure(
      spec([call('throws'), call('rejects'), call('refused')], { stopAfter: { seconds: 1 } }),
      {
        functions: {
          throws: () => {
            throw new OutOfStock('no more of it')
          },
          rejects: () => Promise.reject(new OutOfStock('nor of this')),
          refused: ({ db }) => db.command({ noSuchCommand: 1 }),
        },
      },
    )
    expect(operationsOf(result).map(({ ok, errors: [error] }) => [ok, error?.name, error?.message])).toEqual([
      [0, 'OutOfStock', 'no more of it'],
      [0, 'OutOfStock', 'nor of this'],
      [0, 'CommandNotFound', expect.stringContaining('noSuchCommand')],
    ])
    expect(operationsOf(result).every(({ failed, unknown }) => failed > 0 && unknown === 0)).toBe(true)
  })

  test('is given the same values in each run with the same seed', async () => {
    const one = await runWith(1)
    expect(one.given).toHaveLength(60)
    expect(await runWith(1)).toEqual(one)
    expect((await runWith(2)).digest).not.toBe(one.digest)
  })

  test('may be a step, beside methods of the driver', async () => {
    const steps = [{ kind: 'insertOne', document: { n: 1 } }, call('count')]
    const counts: number[] = []
    const [only] = operationsOf(
      await measure(spec([{ kind: 'steps', steps }]), {
        functions: { count: async ({ collection }) => counts.push((await collection?.countDocuments()) ?? 0) },
      }),
    )
    expect(only?.steps.map(({ name, ok }) => [name, ok])).toEqual([
      ['insertOne', 60],
      ['count', 60],
    ])
    expect(Math.max(...counts)).toBe(160)
  })

  test('works with the driver that is handed in', async () => {
    const file = fileURLToPath(
      new URL('../../../node_modules/mongodb-memory-server-core/node_modules/mongodb/lib/index.js', import.meta.url),
    )
    const driver = createRequire(import.meta.url)(file) as ApplicationDriver & { readonly ObjectId: typeof Object }
    const seen: unknown[] = []
    const result = await measure(spec([call('look', { with: { id: { '@objectId': {} } } })]), {
      driver,
      functions: {
        async look({ client, collection }, { id }) {
          await collection?.findOne({ _id: id as never })
          seen.push([
            client instanceof driver.MongoClient,
            client instanceof MongoClient,
            id instanceof driver.ObjectId,
          ])
        },
      },
    })
    expect(operationsOf(result)[0]).toMatchObject({ ok: 60, failed: 0 })
    expect(seen).toEqual(Array.from({ length: 60 }, () => [true, false, true]))
  })

  test('of a module is loaded by each thread, and one that is handed in is refused there', async () => {
    const module = path.join(folder, 'perf.mjs')
    await writeFile(
      module,
      "import { threadId } from 'node:worker_threads'\nexport const note = ({ db }) => db.collection('threads').insertOne({ threadId })\n",
    )
    const onThreads = spec([call('note')], { load: { kind: 'closed', workers: 4, threads: 2 } })
    const result = await measure(onThreads, { functions: module })
    expect(operationsOf(result)[0]).toMatchObject({ ok: 60, failed: 0 })
    await using client = new MongoClient(server.uri)
    const threads = await client.db('mongoperf_extending').collection('threads').distinct('threadId')
    expect(threads).toHaveLength(2)
    expect(threads).not.toContain(0)

    const refused = measure(onThreads, { functions: { note: () => 1 } })
    await expect(refused).rejects.toSay('functions-on-threads')
  })

  test('that was not handed in is a problem with the nearest name', async () => {
    const calling = spec([call('findOrder')])
    const names = { name: 'findOrder', nearest: 'findOrders' }
    await expect(measure(calling, { functions: { findOrders: () => 1 } })).rejects.toSay('function-not-passed', names)
    await expect(measure(calling)).rejects.toSay('functions-not-passed', { name: 'findOrder' })
  })
})

describe('an own column', () => {
  const columns: OwnColumns = {
    perWorker: {
      title: 'Operations of a Worker',
      better: 'higher',
      value: ({ phase, operations }) => operations.reduce((sum, { ok }) => sum + ok, 0) / phase.workers,
    },
    target: { title: 'Kind of Target', isText: true, value: ({ variant }) => variant.server?.topology ?? null },
  }
  const reporting = spec(
    [{ kind: 'findOne', filter: { _id: { '@key': {} } } }],
    {},
    {
      thresholds: ['go.perWorker > 19', 'perWorker > 21'],
      report: { tables: [{ title: 'Own', columns: ['perWorker', 'target', 'findOne.perWorker'] }], charts: [] },
    },
  )

  test('is in the tables, the thresholds and the file of the result, which needs it no more', async () => {
    const resultFile = path.join(folder, 'result.json')
    const result = await measure(reporting, { columns, compact: true, resultFile })
    expect(valueOf(result, 'perWorker')).toBe(20)
    expect(missedThresholds(result).map(({ threshold }) => threshold)).toEqual(['perWorker > 21'])
    const stored = await readResult(resultFile)
    expect(report(stored).csv[0]?.text).toContain('20,standalone,20')
    const target = { title: 'Target', isText: true, value: () => 'mine' } as const
    expect(report(result, { columns: { ...columns, target } }).csv[0]?.text).toContain('20,mine,20')
    const again = await measure(reporting, { columns })
    const { figures } = compareResults(stored, again, { measures: ['perWorker'] })
    expect(figures).toMatchObject([{ title: 'go: Operations of a Worker', figureA: 20, figureB: 20 }])
  })

  test('that a report names and no one hands in is an issue of the spec', async () =>
    await expect(measure(reporting)).rejects.toSay('own-column-not-passed', { column: 'perWorker' }))
})

const toMonitoring: Sink = () => {
  throw new Error('nothing listens')
}

describe('an own sink', () => {
  const reads = [{ kind: 'findOne', filter: { _id: { '@key': {} } } }, call('fails')]
  const functions = {
    fails: () => {
      throw new Error('always')
    },
  }

  test('sees parts whose counts add up to those of the result, of all passes and threads', async () => {
    const counts = new Map<string, number>()
    const passes = new Set<string>()
    const labels = new Set<string>()
    const sink: Sink = (part, { operations, pass, at }) => {
      passes.add(pass)
      labels.add(at.label)
      if (pass !== 'measured') return
      for (const [i, name] of operations.entries()) {
        const { ok, failed } = part.operations[i]?.calls.latency ?? {}
        counts.set(
          `${at.label} ${name}`,
          (counts.get(`${at.label} ${name}`) ?? 0) + (ok?.count ?? 0) + (failed?.count ?? 0),
        )
      }
    }
    const variants = { workers: [1, 3] }
    const load = { kind: 'closed', workers: { '@param': 'workers' } }
    const phase = { load, warmup: { operations: 10 }, stopAfter: { seconds: 2 } }
    const result = await measure(spec(reads, phase, { variants }), { functions, sinks: [sink] })
    const expected = result.variants.flatMap(({ label, phases }) =>
      phases.flatMap(({ operations }) =>
        operations.map(({ name, ok, failed }): [string, number] => [`${label} ${name}`, ok + failed]),
      ),
    )
    expect([...counts].toSorted()).toEqual(expected.toSorted())
    expect([...passes]).toEqual(['warm-up', 'measured'])
    expect(labels.size).toBe(2)
  })

  test.each<[string, Sink, string]>([
    ['throws', toMonitoring, '"toMonitoring"'],
    ['rejects', async (...given) => toMonitoring(...given), 'number 1'],
  ])('that %s ends the run with a problem that names it, and the file keeps that', async (_, sink, which) => {
    const resultFile = path.join(folder, 'failed', 'result.json')
    const running = measure(spec(reads, { stopAfter: { seconds: 600 } }), { functions, sinks: [sink], resultFile })
    await expect(running).rejects.toSay('sink-failed', { which, reason: 'nothing listens' })
    const stored = JSON.parse(await readFile(resultFile, 'utf8')) as Result
    expect([stored.status, stored.variants[0]?.error]).toEqual(['failed', expect.stringContaining('nothing listens')])
  })
})
