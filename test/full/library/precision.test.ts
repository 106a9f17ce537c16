import { beforeAll, expect, test } from 'vitest'
import { report, run, type SpecInput } from '../../../src/entries/index.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { ownServer } from '../../contract/support/own-server.ts'
import { fail } from '../../fakes/fail.ts'

const server = ownServer(['--setParameter', 'enableTestCommands=1'])

/** Reads wait for so long, whatever else the machine is doing: throughput is as steady as that. */
const blockTimeMS = 100
const workers = 40

beforeAll(async () => {
  const data = { failCommands: ['find'], blockConnection: true, blockTimeMS }
  await server.client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data })
})

/** A phase of reads, as it was measured, and the table of its report. */
async function measured(name: string, phase: object): Promise<{ readonly phase: PhaseResult; readonly table: string }> {
  const spec = {
    name,
    data: { collection: 'items', rows: 100, document: { _id: { '@row': {} } } },
    phases: [{ name: 'read', operations: [{ kind: 'findOne', filter: { _id: { '@key': {} } } }], ...phase }],
    report: {
      tables: [{ title: 'Reads', columns: ['read.opsPerSecond', 'read.precisionPercent', 'read.steadiness'] }],
    },
  } as SpecInput
  const result = await run(spec, { uri: server.uri })
  return {
    phase: result.variants[0]?.phases[0] ?? fail('no phase'),
    table: report(result).markdown,
  }
}

test.each([1, 2])('a phase on %i thread(s) ends as soon as its throughput is precise', async (threads) => {
  const { phase, table } = await measured(`precise-${threads}`, {
    load: { kind: 'closed', workers, threads },
    warmup: { seconds: 1 },
    stopAfter: { precisionPercent: 50, seconds: 60 },
  })
  expect(phase.endedBecause).toBe('precision')
  expect(phase.wallSeconds).toBeGreaterThan(6.9)
  expect(phase.wallSeconds).toBeLessThan(60)
  expect(phase.steadiness.precisionPercent).toBeLessThan(50)
  expect(phase.warnings.map(({ code }) => code)).not.toContain('short-window')
  expect(table).toContain('Precision (±%)')
})

test('a phase that does not become precise ends when its time is over', async () => {
  const { phase } = await measured('imprecise', {
    load: { kind: 'closed', workers },
    stopAfter: { precisionPercent: 0.1, seconds: 8 },
  })
  expect(phase.endedBecause).toBe('seconds')
  expect(phase.wallSeconds).toBeGreaterThanOrEqual(8)
  // Null: so unsteady that it is not known.
  expect(phase.steadiness.precisionPercent ?? Infinity).toBeGreaterThan(0.1)
})
