import { describe, expect, test } from 'vitest'
import { report, run, type SpecInput } from '../../../src/entries/index.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { fail } from '../../fakes/fail.ts'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

const data = [
  { collection: 'items', rows: 500, document: { _id: { '@row': {} }, group: { '@int': { max: 9 } } } },
  { collection: 'log', document: { _id: { '@row': {} }, at: { '@int': { max: 9 } } } },
]

const readers = {
  name: 'readers',
  operations: [{ kind: 'findOne', collection: 'items', filter: { _id: { '@key': {} } } }],
}
/** No window has more calls than may be in flight. */
const constant = (ratePerSecond: number) => ({ kind: 'open', arrivals: 'constant', ratePerSecond, maxInFlight: 40 })

async function measured(name: string, phase: object, options: object = {}): Promise<readonly PhaseResult[]> {
  const spec = { name, data, phases: [{ name: 'mixed', ...phase }], ...options }
  const { variants } = await run(spec as unknown as SpecInput, { uri: server.uri })
  const [variant = fail('no row')] = variants
  expect(variant.status).toBe('done')
  return variant.phases
}

const counted = (name: string) =>
  server.client
    .db(`mongoperf_${name.replaceAll('-', '_')}`)
    .collection('log')
    .countDocuments()

describe.each(['driver', 'wire'])('with the engine %s', (engine) => {
  const writers = { name: 'writers', load: constant(40), operations: [{ kind: 'insertOne', collection: 'log' }] }

  test('closed and open loads run in parallel, each in its own time', async () => {
    const name = `loads-${engine}`
    const loads = [
      { ...readers, load: { kind: 'closed', workers: 2, maxRatePerSecond: 500 } },
      { ...writers, from: 0.5, until: 1.5 },
    ]
    const phases = await measured(name, { warmup: { seconds: 0.2 }, stopAfter: { seconds: 2 }, loads }, { engine })
    expect(phases.map((phase) => [phase.name, phase.load, phase.engine, phase.parallel])).toEqual([
      ['readers', 'closed', engine, { phase: 'mixed', fromSeconds: 0, alternating: null }],
      ['writers', 'open', engine, { phase: 'mixed', fromSeconds: 0.5, alternating: null }],
    ])
    const [reading = fail('no load'), writing = fail('no load')] = phases
    expect(reading.wallSeconds).toBeGreaterThanOrEqual(2)
    expect(writing.wallSeconds).toBeGreaterThanOrEqual(1)
    expect(Date.parse(writing.startedAt) - Date.parse(reading.startedAt)).toBeGreaterThanOrEqual(490)
    expect(reading.operations.map(({ ok, failed, unknown }) => [ok > 0, failed, unknown])).toEqual([[true, 0, 0]])
    expect(writing.operations[0]?.ok).toBe(40)
    expect(await counted(name)).toBe(40)
  })

  test('threads and other loads change no call', async () => {
    const counting = {
      name: 'counting',
      operations: [{ kind: 'countDocuments', collection: 'items', filter: { group: 3 } }],
    }
    const digests = async (name: string, threads: number, others: readonly object[]) => {
      const own = { ...writers, load: { ...constant(40), threads } }
      const phases = await measured(name, { stopAfter: { seconds: 1 }, loads: [own, ...others] }, { engine })
      expect(await counted(name)).toBe(40)
      return phases[0]?.digest
    }
    const alone = await digests(`alone-${engine}`, 1, [])
    expect(await digests(`threads-${engine}`, 2, [counting])).toBe(alone)
    // Whichever engine sends them.
    expect(alone).toMatch(/-40$/)
    known.add(alone ?? '')
    expect(known.size).toBe(1)
  })
})

const known = new Set<string>()

test('a load that is on and off in turn gives pairs of windows, and the report their ratio', async () => {
  const scan = { kind: 'aggregate', collection: 'items', pipeline: [{ $group: { _id: '$group', n: { $sum: 1 } } }] }
  const loads = [
    { ...readers, load: { kind: 'closed', workers: 2, maxRatePerSecond: 500 } },
    { name: 'job', load: { kind: 'closed', workers: 4, maxRatePerSecond: 100 }, alternate: 0.2, operations: [scan] },
  ]
  const spec = { name: 'in-turn', data, phases: [{ name: 'mixed', stopAfter: { seconds: 2.4 }, loads }] }
  const result = await run(spec as unknown as SpecInput, { uri: server.uri })
  const [reading = fail('no load'), job = fail('no load')] = result.variants[0]?.phases ?? []
  const { windows, parallel } = reading
  expect(parallel?.alternating).toBe('job')
  expect(windows.map(({ at }) => at)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
  expect(windows.filter(({ purpose }) => purpose === 'with')).toHaveLength(6)
  expect(windows.reduce((sum, { ok }) => sum + ok, 0)).toBe(reading.operations[0]?.ok)
  expect(job.windows).toEqual([])
  expect(job.operations[0]?.ok).toBeGreaterThan(0)
  const { markdown } = report(result)
  expect(markdown).toMatch(/\| readers \| Throughput \(ops\/s\) \| .* \|/)
})

test('a threshold of one load that can no longer hold ends all of them', async () => {
  await using place = await workplace()

  const spec = {
    name: 'ends-all',
    data,
    phases: [
      {
        name: 'mixed',
        stopAfter: { seconds: 60 },
        // No server divides by 0.
        loads: [
          readers,
          { name: 'failing', operations: [{ kind: 'find', collection: 'items', filter: { group: { $mod: [0, 0] } } }] },
        ],
      },
    ],
    thresholds: [{ holds: 'failing.errors == 0', abort: true }],
  }
  const { code } = await place.run(['run', await place.spec(spec), '--uri', server.uri])
  expect(code).toBe(5)
  const { variants } = await place.result('ends-all')
  expect(variants[0]?.phases.map(({ name }) => name)).toEqual(['readers', 'failing'])
  expect(variants[0]?.phases.map(({ endedBecause }) => endedBecause)).toContain('aborted')
})
