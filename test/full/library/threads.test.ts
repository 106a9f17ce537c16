import { type Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import {
  defineSpec,
  loadSpec,
  Problem,
  run,
  type Result,
  type RunEvent,
  type SpecInput,
} from '../../../src/entries/index.ts'
import { type PartSink } from '../../../src/load/part-sink.ts'
import { createShares } from '../../../src/load/plan/share.ts'
import { type LoadRun, runLoad } from '../../../src/load/run-load.ts'
import { measureOrigin } from '../../../src/load/threads/thread-clock.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { startLoadThread } from '../../../src/run/threads/thread-work.ts'
import { compilePhase } from '../../../src/spec/plan/compile-phase.ts'
import { createDataSet } from '../../../src/spec/plan/data-set.ts'
import { ownServer } from '../../contract/support/own-server.ts'
import { fail } from '../../fakes/fail.ts'

const server = ownServer()

const database = (name: string) => server.client.db(`mongoperf_${name}`)

/** The phases of every row, measured on that server. */
async function phasesOf(spec: SpecInput): Promise<readonly (readonly PhaseResult[])[]> {
  const { variants } = await run(spec, { uri: server.uri })
  return variants.map(({ phases }) => phases)
}

/** What stands in a collection, byte for byte. */
async function contents(name: string): Promise<readonly string[]> {
  const documents = await database(name)
    .collection('items')
    .find({}, { sort: { _id: 1 }, raw: true })
    .toArray()
  return documents.map((document) => Buffer.from(document as unknown as Uint8Array).toString('base64'))
}

const items = { collection: 'items', document: { _id: { '@row': {} }, n: { '@int': { min: 1, max: 1000 } } } }
const on = (threads: number, workers = 7) => ({ kind: 'closed', workers, threads }) as const

test('1, 2 and 3 threads make the same set of operations, and leave the same collection', async () => {
  const seen: PhaseResult[] = []
  const stored: (readonly string[])[] = []
  for (const threads of [1, 2, 3]) {
    const [[first, second] = []] = await phasesOf(
      defineSpec({
        name: `digest-${threads}`,
        data: { ...items, rows: 500 },
        phases: [
          {
            name: 'mix',
            load: on(threads),
            warmup: { operations: 20 },
            stopAfter: { operations: 700 },
            operations: [
              { kind: 'findOne', weight: 5, filter: { _id: { '@key': { distribution: 'zipfian' } } } },
              { kind: 'insertOne', weight: 2 },
              {
                kind: 'updateOne',
                weight: 3,
                filter: { _id: { '@key': { distribution: 'sequential' } } },
                update: { $set: { seen: { '@nextRow': {} } } },
              },
              { kind: 'findOne', name: 'sampled', filter: { n: { '@sample': { path: 'n' } } } },
            ],
          },
          {
            name: 'load',
            load: on(threads),
            stopAfter: { documents: 1000 },
            operations: [{ kind: 'insertMany', documentsPerCall: 30 }],
          },
        ],
      }),
    )
    if (first && second) seen.push(first, second)
    stored.push(await contents(`digest_${threads}`))
  }
  const digests = (name: string) => seen.filter((phase) => phase.name === name).map(({ digest }) => digest)
  expect(digests('mix')).toEqual(Array.from({ length: 3 }, () => digests('mix')[0]))
  expect(digests('mix')[0]).toMatch(/^[\da-f]{16}-700$/)
  expect(digests('load')).toEqual(Array.from({ length: 3 }, () => digests('load')[0]))
  expect(seen.map(({ threads }) => threads)).toEqual([1, 1, 2, 2, 3, 3])
  const counts = seen.map(({ operations }) => operations.map(({ ok, documents }) => [ok, documents]))
  expect(counts.slice(2, 4)).toEqual(counts.slice(0, 2))
  expect(counts.slice(4, 6)).toEqual(counts.slice(0, 2))
  expect(stored[1]).toEqual(stored[0])
  expect(stored[2]).toEqual(stored[0])
}, 300_000)

test('latest finds documents that the phase itself inserts, on 1 and 2 threads', async () => {
  const latest = { '@key': { distribution: 'latest' } }
  const seen: PhaseResult[] = []
  for (const threads of [1, 2]) {
    const [[phase] = []] = await phasesOf(
      defineSpec({
        name: `latest-${threads}`,
        data: { ...items, rows: 100 },
        phases: [
          {
            name: 'mix',
            load: on(threads),
            stopAfter: { operations: 1500 },
            operations: [
              { kind: 'insertOne', document: { _id: { '@nextRow': {} }, isNew: true } },
              { kind: 'findOne', name: 'any', filter: { _id: latest }, expectDocuments: 1 },
              { kind: 'findOne', name: 'new', filter: { _id: latest, isNew: true } },
            ],
          },
        ],
      }),
    )
    seen.push(phase ?? fail('no phase'))
  }
  for (const { operations } of seen) {
    const [inserts, any, added] = operations
    expect(inserts?.failed).toBe(0)
    // Every row that is picked has been inserted by then.
    expect(any?.documents).toBe(any?.ok)
    // The inserts of the phase soon outnumber the rows that were loaded.
    expect(added?.documents).toBeGreaterThan((added?.ok ?? 0) / 2)
  }
  expect(seen[1]?.digest).toBe(seen[0]?.digest)
  const warned = seen.map(({ warnings }) => warnings.some(({ code }) => code === 'latest-by-thread'))
  expect(warned).toEqual([false, true])
})

test('steps take no row twice, also where that waits for replies, and the next phase goes on after them', async () => {
  const [[first, second] = []] = await phasesOf(
    defineSpec({
      name: 'steps',
      data: { ...items, rows: 10 },
      phases: [
        {
          name: 'both',
          load: on(2),
          stopAfter: { operations: 200 },
          operations: [
            {
              kind: 'steps',
              steps: [
                { kind: 'findOne', filter: { _id: { '@key': { distribution: 'uniform' } } } },
                {
                  kind: 'insertOne',
                  document: { _id: { '@nextRow': {} }, of: { '@var': 'findOne.document._id' } },
                },
              ],
            },
          ],
        },
        { name: 'more', load: on(1), stopAfter: { operations: 50 }, operations: [{ kind: 'insertOne' }] },
      ],
    }),
  )
  expect(first?.operations[0]).toMatchObject({ ok: 200, failed: 0, steps: [{ ok: 200 }, { ok: 200, inserted: 200 }] })
  expect(second?.operations[0]).toMatchObject({ ok: 50, failed: 0 })
})

/** The threads that something starts. */
async function threadsOf(work: () => Promise<unknown>): Promise<readonly Worker[]> {
  const started: Worker[] = []
  const note = (worker: Worker): void => void started.push(worker)
  process.on('worker', note)
  try {
    await work()
  } finally {
    process.off('worker', note)
  }
  return started
}

/** A thread that has ended has no number any more. */
const ended = [-1, -1]

test('an abort in the middle gives a result of what was done, and leaves no thread', async () => {
  const stop = new AbortController()
  const spec = defineSpec({
    name: 'aborted',
    data: { ...items, rows: 10 },
    phases: [
      { name: 'read', load: on(2), stopAfter: { seconds: 600 }, operations: [{ kind: 'findOne', filter: { _id: 3 } }] },
    ],
  })
  const onProgress = (event: RunEvent): void => {
    if (event.kind === 'phase') stop.abort()
  }
  let result: Result | undefined
  const threads = await threadsOf(async () => {
    result = await run(spec, { uri: server.uri, signal: stop.signal, onProgress })
  })
  const [phase] = result?.variants[0]?.phases ?? []
  expect(result?.status).toBe('aborted')
  expect(phase?.endedBecause).toBe('aborted')
  expect(phase?.operations[0]?.ok).toBeGreaterThan(0)
  expect(threads.map(({ threadId }) => threadId)).toEqual(ended)
})

/** Inserts over two threads, through a URI and into a sink of one's own. */
async function insertOnThreads(uri: string, sink: PartSink, signal = new AbortController().signal): Promise<LoadRun> {
  const { rows } = await loadSpec(
    defineSpec({
      name: 'direct',
      data: items,
      phases: [{ name: 'write', load: on(2), stopAfter: { seconds: 600 }, operations: [{ kind: 'insertOne' }] }],
    }),
  )
  const { seed, data, phases } = rows[0]?.spec ?? fail('no row')
  const phase = phases[0] ?? fail('no phase')
  const context = { seed, report: (_: unknown, reason: string) => fail(reason) }
  const dataSets = data.map((dataSet, i) => createDataSet(dataSet, ['data', i], context))
  const none = { samples: [], evidence: [], functionsFrom: undefined }
  const work = { uri, database: 'mongoperf_direct', seed, data, phase, firstRows: [0], ...none }
  const units = createShares(2).map((share) =>
    startLoadThread({ ...work, share, clockOriginMs: measureOrigin(systemClock) }),
  )
  try {
    return await runLoad({
      phase: compilePhase(phase, ['phases', 0], dataSets, context),
      units,
      dataSets,
      clock: systemClock,
      signal,
      sinks: [sink],
    })
  } finally {
    await Promise.all(units.map((unit) => unit.end()))
  }
}

test('a thread that cannot reach the server ends the phase with its problem, and leaves no thread', async () => {
  const uri = `mongodb://nobody:secret-word@${new URL(server.uri).host}/?directConnection=true`
  let thrown: unknown
  const threads = await threadsOf(() => insertOnThreads(uri, () => {}).catch((error: unknown) => (thrown = error)))
  expect(thrown).toBeInstanceOf(Problem)
  expect(thrown).toMatchObject({ code: 'target-unreachable', message: expect.not.stringContaining('secret-word') })
  expect(threads.map(({ threadId }) => threadId)).toEqual(ended)
})

test('a phase that is aborted before its threads have a unit makes no calls', async () => {
  const aborted = await insertOnThreads(server.uri, () => {}, AbortSignal.abort())
  expect(aborted.endedBecause).toBe('aborted')
  expect(aborted.units.map(({ calls }) => calls)).toEqual([0, 0])
})

test('a bug of ours in the middle stops all threads and rejects', async () => {
  const bug = new Error('a bug')
  const sink = (): never => {
    throw bug
  }
  let thrown: unknown
  const threads = await threadsOf(() => insertOnThreads(server.uri, sink).catch((error: unknown) => (thrown = error)))
  expect(thrown).toBe(bug)
  expect(threads.map(({ threadId }) => threadId)).toEqual(ended)
})
