import { describe, expect, test } from 'vitest'
import { noPart } from '../../src/load/measure/phase-part.ts'
import { type PartOf } from '../../src/load/part-sink.ts'
import { type PhaseResult } from '../../src/results/schema.ts'
import { type WindowResult } from '../../src/results/schema/windows.ts'
import { type RunEvent } from '../../src/run/run-events.ts'
import { search as runSearch, type StepEnding } from '../../src/run/search.ts'
import { isSearch, planStep } from '../../src/spec/plan/search-steps.ts'
import { type PhaseSpec } from '../../src/spec/schema/phase-schema.ts'
import { aPhase, oneRow } from '../fakes/a-spec.ts'
import { fail } from '../fakes/fail.ts'
import { fakeLatency, fakeMember, fakeOpenLoop, fakeOperation, fakePhase } from '../fakes/fake-result.ts'

const search = { kind: 'findRate', holds: ['responseP99Ms < 10', 'errors == 0'], from: 100, to: 1600 }

function phaseWith(load: object = {}): PhaseSpec {
  const { spec } = oneRow({
    phases: [aPhase({ load: 'kind' in load ? load : { ...search, ...load }, stopAfter: undefined })],
  })
  return spec.phases[0] ?? fail('no phase')
}

const placeOf = ({ load }: PhaseSpec): number =>
  load.kind === 'open' ? (load.ratePerSecond ?? 0) : load.kind === 'closed' ? load.workers : 0

/** The figures of a step whose response p99 is so long. */
const measured = (p99Ms: number, given: Partial<PhaseResult> = {}): PhaseResult => {
  const { count: _, ...latency } = fakeLatency(Array.from({ length: 1000 }, () => p99Ms))
  const openLoop = fakeOpenLoop({ response: { ...latency, count: 1000 } })
  return fakePhase({ name: 'read at some rate', load: 'open', wallSeconds: 100, openLoop, warnings: [], ...given })
}

/** Runs a search on a server whose figures depend on the step. */
async function searched(
  resultAt: (place: number, step: PhaseSpec) => PhaseResult,
  load: object = {},
  during: (step: PhaseSpec, ending: StepEnding, interrupt: AbortController) => void = () => {},
) {
  const phase = phaseWith(load)
  const { load: given } = phase
  if (!isSearch(given)) return fail('no search')
  const interrupt = new AbortController()
  const planned: PhaseSpec[] = []
  const reported: WindowResult[] = []
  const row = {
    server: null,
    at: { label: '', number: 1, of: 1 },
    emit: (event: RunEvent) => void (event.kind === 'step' && reported.push(event.step)),
  }
  const { isLast, results } = await runSearch(
    { source: phase, signal: interrupt.signal },
    given,
    row,
    async (next, ending) => {
      const step = planStep(phase, given, next)
      planned.push(step)
      during(step, ending, interrupt)
      const measuredPhase = resultAt(placeOf(step), step)
      const ended = ending.signal.aborted ? { ...measuredPhase, endedBecause: 'aborted' as const } : measuredPhase
      return { isLast: ending.signal.aborted, operations: ended.operations, results: [Promise.resolve(ended)] }
    },
  )
  const [found] = await Promise.all(results)
  return { planned, reported, isLast, phase: found ?? fail('no phase') }
}

const upTo = (limit: number) => (rate: number) => measured(rate <= limit ? 2 : 50)

