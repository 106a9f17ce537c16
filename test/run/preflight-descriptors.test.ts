import { expect, test } from 'vitest'
import { type JsonObject } from '../../src/json.ts'
import { descriptorsFor, preflightDescriptors } from '../../src/run/preflight/descriptors.ts'
import { aPhase, load } from '../fakes/a-spec.ts'

const set = { kind: 'replicaSet', members: 3 }
const reads = (mode: string): JsonObject => aPhase({ readPreference: { mode }, load: { kind: 'closed', workers: 100 } })

function need(phase: JsonObject, target: JsonObject = { kind: 'standalone' }): number {
  const [row] = load({ target, phases: [phase] }).rows
  const [first] = row?.spec.phases ?? []
  return row && first ? descriptorsFor(first, row.spec.target) : Number.NaN
}

const closed = (fields: JsonObject): JsonObject => aPhase({ load: { kind: 'closed', ...fields } })

test('every worker needs a connection, and on every secondary where reads go there', () => {
  expect(need(closed({ workers: 100 })) - need(closed({ workers: 1 }))).toBe(99)
  expect(need(reads('secondary'), set) - need(reads('primary'), set)).toBe(100)
})

test('threads and members need open files of their own', () => {
  expect(need(closed({ workers: 4, threads: 4 }))).toBeGreaterThan(need(closed({ workers: 4 })))
  expect(need(closed({ workers: 4 }), set)).toBeGreaterThan(need(closed({ workers: 4 })))
})

test('a row that needs more open files than there are is refused before it starts', async () => {
  const { rows } = load({ phases: [closed({ workers: 1000 })] })
  const limitedTo = (files: number | undefined) => preflightDescriptors(rows, { fileDescriptors: async () => files })
  await expect(limitedTo(1024)).rejects.toMatchObject({
    code: 'not-measurable-here',
    message: 'The phase "read" needs 1071 open files for its connections, and this process may have 1024',
    hint: 'Raise the limit (ulimit -n 1071), or use fewer workers.',
  })
  await expect(limitedTo(1071)).resolves.toBeUndefined()
  await expect(limitedTo(undefined)).resolves.toBeUndefined()
})
