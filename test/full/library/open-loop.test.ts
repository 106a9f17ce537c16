import { decodeFromCompressedBase64 } from 'hdr-histogram-js'
import { beforeAll, expect, inject, test } from 'vitest'
import { startTestMongod, type TestMongod } from '../../../bench/start/mongod.ts'
import { systemClock } from '../../../src/core/clock.ts'
import {
  defineSpec,
  run,
  type Result,
  type RunEvent,
  type SpecInput,
  thresholdVerdicts,
} from '../../../src/entries/index.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { type Latency } from '../../../src/results/schema/latency.ts'
import { fail } from '../../fakes/fail.ts'

let server: TestMongod

beforeAll(async () => {
  server = await startTestMongod(inject('mongodPath'))
  return () => server[Symbol.asyncDispose]()
})

const items = { collection: 'items', rows: 100, document: { _id: { '@row': {} }, n: 0 } } as const
const readOne = { kind: 'findOne', filter: { _id: { '@key': {} } } } as const

type PhaseInput = Readonly<Record<string, unknown>>

const specOf = (name: string, phase: PhaseInput, more: object = {}): SpecInput =>
  defineSpec({ name, data: items, phases: [{ name: 'traffic', operations: [readOne], ...phase }], ...more })

const phaseOf = ({ variants }: Result): PhaseResult => variants[0]?.phases[0] ?? fail('no phase')

const pauseMs = 1400

async function freezeForAWhile(): Promise<void> {
  await server.freeze()
  await systemClock.sleep(pauseMs)
  server.thaw()
}

/** Runs a spec against the server, which is frozen for a while in the middle of the timed window. */
async function measureThroughPause(spec: SpecInput): Promise<Result> {
  let pause: Promise<void> | undefined
  const onProgress = (event: RunEvent): void => {
    if (event.kind === 'phase' && event.progress.elapsedMs > 1000) pause ??= freezeForAWhile()
  }
  try {
    const result = await run(spec, { uri: server.uri, onProgress })
    await pause
    expect(pause).toBeDefined()
    return result
  } finally {
    server.thaw()
  }
}

/** How many of these times are longer. */
function longerThan(ms: number, { histogram, count }: Latency): number {
  const decoded = decodeFromCompressedBase64(histogram ?? fail('no histogram'))
  let upTo = 0
  // Found by halving: shares of a histogram only rise.
  for (let step = 50; step > 1e-6; step /= 2) if (decoded.getValueAtPercentile(upTo + step) / 1000 <= ms) upTo += step
  return Math.round((1 - upTo / 100) * count)
}

test('a pause of the server is in the response times of an open loop, for every call that was due', async () => {
  const load = { kind: 'open', ratePerSecond: 200, arrivals: 'constant', maxInFlight: 1000 }
  const spec = specOf('open-pause', { load, stopAfter: { seconds: 5 } })
  const { openLoop, operations } = phaseOf(await measureThroughPause(spec))
  const response = openLoop?.response ?? fail('Nothing was answered')
  expect(openLoop).toMatchObject({ planned: 1000, sent: 1000, dropped: 0 })
  expect(operations[0]).toMatchObject({ ok: 1000, openLoop: { response: { count: 1000 } } })
  // Those that were due in its first 900 ms waited for at least 500 ms: 180 at 200 a second.
  expect(longerThan(450, response)).toBeGreaterThanOrEqual(180)
  expect(response.maxMs).toBeGreaterThanOrEqual(pauseMs - 50)
  expect(response.p99Ms).toBeGreaterThanOrEqual(1000)
  expect(openLoop?.peakInFlight).toBeGreaterThanOrEqual(250)
})

test('a closed loop of as many reads has it once for each worker', async () => {
  const load = { kind: 'closed', workers: 4 }
  const spec = specOf('closed-pause', { load, stopAfter: { seconds: 5 } })
  const { openLoop, operations } = phaseOf(await measureThroughPause(spec))
  const service = operations[0]?.latency.ok ?? fail('Nothing was answered')
  expect(openLoop).toBeNull()
  expect(operations[0]?.openLoop).toBeNull()
  expect(service.maxMs).toBeGreaterThanOrEqual(pauseMs - 50)
  // And once more for every pause that the machine makes of its own; an open loop would have counted 80 for this one alone.
  expect(longerThan(1000, service)).toBeLessThanOrEqual(20)
})