describe('a search for a rate under limits', () => {
  test('shows the figures of its confirming step under the name of the phase, with all steps', async () => {
    const { phase, reported, isLast } = await searched((rate) => measured(rate <= 500 ? rate / 100 : 50))
    const { windows, outcome } = phase
    expect(phase).toMatchObject({ name: 'read', load: 'findRate', endedBecause: 'seconds' })
    expect(outcome).toMatchObject({ confirmed: true, holds: search.holds })
    expect(windows).toEqual(reported)
    const last = windows.at(-1)
    expect(last).toMatchObject({ at: outcome?.found, purpose: 'confirm', held: true })
    expect(phase.openLoop?.response?.p99Ms).toBe(last?.latency?.p99Ms)
    expect(last?.limits).toEqual([
      { limit: 'responseP99Ms < 10', measured: expect.closeTo((outcome?.found ?? 0) / 100, 1), held: true },
      { limit: 'errors == 0', measured: 0, held: true },
    ])
    expect(isLast).toBe(false)
  })

  test('makes steps long enough for their percentile, and the last one twice as long', async () => {
    const { planned } = await searched(upTo(1600))
    const seconds = planned.map(({ stopAfter }) => stopAfter?.seconds ?? 0)
    // A p99 needs 1000 samples, and 5 times the square root for chance.
    expect(seconds.map((each) => Math.round(each * 10) / 10)).toEqual([11.6, 5.8, 5, 5, 5, 10])
    expect(planned.map(({ name }) => name).slice(-2)).toEqual(['read at 1600 ops/s', 'read at 1600 ops/s to confirm'])
  })

  test('gives the part of the calls that a limit is about its samples', () => {
    const operations = [
      { kind: 'findOne', weight: 9, filter: { _id: 1 } },
      { kind: 'insertOne', weight: 1 },
    ]
    const load = { ...search, holds: ['insertOne.p50Ms < 5'] }
    const { spec } = oneRow({ phases: [aPhase({ operations, load, stopAfter: undefined })] })
    const [phase = fail('no phase')] = spec.phases
    if (phase.load.kind !== 'findRate') fail('no search')
    const { stopAfter } = planStep(phase, phase.load, { at: 20, purpose: 'step' })
    // 20 samples and a margin, of a tenth of the calls.
    expect(stopAfter?.seconds).toBeCloseTo((20 + 5 * Math.sqrt(20)) / 2, 5)
  })

  test('a step that dropped calls, or was not kept up with, misses whatever its limits', async () => {
    const dropping = await searched(() => measured(2, { openLoop: fakeOpenLoop({ dropped: 1 }) }))
    expect(dropping.phase.outcome).toMatchObject({ found: null, high: 100 })
    const behind = await searched(() => ({ ...measured(2), wallSeconds: 110 }))
    expect(behind.phase.outcome).toMatchObject({ found: null, high: 100 })
  })

  test('names what limits each step, and not the rate that it offers itself', async () => {
    const totals = { hostCpuBusyMs: 199_000, hostCpuTotalMs: 200_000, processCpuUs: 190_000_000 }
    const busy = (rate: number) => ({ ...upTo(400)(rate), members: [fakeMember({ totals })] })
    const { phase } = await searched((rate) => (rate > 400 ? busy(rate) : upTo(400)(rate)))
    const { windows: steps } = phase
    expect(steps.find(({ held }) => held)?.limitedBy).toBeNull()
    expect(steps.find(({ held }) => !held)?.limitedBy).toSay('rate-limited-by')
  })

  test.for([
    ['calls pile up', { inFlight: 256, dropped: 4000, failed: 0 }],
    ['a call fails where none may', { inFlight: 1, dropped: 0, failed: 1 }],
  ] as const)('ends a step early as soon as %s', async ([, { inFlight, dropped, failed }]) => {
    const { phase } = await searched(upTo(400), {}, (step, { sinks: [sink = fail('no sink')] }) => {
      if (placeOf(step) <= 400) return
      const none = noPart({ operations: [{ name: 'findOne' } as never], keepSamples: 0 })
      const [operation = fail('no operation')] = none.operations
      const latency = { ...operation.calls.latency, ...(failed > 0 && { failed: { count: failed } as never }) }
      const changed = [{ ...operation, calls: { ...operation.calls, latency } }]
      const part = { ...none, operations: changed, arrivals: { planned: [1000], dropped: [dropped] } }
      sink(part, { pass: 'warm-up', inFlight } as PartOf)
      sink(part, { pass: 'measured', inFlight } as PartOf)
    })
    const { windows: steps } = phase
    expect(steps.filter(({ endedEarly }) => endedEarly).map(({ at }) => at)).toEqual(
      steps.filter(({ held }) => !held).map(({ at }) => at),
    )
    expect(phase.outcome?.confirmed).toBe(true)
  })

  test('an abort keeps the steps that are done, and ends the row', async () => {
    const { phase, isLast } = await searched(upTo(1600), {}, (step, _, interrupt) => {
      if (placeOf(step) === 400) interrupt.abort()
    })
    expect(isLast).toBe(true)
    expect(phase).toMatchObject({ endedBecause: 'aborted', outcome: { found: null, low: 200, high: null } })
    expect(phase.windows.map(({ at }) => at)).toEqual([100, 200])
  })
})

/** The figures of a step of so many successful calls per second. */
const atSpeed = (opsPerSecond: number, given: Partial<PhaseResult> = {}): PhaseResult =>
  fakePhase({ load: 'closed', wallSeconds: 10, operations: [fakeOperation({ ok: opsPerSecond * 10 })], ...given })

