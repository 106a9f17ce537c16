import { describe, expect, test } from 'vitest'
import { noPart } from '../../../src/load/measure/phase-part.ts'
import { type PartOf } from '../../../src/load/part-sink.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { type RateStep } from '../../../src/results/schema/rate.ts'
import { findRate, type MeasureStep } from '../../../src/run/rate/find-rate.ts'
import { planRateStep } from '../../../src/spec/plan/rate-steps.ts'
import { type PhaseSpec } from '../../../src/spec/schema/phase-schema.ts'
import { aPhase, oneRow } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'
import { fakeOpenLoop } from '../../fakes/fake-phase-result.ts'
import { fakeLatency, fakeMember, fakePhase } from '../../fakes/fake-result.ts'

const search = { kind: 'findRate', holds: ['responseP99Ms < 10', 'errors == 0'], from: 100, to: 1600 }

function phaseWith(load: object = {}): PhaseSpec {
  const { spec } = oneRow({ phases: [aPhase({ load: { ...search, ...load }, stopAfter: undefined })] })
  return spec.phases[0] ?? fail('no phase')
}

const rateIn = ({ load }: PhaseSpec): number => (load.kind === 'open' ? (load.ratePerSecond ?? 0) : 0)

/** The figures of a step whose response p99 is so long. */
const measured = (p99Ms: number, given: Partial<PhaseResult> = {}): PhaseResult => {
  const { count: _, ...latency } = fakeLatency(Array.from({ length: 1000 }, () => p99Ms))
  const openLoop = fakeOpenLoop({ response: { ...latency, count: 1000 } })
  return fakePhase({ name: 'read at some rate', load: 'open', wallSeconds: 100, openLoop, warnings: [], ...given })
}

/** Runs a search on a server whose p99 depends on the rate. */
async function searched(
  resultAt: (rate: number, step: PhaseSpec) => PhaseResult,
  load: object = {},
  during: (of: Parameters<MeasureStep>, interrupt: AbortController) => void = () => {},
) {
  const phase = phaseWith(load)
  if (phase.load.kind !== 'findRate') return fail('no search')
  const interrupt = new AbortController()
  const planned: PhaseSpec[] = []
  const reported: RateStep[] = []
  const { isLast, results } = await findRate(phase, phase.load, {
    signal: interrupt.signal,
    server: null,
    measure: async (...given) => {
      const [step, signal] = given
      planned.push(step)
      during(given, interrupt)
      const measuredPhase = resultAt(rateIn(step), step)
      const ended = signal.aborted ? { ...measuredPhase, endedBecause: 'aborted' as const } : measuredPhase
      return { isLast: signal.aborted, operations: ended.operations, results: [Promise.resolve(ended)] }
    },
    onStep: (step) => void reported.push(step),
  })
  const [found] = await Promise.all(results)
  return { planned, reported, isLast, phase: found ?? fail('no phase') }
}

const upTo = (limit: number) => (rate: number) => measured(rate <= limit ? 2 : 50)

