import { expect, inject, test, vi } from 'vitest'
import { type SpecInput, report, run } from '../../../src/entries/index.ts'
import { openCaches } from '../../../src/load/courses/hold.ts'
import { fail } from '../../fakes/fail.ts'
import { ownServer } from '../support/own-server.ts'
import { workplace } from '../support/program.ts'

// Other tests of a shared server would have the small cache too.
const server = ownServer()

const megabyte = 1024 ** 2

async function cacheOfServer(): Promise<{ readonly mostMB: number; readonly heldMB: number }> {
  const { wiredTiger } = await server.client.db('admin').command({ serverStatus: 1 })
  const figures = wiredTiger.cache
  return {
    mostMB: figures['maximum bytes configured'] / megabyte,
    heldMB: figures['bytes currently in the cache'] / megabyte,
  }
}

const limit = 'pagesReadPerOperation < 50'

/** Each call reads all documents, of which a cache that is too small has lost some. The limit is on what it has to read again: it does not depend on speed. */
const scan = { kind: 'countDocuments', filter: { none: 1 } }

const spec = {
  name: 'found-cache',
  // The test is about the cache of servers of its own, which alone may be changed.
  target: { kind: 'standalone' },
  data: { collection: 'items', rows: 24_000, document: { '@filler': { sizeKB: 1, fields: { _id: { '@row': {} } } } } },
  phases: [
    {
      name: 'read',
      load: {
        kind: 'findCache',
        holds: [limit],
        from: 128,
        to: 16,
        ratePerSecond: 10,
        maxInFlight: 20,
        secondsPerStep: 0.5,
        precisionPercent: 30,
      },
      warmup: { seconds: 0.5 },
      operations: [scan],
    },
  ],
}

test('a search finds the smallest cache in which the data stay', async () => {
  const result = await run(spec as SpecInput, { mongod: inject('mongodPath') })
  const [{ status, phases: [phase = fail('no phase')] } = fail('no row')] = result.variants
  expect(status).toBe('done')
  expect(phase).toMatchObject({
    load: 'findCache',
    endedBecause: 'seconds',
    outcome: { holds: [limit], confirmed: true },
  })
  expect(phase.outcome?.found).toBeGreaterThan(24)
  expect(phase.outcome?.found).toBeLessThan(128)
  const [first, ...others] = phase.windows
  expect(first).toMatchObject({ at: 128, purpose: 'step', held: true })
  expect(others.some(({ held, limits }) => !held && (limits[0]?.measured ?? 0) > 50)).toBe(true)
  const { markdown } = report(result)
  expect(markdown).toMatch(/\*\*About \d+ MB of cache \(between \d+ and \d+\) keep /)
  expect(markdown).toMatch(/poisson arrivals, [\d,]+ operations\/s on average/)
})

test('caches get sizes while their servers run, evict what does not fit, and get back their own', async () => {
  const db = server.client.db('mongoperf_caches')
  const pad = 'x'.repeat(1000)
  await db.collection('items').insertMany(Array.from({ length: 30_000 }, (_, n) => ({ n, pad: `${n}${pad}` })))
  await db.collection('items').countDocuments({ n: -1 })
  const { mostMB, heldMB } = await cacheOfServer()
  expect(heldMB).toBeGreaterThan(16)
  {
    await using caches = await openCaches([{ host: new URL(server.uri).host }])
    await caches.change(16)
    expect((await cacheOfServer()).mostMB).toBe(16)
    await vi.waitFor(async () => expect((await cacheOfServer()).heldMB).toBeLessThanOrEqual(16), 60_000)
  }
  expect((await cacheOfServer()).mostMB).toBe(mostMB)
  await db.dropDatabase()
})

test('the cache of a server that is not ours stays as it is', async () => {
  await using place = await workplace()
  const file = await place.spec(spec)
  const { code, stderr } = await place.run(['run', file, '--uri', server.uri])
  expect(code).toBe(2)
  expect(stderr).toContain('needs a target that mongo-perf starts, not an existing server')
})

test('Ctrl-C in a search leaves no server behind, and says how far it came', async () => {
  await using place = await workplace()
  const load = { kind: 'open', ratePerSecond: 10, maxInFlight: 20 }
  const phases = [{ name: 'read', load, stopAfter: { seconds: 1 }, operations: [scan] }]
  const file = await place.spec({ ...spec, phases })
  const flags = ['--by', 'cache', '--holds', 'errors == 0', '--from', '1000', '--seconds', '0.5']
  const running = place.begin(['size', file, ...flags])
  await running.says('read at 1000 MB of cache: held (errors 0)')
  running.stop()
  expect((await running.ended).code).toBe(130)
  expect(place.servers()).toEqual([])
  const result = await place.result('found-cache-size')
  expect(result.variants[0]?.phases[0]).toMatchObject({ load: 'findCache', outcome: { found: null, high: 1000 } })
})