const climbing = { kind: 'findPeak', from: 1, to: 64, secondsPerStep: 2 }

describe('a search for the best number of workers', () => {
  test('shows the figures of its confirming step, which is twice as long', async () => {
    const { phase, planned, reported } = await searched((workers) => atSpeed(100 * Math.min(4, workers)), climbing)
    expect(planned.map(({ name }) => name)).toEqual([
      'read at 1 worker',
      'read at 2 workers',
      'read at 4 workers',
      'read at 8 workers',
      'read at 16 workers',
      'read at 4 workers to confirm',
    ])
    expect(planned.map(({ stopAfter }) => stopAfter?.seconds)).toEqual([2, 2, 2, 2, 2, 4])
    expect(phase).toMatchObject({ name: 'read', load: 'findPeak', operations: [{ ok: 4000 }] })
    expect(phase.outcome).toEqual({ holds: [], found: 4, low: 2, high: 8, confirmed: true })
    expect(phase.windows).toEqual(reported)
  })

  test('names what limits each step, and ends with the first that brings no more then', async () => {
    const totals = { hostCpuBusyMs: 199_000, hostCpuTotalMs: 200_000, processCpuUs: 190_000_000 }
    const busy = { members: [fakeMember({ totals })] }
    const { phase } = await searched(
      (workers) => atSpeed(100 * Math.min(4, workers), workers > 4 ? busy : {}),
      climbing,
    )
    expect(phase.windows.map(({ at }) => at)).toEqual([1, 2, 4, 8, 4])
    expect(phase.windows[3]?.limitedBy).toMatch(/^server CPU/)
  })

  test('ends with the step in which everything fails', async () => {
    const operations = [fakeOperation({ ok: 0, failed: 20 })]
    const { phase } = await searched(() => atSpeed(0, { endedBecause: 'everything failed', operations }), climbing)
    expect(phase).toMatchObject({ endedBecause: 'everything failed', outcome: { found: null } })
    expect(phase.windows).toMatchObject([{ at: 1, ok: 0, errors: 20 }])
  })

  test('keeps the steps that are whole when it is aborted', async () => {
    const { phase, isLast } = await searched(
      (workers) => atSpeed(100 * workers),
      climbing,
      (step, _, interrupt) => placeOf(step) === 4 && interrupt.abort(),
    )
    expect(isLast).toBe(true)
    expect(phase).toMatchObject({
      endedBecause: 'aborted',
      outcome: { found: 2, low: 1, high: null, confirmed: false },
    })
    expect(phase.windows.map(({ at }) => at)).toEqual([1, 2])
  })

  test('knows nothing when it is aborted before it begins', async () => {
    const { phase } = await searched(
      () => atSpeed(0),
      climbing,
      (_, __, interrupt) => interrupt.abort(),
    )
    expect(phase).toMatchObject({ endedBecause: 'aborted', windows: [], outcome: { found: null } })
  })
})

const shrinking = { kind: 'findCache', holds: ['responseP99Ms < 10'], from: 2000, to: 250, ratePerSecond: 100 }

const sizeIn = ({ name }: PhaseSpec): number => Number(/\d+/.exec(name)?.[0])

describe('a search for a cache', () => {
  test('makes the same load in each step, as long as its percentile needs, and fills the cache before', async () => {
    const { phase, planned } = await searched((_, step) => measured(sizeIn(step) < 600 ? 50 : 2), shrinking)
    expect(planned.slice(0, 4).map(({ name }) => name)).toEqual([
      'read at 2000 MB of cache',
      'read at 1000 MB of cache',
      'read at 500 MB of cache',
      'read at 500 MB of cache again',
    ])
    expect(planned.map(placeOf)).toEqual(planned.map(() => 100))
    expect(Math.round(planned[0]?.stopAfter?.seconds ?? 0)).toBe(12)
    const warm = { ...phaseWith(shrinking), warmup: { seconds: 20 } }
    if (!isSearch(warm.load)) fail('no search')
    expect(planStep(warm, warm.load, { at: 700, purpose: 'again' }).warmup).toEqual({ seconds: 20 })
    expect(phase.outcome).toMatchObject({ holds: ['responseP99Ms < 10'], confirmed: true })
    expect(phase.outcome?.found).toBeGreaterThanOrEqual(600)
  })
})