describe('a search for a rate under limits', () => {
  test('shows the figures of its confirming step under the name of the phase, with all steps', async () => {
    const { phase, reported, isLast } = await searched((rate) => measured(rate <= 500 ? rate / 100 : 50))
    const { rate } = phase
    expect(phase).toMatchObject({ name: 'read', load: 'findRate', endedBecause: 'seconds' })
    expect(rate).toMatchObject({ confirmed: true, holds: search.holds })
    expect(rate?.steps).toEqual(reported)
    const last = rate?.steps.at(-1)
    expect(last).toMatchObject({ ratePerSecond: rate?.ratePerSecond, purpose: 'confirm', held: true })
    expect(phase.openLoop?.response?.p99Ms).toBe(last?.response?.p99Ms)
    expect(last?.limits).toEqual([
      { limit: 'responseP99Ms < 10', measured: expect.closeTo((rate?.ratePerSecond ?? 0) / 100, 1), held: true },
      { limit: 'errors == 0', measured: 0, held: true },
    ])
    expect(isLast).toBe(false)
  })

  test('makes steps long enough for their percentile, and the last one twice as long', async () => {
    const { planned } = await searched(upTo(1600))
    const seconds = planned.map(({ stopAfter }) => stopAfter?.seconds ?? 0)
    // A p99 needs 1000 samples, and 5 times the square root for chance.
    expect(seconds.map((each) => Math.round(each * 10) / 10)).toEqual([11.6, 5.8, 5, 5, 5, 10])
    expect(planned.map(({ name }) => name).slice(-2)).toEqual(['read at 1,600/s', 'read at 1,600/s to confirm'])
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
    const { stopAfter } = planRateStep(phase, phase.load as never, { ratePerSecond: 20, purpose: 'step' })
    // 20 samples and a margin, of a tenth of the calls.
    expect(stopAfter?.seconds).toBeCloseTo((20 + 5 * Math.sqrt(20)) / 2, 5)
  })

  test('a step that dropped calls, or was not kept up with, misses whatever its limits', async () => {
    const dropping = await searched(() => measured(2, { openLoop: fakeOpenLoop({ dropped: 1 }) }))
    expect(dropping.phase.rate).toMatchObject({ ratePerSecond: null, high: 100 })
    const behind = await searched(() => ({ ...measured(2), wallSeconds: 110 }))
    expect(behind.phase.rate).toMatchObject({ ratePerSecond: null, high: 100 })
  })

  test('names what limits each step, and not the rate that it offers itself', async () => {
    const totals = { hostCpuBusyMs: 199_000, hostCpuTotalMs: 200_000, processCpuUs: 190_000_000 }
    const busy = (rate: number) => ({ ...upTo(400)(rate), members: [fakeMember({ totals })] })
    const { phase } = await searched((rate) => (rate > 400 ? busy(rate) : upTo(400)(rate)))
    const { steps = [] } = phase.rate ?? {}
    expect(steps.find(({ held }) => held)?.limitedBy).toBeNull()
    expect(steps.find(({ held }) => !held)?.limitedBy).toSay('rate-limited-by')
  })

  test.for([
    ['calls pile up', { inFlight: 256, dropped: 4000, failed: 0 }],
    ['a call fails where none may', { inFlight: 1, dropped: 0, failed: 1 }],
  ] as const)('ends a step early as soon as %s', async ([, { inFlight, dropped, failed }]) => {
    const { phase } = await searched(upTo(400), {}, ([step, , sink]) => {
      if (rateIn(step) <= 400) return
      const none = noPart({ operations: [{ name: 'findOne' } as never], keepSamples: 0 })
      const [operation = fail('no operation')] = none.operations
      const latency = { ...operation.calls.latency, ...(failed > 0 && { failed: { count: failed } as never }) }
      const changed = [{ ...operation, calls: { ...operation.calls, latency } }]
      const part = { ...none, operations: changed, arrivals: { planned: [1000], dropped: [dropped] } }
      sink(part, { pass: 'warm-up', inFlight } as PartOf)
      sink(part, { pass: 'measured', inFlight } as PartOf)
    })
    const { steps = [] } = phase.rate ?? {}
    expect(steps.filter(({ endedEarly }) => endedEarly).map(({ ratePerSecond }) => ratePerSecond)).toEqual(
      steps.filter(({ held }) => !held).map(({ ratePerSecond }) => ratePerSecond),
    )
    expect(phase.rate?.confirmed).toBe(true)
  })

  test('an abort keeps the steps that are done, and ends the row', async () => {
    const { phase, isLast } = await searched(upTo(1600), {}, ([step], interrupt) => {
      if (rateIn(step) === 400) interrupt.abort()
    })
    expect(isLast).toBe(true)
    expect(phase).toMatchObject({ endedBecause: 'aborted', rate: { ratePerSecond: null, low: 200, high: null } })
    expect(phase.rate?.steps.map(({ ratePerSecond }) => ratePerSecond)).toEqual([100, 200])
  })
})
