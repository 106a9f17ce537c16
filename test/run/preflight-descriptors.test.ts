import { expect, test } from 'vitest'
import { type JsonObject } from '../../src/core/json.ts'
import { checkConnections, descriptorsFor, preflightDescriptors } from '../../src/run/preflight/descriptors.ts'
import { aPhase, load } from '../fakes/a-spec.ts'

const set = { kind: 'replicaSet', members: 3 }
const reads = (mode: string): JsonObject => aPhase({ readPreference: { mode }, load: { kind: 'closed', workers: 100 } })

function need(phase: JsonObject, target: JsonObject = { kind: 'standalone' }): number {
  const [row] = load({ target, phases: [phase] }).rows
  const [first] = row?.spec.phases ?? []
  return row && first ? descriptorsFor(first, row.spec.target) : Number.NaN
}

const closed = (fields: JsonObject): JsonObject =>
  aPhase({ load: { kind: 'closed', ...fields }, stopAfter: { seconds: 1 } })

test('every worker needs a connection, and on every secondary where reads go there', () => {
  expect(need(closed({ workers: 100 })) - need(closed({ workers: 1 }))).toBe(99)
  expect(need(reads('secondary'), set) - need(reads('primary'), set)).toBe(100)
})

test('a phase needs no more connections than its pool has, and an open load those of the pool of the driver', () => {
  const pooled = (maxPoolSize: number): number => need({ ...closed({ workers: 50 }), pool: { maxPoolSize } })
  expect(pooled(20) - need(closed({ workers: 1 }))).toBe(19)
  expect(pooled(60)).toBe(need(closed({ workers: 50 })))
  const open = (maxInFlight: number): number => need(closed({ kind: 'open', ratePerSecond: 9, maxInFlight }))
  expect(open(10_000)).toBe(need(closed({ workers: 100 })))
  expect(open(80)).toBe(need(closed({ workers: 80 })))
})

test('threads and members need open files of their own', () => {
  expect(need(closed({ workers: 4, threads: 4 }))).toBeGreaterThan(need(closed({ workers: 4 })))
  expect(need(closed({ workers: 4 }), set)).toBeGreaterThan(need(closed({ workers: 4 })))
})

test('loads beside each other need the connections of all of them', async () => {
  const target = { kind: 'existing', uriFrom: 'MONGO_PERF_URI' }
  const phase = aPhase({ stopAfter: { seconds: 1 } })
  const loads = [600, 400].map((workers, i) => ({
    name: `load${i}`,
    load: { kind: 'closed', workers },
    operations: phase['operations'] ?? [],
  }))
  const { rows } = load({ target, phases: [{ name: 'read', stopAfter: { seconds: 1 }, loads }] })
  const limitedTo = (files: number) => preflightDescriptors(rows, { fileDescriptors: async () => files })
  // As many as one load of 1000 workers, and the clients of the second one.
  await expect(limitedTo(1074)).rejects.toSay('phase-needs-open-files', { needed: 1075, limit: 1074 })
  await expect(limitedTo(1075)).resolves.toBeUndefined()
})

test('a row that needs more open files than there are is refused before it starts', async () => {
  const target = { kind: 'existing', uriFrom: 'MONGO_PERF_URI' }
  const { rows } = load({ target, phases: [closed({ workers: 1000 })] })
  const limitedTo = (files: number | undefined) => preflightDescriptors(rows, { fileDescriptors: async () => files })
  await expect(limitedTo(1024)).rejects.toSay('phase-needs-open-files', { needed: 1071, limit: 1024 })
  await expect(limitedTo(1071)).resolves.toBeUndefined()
  await expect(limitedTo(undefined)).resolves.toBeUndefined()
})

test('a server that is started needs two open files for each connection', async () => {
  const open = { kind: 'open', ratePerSecond: 100, maxInFlight: 10_000 }
  const pool = { maxPoolSize: 10_000 }
  const { rows } = load({ phases: [aPhase({ load: open, pool, stopAfter: { seconds: 1 } })] })
  const limitedTo = (files: number) => preflightDescriptors(rows, { fileDescriptors: async () => files })
  await expect(limitedTo(20_000)).rejects.toSay('server-needs-open-files', { needed: 20_270, limit: 20_000 })
  await expect(limitedTo(20_270)).resolves.toBeUndefined()
})

test('each collection of a data set that has several, and each index, is an open file of a server that is started', async () => {
  const data = {
    collection: 'tenant',
    collections: Array.from({ length: 10_000 }, (_, n) => `tenant${n}`),
    indexes: [{ key: { n: 1 } }],
  }
  const operations = [{ kind: 'findOne', collection: 'tenant1' }]
  const { rows } = load({ data, phases: [aPhase({ operations })] })
  const limitedTo = (files: number) => preflightDescriptors(rows, { fileDescriptors: async () => files })
  await expect(limitedTo(30_000)).rejects.toSay('collections-need-open-files', { needed: 30_272, limit: 30_000 })
  await expect(limitedTo(30_272)).resolves.toBeUndefined()
})

test('a read preference of a step counts as one of its phase', () => {
  const step = { kind: 'findOne', filter: { _id: 1 }, name: 'a' }
  const steps = (more: JsonObject): JsonObject => {
    const both = [step, { ...step, ...more, name: 'b' }]
    return { ...closed({ workers: 100 }), operations: [{ kind: 'steps', steps: both }] }
  }
  expect(need(steps({ readPreference: { mode: 'secondary' } }), set) - need(steps({}), set)).toBe(200)
})

test('a running server is asked how many connections it takes', async () => {
  const [row] = load({ phases: [closed({ workers: 1000 })] }).rows
  const check = (available: number | undefined) =>
    checkConnections(row?.spec ?? { phases: [] }, {
      command: async () => {
        if (available === undefined) throw new Error('not authorized')
        return { connections: { available } }
      },
    })
  await expect(check(800)).rejects.toSay('phase-needs-connections', { needed: 1007, left: 800 })
  await expect(check(1007)).resolves.toBeUndefined()
  await expect(check(undefined)).resolves.toBeUndefined()
})
