import { describe, expect, test } from 'vitest'
import { orderPairs } from '../../../src/load/courses/alternate.ts'
import { createLocalUnit } from '../../../src/load/local-unit.ts'
import { createMeeting } from '../../../src/load/meeting.ts'
import { type ParallelPlan, type PhasePlan } from '../../../src/load/plan/plan.ts'
import { wholePhase } from '../../../src/load/plan/share.ts'
import { type LoadRun, runLoad } from '../../../src/load/run-load.ts'
import { fakeEngine, fakePhase, fakeSource, failedOutcome, okOutcome } from '../../fakes/fake-calls.ts'
import { virtualTime } from '../../fakes/virtual-time.ts'

describe('a meeting', () => {
  test('goes on when all have come, from the time at which the last of them is ready', async () => {
    const { meet } = createMeeting(2)
    const first = meet(30)
    const second = meet(10)
    expect(await Promise.all([first, second])).toEqual([30, 30])
    expect(await Promise.all([meet(1), meet(2)])).toEqual([2, 2])
  })

  test('does not wait for a load that has ended', async () => {
    const { meet, leave } = createMeeting(3)
    const waiting = Promise.all([meet(1), meet(2)])
    leave()
    expect(await waiting).toEqual([2, 2])
    leave()
    expect(await meet(7)).toBe(7)
  })
})

test('each pair has a pass with and one without the load, in an order that the seed draws', () => {
  const isOn = orderPairs(200, 42, 'phases.mixed')
  const firsts = isOn.filter((_, i) => i % 2 === 0)
  for (const [i, first] of firsts.entries()) expect(isOn[2 * i + 1]).toBe(!first)
  expect(firsts.filter(Boolean).length).toBeGreaterThan(70)
  expect(firsts.filter(Boolean).length).toBeLessThan(130)
  expect(orderPairs(200, 42, 'phases.mixed')).toEqual(isOn)
  expect(orderPairs(200, 43, 'phases.mixed')).not.toEqual(isOn)
})

type Sent = { readonly load: string; readonly atMs: number }

/** Runs loads at the same time in one thread; each call takes so long. */
async function runTogether(
  loads: readonly (Partial<PhasePlan> & {
    readonly takesMs: number
    readonly parallel: ParallelPlan
    fails?: boolean
  })[],
) {
  const { clock, run } = virtualTime()
  const sent: Sent[] = []
  const together = createMeeting(loads.length)
  const runs = await run(() =>
    Promise.all(
      loads.map(async ({ takesMs, fails = false, ...plan }) => {
        const source = fakeSource()
        const phase = fakePhase({ stopAfter: { seconds: 1 }, calls: () => source, ...plan })
        const engine = fakeEngine(async () => {
          sent.push({ load: phase.name, atMs: clock.now() })
          await clock.sleep(takesMs)
          return fails ? failedOutcome() : okOutcome()
        })
        const unit = createLocalUnit({ phase, share: wholePhase, dataSets: [], engine, clock, evidence: [] })
        const signal = new AbortController().signal
        return await runLoad({ phase, units: [unit], dataSets: [], clock, signal, together }).finally(together.leave)
      }),
    ),
  )
  return { runs, sent, timesOf: (load: string) => sent.filter((one) => one.load === load).map(({ atMs }) => atMs) }
}

const place = (given: Partial<ParallelPlan> = {}): ParallelPlan => ({ phase: 'mixed', fromSeconds: 0, ...given })
const okIn = (run: LoadRun | undefined): number | undefined => run?.operations[0]?.ok

test('loads begin together after the longest warm-up, each at its time, and end at theirs', async () => {
  const { runs, timesOf } = await runTogether([
    { name: 'readers', takesMs: 10, parallel: place(), warmup: { seconds: 0.5 } },
    { name: 'late', takesMs: 100, parallel: place({ fromSeconds: 0.6 }), stopAfter: { seconds: 0.4 } },
  ])
  expect(timesOf('late')).toEqual([1100, 1200, 1300, 1400])
  expect(runs.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [500, 1500],
    [1100, 1500],
  ])
  expect(runs.map(okIn)).toEqual([100, 4])
})

describe('while a load is on and off in turn', () => {
  const alternation = { load: 'job', seconds: 0.1, isOn: [false, true, true, false] }

  test('each pass begins when all calls of the one before have been answered', async () => {
    const { runs, timesOf } = await runTogether([
      { name: 'readers', takesMs: 5, parallel: place({ alternation }) },
      { name: 'job', takesMs: 80, parallel: place({ alternation }) },
    ])
    // The first pass takes 115 ms with its lead-in; those with the job as long as two of its calls.
    expect(timesOf('job')).toEqual([115, 195, 275, 355])
    const [readers, job] = runs
    expect(readers?.windows.map(({ at, purpose, ok, seconds }) => ({ at, purpose, ok, seconds }))).toEqual([
      { at: 0, purpose: 'without', ok: 20, seconds: 0.1 },
      { at: 0, purpose: 'with', ok: 20, seconds: 0.1 },
      { at: 1, purpose: 'with', ok: 20, seconds: 0.1 },
      { at: 1, purpose: 'without', ok: 20, seconds: 0.1 },
    ])
    expect(readers).toMatchObject({ wallSeconds: 0.4, endedBecause: 'seconds' })
    expect(okIn(readers)).toBe(80)
    expect(job).toMatchObject({ wallSeconds: 0.32, endedBecause: 'seconds' })
    expect(okIn(job)).toBe(4)
  })

  test('the seconds of a load follow each other without what lies between passes', async () => {
    const seconds = { load: 'job', seconds: 1, isOn: [true, false] }
    const { runs } = await runTogether([
      { name: 'readers', takesMs: 10, parallel: place({ alternation: seconds }) },
      { name: 'job', takesMs: 2500, parallel: place({ alternation: seconds }) },
    ])
    expect(runs[0]?.operations[0]?.perSecond.ok.slice(0, 2)).toEqual([99, 100])
  })

  test('a job of which everything fails does not keep the others', async () => {
    const { runs } = await runTogether([
      { name: 'readers', takesMs: 5, parallel: place({ alternation }) },
      { name: 'job', takesMs: 1, parallel: place({ alternation }), fails: true },
    ])
    expect(runs.map(({ endedBecause }) => endedBecause)).toEqual(['seconds', 'everything failed'])
    expect(runs[0]?.windows).toHaveLength(4)
  })
})
