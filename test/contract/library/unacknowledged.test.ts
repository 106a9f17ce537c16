import { expect, test } from 'vitest'
import { report, run, type SpecInput } from '../../../src/entries/index.ts'
import { type PhaseResult, type Result } from '../../../src/results/schema.ts'
import { fail } from '../../fakes/fail.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

const inserts = (parts: object = {}) => ({
  name: 'write',
  writeConcern: { w: 0 },
  stopAfter: { operations: 3000 },
  operations: [{ kind: 'insertOne' }],
  ...parts,
})

const specOf = (name: string, data: object, phases: readonly object[]) =>
  ({ name, data: { collection: 'items', document: { _id: { '@row': {} } }, ...data }, phases }) as SpecInput

const measure = (name: string, data: object, ...phases: readonly object[]): Promise<Result> =>
  run(specOf(name, data, phases), { uri: server.uri })

const phaseOf = ({ variants }: Result, index = 0): PhaseResult => variants[0]?.phases[index] ?? fail('no phase')
const stored = (name: string): Promise<number> =>
  server.client.db(`mongoperf_${name}`).collection('items').countDocuments()

test.each([
  ['one thread', 'here', { kind: 'closed', workers: 4 }],
  ['two threads', 'threads', { kind: 'closed', workers: 4, threads: 2 }],
])('all that %s sent without an acknowledgement has arrived before the phase is left', async (_who, name, load) => {
  const result = await measure(name, { rows: 10 }, inserts({ load, warmup: { operations: 500 } }))
  const phase = phaseOf(result)
  expect(phase).toMatchObject({
    endedBecause: 'operations',
    operations: [{ ok: 3000, inserted: 3000, failed: 0, unknown: 0 }],
    unacknowledged: { sent: 3000, arrived: 3000, reason: null },
  })
  expect(await stored(name)).toBe(10 + 500 + 3000)
  const warning = phase.warnings.find(({ code }) => code === 'unacknowledged')
  const masked = warning?.message.replace(/[\d.]+(?= s later$)/, 'N')
  expect(masked).toSay('phase-unacknowledged', { documents: 3000, seconds: 'N' })
  expect(phase.warnings.map(({ code }) => code)).not.toContain('not-arrived')
})

test('batches that are sent count with all of their documents, and the next phase finds them', async () => {
  const batches = [{ kind: 'insertMany', documentsPerCall: 40 }]
  const result = await measure('batches', {}, inserts({ stopAfter: { documents: 2000 }, operations: batches }), {
    name: 'look',
    stopAfter: { operations: 1 },
    operations: [{ kind: 'countDocuments' }],
  })
  expect(phaseOf(result).unacknowledged).toMatchObject({ sent: 2000, arrived: 2000 })
  expect(phaseOf(result, 1)).toMatchObject({ unacknowledged: null, operations: [{ matched: 2000 }] })
})

test('documents that the server refuses are missed, in the warnings and in the table', async () => {
  const spec = specOf('refused', { indexes: [{ key: { same: 1 }, unique: true }] }, [
    inserts({ stopAfter: { operations: 50 }, operations: [{ kind: 'insertOne', document: { same: 1 } }] }),
  ])
  const columns = ['sent', 'arrived', 'arrivedPercent']
  const result = await run({ ...spec, report: { tables: [{ title: 'Arrivals', columns }] } } as SpecInput, {
    uri: server.uri,
  })
  expect(phaseOf(result)).toMatchObject({
    operations: [{ ok: 50, failed: 0 }],
    unacknowledged: { sent: 50, arrived: 1 },
  })
  expect(phaseOf(result).warnings.map(({ code }) => code)).toContain('not-arrived')
  expect(report(result).json.tables[0]?.rows[0]?.cells).toEqual([50, 1, 2])
})

test('a capped collection is inconclusive, with the reason', async () => {
  const result = await measure(
    'capped',
    { options: { capped: true, size: 4096, max: 5 } },
    inserts({ stopAfter: { operations: 100 } }),
  )
  expect(phaseOf(result).unacknowledged).toMatchObject({
    sent: 100,
    arrived: null,
    reason: expect.toSay('unacknowledged-capped', { collection: 'items' }),
  })
})

test('writes that are acknowledged are not counted', async () => {
  const result = await measure('acknowledged', {}, inserts({ writeConcern: { w: 1 }, stopAfter: { operations: 20 } }))
  expect(phaseOf(result).unacknowledged).toBeNull()
})