test('calls that find no place are dropped, and a threshold tells', async () => {
  const load = { kind: 'open', ratePerSecond: 200, maxInFlight: 5 }
  const thresholds = ['traffic.dropped == 0', 'traffic.peakInFlight <= 5', 'errors == 0']
  const result = await measureThroughPause(specOf('dropped', { load, stopAfter: { seconds: 5 } }, { thresholds }))
  const { openLoop, warnings } = phaseOf(result)
  expect(openLoop?.dropped).toBeGreaterThan(100)
  expect(openLoop?.planned).toBe((openLoop?.sent ?? 0) + (openLoop?.dropped ?? 0))
  // Beside other programs it is not judged, but it never holds.
  const unmet = thresholdVerdicts(result).filter(({ verdict }) => verdict !== 'held')
  expect(unmet.map(({ threshold }) => threshold)).toContain('traffic.dropped == 0')
  expect(warnings.map(({ code }) => code)).toContain('calls-dropped')
})

const inserts = (seed: number): SpecInput =>
  defineSpec({
    name: 'stages',
    seed,
    data: { collection: 'items', document: { _id: { '@row': {} }, n: { '@int': {} } } },
    phases: [
      {
        name: 'traffic',
        load: {
          kind: 'open',
          arrivals: 'constant',
          // As many as there are calls in all: a machine that pauses has none of them dropped.
          maxInFlight: 100,
          stages: [
            { seconds: 0.5, ratePerSecond: 0, toRatePerSecond: 60, measured: false },
            { seconds: 1, ratePerSecond: 60 },
            { seconds: 0.5, ratePerSecond: 60, toRatePerSecond: 0, measured: false },
          ],
        },
        operations: [{ kind: 'insertOne' }],
      },
    ],
  })

test('stages that are not measured send their calls too, and what is measured is drawn from the seed', async () => {
  const digests = []
  for (const seed of [1, 1, 2]) {
    const phase = phaseOf(await run(inserts(seed), { uri: server.uri }))
    expect(phase).toMatchObject({ load: 'open', endedBecause: 'seconds', littlesLaw: null, workers: 100 })
    expect(phase.openLoop).toMatchObject({ planned: 60, sent: 60, dropped: 0, ratePerSecond: 60 })
    expect(phase.operations[0]).toMatchObject({ ok: 60, inserted: 60 })
    digests.push(phase.digest)
  }
  expect(digests[1]).toBe(digests[0])
  expect(digests[2]).not.toBe(digests[0])
})

test('an abort in the middle gives a result of what was done', async () => {
  const stop = new AbortController()
  // Room for five seconds, so that no pause of the machine has a call dropped before the abort.
  const load = { kind: 'open', ratePerSecond: 20, maxInFlight: 100 }
  const result = await run(specOf('aborted-open', { load, stopAfter: { seconds: 600 } }), {
    uri: server.uri,
    signal: stop.signal,
    onProgress: ({ kind }) => {
      if (kind === 'phase') stop.abort()
    },
  })
  expect(result.status).toBe('aborted')
  expect(phaseOf(result)).toMatchObject({ endedBecause: 'aborted', openLoop: { dropped: 0 } })
  expect(phaseOf(result).openLoop?.sent).toBeGreaterThan(0)
})

test('the spec that ships runs', async () => {
  // More than the calls of all stages, about 1,400: a machine that pauses has none of them dropped.
  const set = { maxInFlight: 3000 }
  const result = await run('fixtures/specs/open-loop.json', { profile: 'smoke', set, uri: server.uri })
  expect(result.status).toBe('done')
  expect(phaseOf(result)).toMatchObject({
    endedBecause: 'seconds',
    openLoop: { arrivals: 'poisson', ratePerSecond: 250, dropped: 0 },
  })
})
