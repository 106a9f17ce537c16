import { describe, expect, test } from 'vitest'
import { report, run, type SpecInput } from '../../../src/entries/index.ts'
import { fail } from '../../fakes/fail.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

const search = { kind: 'findPeak', from: 1, to: 4, secondsPerStep: 0.3, gain: 0, margin: 0.5 }

const spec = (name: string, phase: object): SpecInput =>
  ({
    name,
    data: { collection: 'items', document: { _id: { '@row': {} } } },
    phases: [{ name: 'write', load: search, operations: [{ kind: 'insertOne' }], ...phase }],
  }) as SpecInput

test('a search runs its steps on the server, and every call counts once', async () => {
  const result = await run(spec('search', { warmup: { operations: 20 } }), { uri: server.uri })
  const [phase = fail('no phase')] = result.variants[0]?.phases ?? []
  const { windows: steps, outcome, operations } = phase
  expect(steps[0]).toMatchObject({ at: 1, purpose: 'step', errors: 0 })
  expect(steps.length).toBeGreaterThan(1)
  for (const { seconds, ok, latency } of steps) {
    expect(seconds).toBeGreaterThanOrEqual(0.3)
    expect(latency?.count).toBe(ok)
  }
  const inSteps = steps.reduce((sum, { ok }) => sum + ok, 0)
  const last = steps.at(-1)
  expect(last).toMatchObject({ purpose: 'confirm', at: outcome?.found })
  expect(last?.seconds).toBeGreaterThanOrEqual(0.6)
  expect(operations[0]).toMatchObject({ ok: last?.ok, failed: 0, unknown: 0 })
  // Rows go on from step to step, so no insert was a duplicate; each step had a warm-up too, the first one of 20.
  const stored = await server.client.db('mongoperf_search').collection('items').countDocuments()
  expect(stored).toBeGreaterThan(inSteps + 20)
  expect(phase).toMatchObject({ name: 'write', load: 'findPeak', endedBecause: 'seconds' })
  expect(report(result).markdown).toContain('Best Number of Workers')
})

test('what ends a search early keeps the steps that are done', async () => {
  const interrupt = new AbortController()
  // Long steps: the second one is to be interrupted by an answer in its middle, and not by its last.
  const result = await run(spec('interrupted', { load: { ...search, secondsPerStep: 4 } }), {
    uri: server.uri,
    signal: interrupt.signal,
    onProgress: (event) => {
      if (event.kind === 'phase' && event.progress.phase === 'write at 2 workers') interrupt.abort()
    },
  })
  const [variant = fail('no row')] = result.variants
  expect(variant.status).toBe('aborted')
  expect(variant.storage).toBeNull()
  expect(variant.phases[0]?.windows).toMatchObject([{ at: 1 }])
  expect(variant.phases[0]?.windows[0]?.seconds).toBeGreaterThanOrEqual(4)
})

const sizes = {
  name: 'sizes',
  data: {
    collection: 'items',
    rows: 2000,
    document: { _id: { '@row': {} }, text: { '@string': { length: 1000 } } },
    indexes: [{ key: { text: 1 } }],
  },
  phases: [{ name: 'read', stopAfter: { operations: 1 }, operations: [{ kind: 'findOne', filter: { _id: 1 } }] }],
  report: { tables: [{ title: 'Sizes', columns: [{ metric: 'storage.totalGB' }] }] },
} satisfies SpecInput

describe('the sizes on disk', () => {
  test('are those of the collections of the row, as their server tells them', async () => {
    const { variants } = await run(sizes, { uri: server.uri })
    const { storage = null } = variants[0] ?? {}
    const items = server.client.db('mongoperf_sizes').collection('items')
    const [stats] = await items.aggregate([{ $collStats: { storageStats: {} } }]).toArray()
    expect(storage?.collections.map(({ collection }) => collection)).toEqual(['items'])
    expect(storage?.collections[0]?.documentBytes).toBe(stats?.['storageStats'].size)
    // What others run is not made to write a checkpoint.
    expect(storage?.afterCheckpoint).toBe(false)
  })

  test('are read after a checkpoint on servers of ours, and the text of 2000 documents is in the files then', async () => {
    const { variants } = await run(sizes)
    const { storage = null } = variants[0] ?? {}
    expect(storage?.afterCheckpoint).toBe(true)
    expect(storage?.collections[0]?.dataBytes).toBeGreaterThan(1000 * 1000)
    expect(storage?.collections[0]?.indexBytes).toBeGreaterThan(1000 * 1000)
  })

  test('are not read where nothing tells them', async () => {
    const { report: _, ...untold } = sizes
    const { variants } = await run({ ...untold, name: 'untold' }, { uri: server.uri })
    expect(variants[0]?.storage).toBeNull()
  })
})
