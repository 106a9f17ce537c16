import { type Document } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { comesTrue } from '../../../../bench/start/wait.ts'
import { run, type RunEvent, type SpecInput } from '../../../../src/entries/index.ts'
import { type Result } from '../../../../src/results/schema.ts'
import { ownSet, sharedServer } from '../../support/shared-servers.ts'

const server = ownSet()
const standalone = sharedServer()

const key = { '@key': { distribution: 'sequential' } }
const insert = { kind: 'insertOne' }
const update = { kind: 'updateOne', filter: { _id: key }, update: { $inc: { n: 1 } } }
const remove = { kind: 'deleteOne', filter: { _id: key } }
const watch = (parts: object = {}) => ({ kind: 'changeStream', ...parts })

const phase = (operations: readonly object[], parts: object = {}) => ({
  name: 'write',
  load: { kind: 'closed', workers: 4 },
  stopAfter: { operations: 300 },
  operations,
  ...parts,
})

/** Seconds of writes, held back: the servers would take all of the cores. */
const lasting = (seconds: number): object => ({
  load: { kind: 'closed', workers: 4, maxRatePerSecond: 100 },
  stopAfter: { seconds },
})

type Options = Partial<Parameters<typeof run>[1]>

async function resultOf(name: string, phases: readonly object[], options: Options = {}): Promise<Result> {
  const data = { collection: 'things', rows: 200, document: { _id: { '@row': {} }, n: 0, text: 'x' } }
  const spec = { name, target: { kind: 'existing' }, data, phases }
  return run(spec as unknown as SpecInput, { uri: server.uri, ...options })
}

async function phasesOf(name: string, phases: readonly object[]) {
  const { variants } = await resultOf(name, phases)
  return variants.flatMap((variant) => variant.phases)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

describe('events', () => {
  test('are exactly the writes that were acknowledged, by their type', async () => {
    const [measured] = await phasesOf('exact', [
      phase([insert, { ...update, weight: 2 }, remove, watch()], { warmup: { operations: 50 } }),
    ])
    const counts = (measured?.operations ?? []).map(
      (operation) => operation.inserted + operation.modified + operation.deleted,
    )
    const [stream] = measured?.streams ?? []
    expect(stream?.byType).toEqual({ insert: counts[0], update: counts[1], delete: counts[2] })
    expect(stream?.events).toBe(sum(counts))
    expect(stream?.events).toBeGreaterThan(200)
    expect(stream?.errors).toEqual([])
    expect(sum(stream?.perSecond.events ?? [])).toBe(stream?.events)
    expect(stream?.perSecond.events.length).toBeGreaterThanOrEqual(measured?.operations[0]?.perSecond.ok.length ?? 1)
  })

  test('have a lag each, which is that of a server nearby', async () => {
    const [measured] = await phasesOf('lag', [phase([insert, watch()])])
    const [stream] = measured?.streams ?? []
    expect(stream?.lag?.count).toBe(300)
    expect(stream?.lag?.minMs).toBeGreaterThanOrEqual(0)
    expect(stream?.lag?.p50Ms).toBeLessThan(5000)
    // Not the clock of one side alone, and not a lag of nothing.
    expect(stream?.lag?.meanMs).toBeGreaterThan(0)
  })

  test('of writes that nobody waits for are waited for after the window', async () => {
    const [measured] = await phasesOf('one', [phase([insert, watch()], { writeConcern: { w: 1 } })])
    expect(measured?.streams[0]).toMatchObject({ events: 300, errors: [] })
  })

  test('pass through the pipeline of their stream; two streams see each their own', async () => {
    const [measured] = await phasesOf('filter', [
      phase([
        insert,
        update,
        watch({ name: 'updates', pipeline: [{ $match: { operationType: 'update' } }] }),
        watch({ name: 'bare', pipeline: [{ $project: { _id: 1 } }] }),
      ]),
    ])
    const [inserted, updated] = (measured?.operations ?? []).map((operation) => operation.inserted + operation.modified)
    expect(measured?.streams).toMatchObject([
      { name: 'updates', events: updated, byType: { update: updated } },
      { name: 'bare', events: (inserted ?? 0) + (updated ?? 0), byType: { '(no type)': 300 }, lag: null },
    ])
  })
})

/** Cursors, and what is done with them, on a collection of the primary. */
const openCursors = (namespace: string) =>
  server.client
    .db('admin')
    .aggregate([{ $currentOp: { idleCursors: true } }, { $match: { ns: namespace, cursor: { $exists: true } } }])
    .toArray()

test('options are sent under the names of the driver', async () => {
  const options = { fullDocument: 'updateLookup', fullDocumentBeforeChange: 'off' }
  const seen: Document[] = []
  const stop = new AbortController()
  const look = async (): Promise<void> => {
    seen.push(...(await openCursors('mongoperf_options.things')))
    if (seen.length > 0) stop.abort()
  }
  await resultOf('options', [phase([update, watch({ options: { ...options, batchSize: 7 } })], lasting(60))], {
    signal: stop.signal,
    onProgress(event: RunEvent) {
      if (event.kind === 'phase') void look().catch(() => undefined)
    },
  })
  expect(seen[0]?.['cursor'].originatingCommand).toMatchObject({
    pipeline: [{ $changeStream: options }],
    cursor: { batchSize: 7 },
    readConcern: { level: 'majority' },
  })
})

test('a pipeline that the server refuses is an error of the stream, and the writes go on', async () => {
  const [measured] = await phasesOf('wrong', [phase([insert, watch({ pipeline: [{ $nonsense: {} }] })])])
  expect(measured?.operations[0]).toMatchObject({ ok: 300 })
  expect(measured?.streams[0]).toMatchObject({ events: 0, lag: null, errors: [{ code: '40324', count: 1 }] })
})

test('a collection that is dropped ends its stream, and nothing else', async () => {
  // Long enough for a machine that stands still for a while before the first progress is told.
  const { variants, status } = await resultOf('dropped', [phase([insert, watch()], lasting(6))], {
    onProgress(event: RunEvent) {
      if (event.kind === 'phase')
        void server.client
          .db('mongoperf_dropped')
          .dropCollection('things')
          .catch(() => false)
    },
  })
  expect(status).toBe('done')
  expect(variants[0]?.phases[0]?.streams[0]).toMatchObject({ byType: { drop: 1, invalidate: 1 }, errors: [] })
})

test('an abort ends a watched phase with what was seen, and leaves no cursor', async () => {
  const stop = new AbortController()
  const { status, variants } = await resultOf('aborted', [phase([insert, watch()], lasting(60))], {
    signal: stop.signal,
    onProgress(event: RunEvent) {
      if (event.kind === 'phase' && event.progress.operations > 0) stop.abort()
    },
  })
  expect(status).toBe('aborted')
  expect(variants[0]?.phases[0]?.streams).toMatchObject([{ name: 'changeStream', errors: [] }])
  // A `getMore` that the server was busy with ends when it finds its caller gone.
  expect(await comesTrue(async () => (await openCursors('mongoperf_aborted.things')).length === 0, 60_000)).toBe(true)
})

test('a standalone server is refused, with the way out', async () =>
  await expect(resultOf('standalone', [phase([insert, watch()])], { uri: standalone.uri })).rejects.toSay(
    'change-stream-needs-set',
  ))
