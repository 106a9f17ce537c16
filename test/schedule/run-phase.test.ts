import { describe, expect, test } from 'vitest'
import { emptyReply } from '../../src/engines/engine.ts'
import { type StopAfter } from '../../src/plan/plan.ts'
import { type Progress } from '../../src/schedule/progress.ts'
import { runPhase } from '../../src/schedule/run-phase.ts'
import { failedOutcome, fakeEngine, fakePhase, fakeSource, okOutcome } from '../fakes/fake-calls.ts'
import { fakeClock } from '../fakes/fake-clock.ts'

function setUp({
  stopAfter = { operations: 10 },
  warmup,
  takesMs = 5,
}: { stopAfter?: StopAfter; warmup?: StopAfter; takesMs?: number } = {}) {
  const clock = fakeClock(1000)
  const engine = fakeEngine(() => {
    clock.advance(takesMs)
    return okOutcome()
  })
  const recorded: number[] = []
  const recorder = { start: () => {}, record: (_: unknown, startMs: number) => void recorded.push(startMs) }
  const passes: string[] = []
  const phase = fakePhase({
    stopAfter,
    warmup,
    calls(pass) {
      passes.push(pass)
      return fakeSource()
    },
  })
  const signal = new AbortController().signal
  return { clock, engine, recorded, passes, options: { phase, engine, clock, signal, recorder } }
}

test('the pool is warm before the first call', async () => {
  const { options, engine } = setUp()
  let sentAtWarmUp: number | undefined
  const warmUp = async (): Promise<void> => void (sentAtWarmUp = engine.sent)
  await runPhase({ ...options, engine: { ...engine, warmUp } })
  expect(sentAtWarmUp).toBe(0)
  expect(engine.sent).toBe(10)
})

test('warm-up calls have a source of their own and are not recorded', async () => {
  const { options, engine, recorded, passes } = setUp({ warmup: { operations: 4 } })
  const run = await runPhase(options)
  expect(passes).toEqual(['warm-up', 'measured'])
  expect(engine.sent).toBe(14)
  expect(recorded).toHaveLength(10)
  expect(run).toMatchObject({ digest: '10 calls', operations: 10, startMs: 1020, wallSeconds: 0.05 })
})

test('the hooks run outside of the window, and it opens only when the first has finished', async () => {
  const { options, clock, recorded } = setUp({ warmup: { seconds: 0.01 } })
  const run = await runPhase({
    ...options,
    async onWindowStart() {
      await Promise.resolve()
      clock.advance(500)
    },
    onWindowEnd: async () => clock.advance(700),
  })
  expect(recorded[0]).toBe(1000 + 10 + 500)
  expect(run).toMatchObject({ startMs: 1510, endMs: 1560, startedAt: new Date(1510) })
})

test('transactions that are aborted on purpose are answers, and do not end it', async () => {
  const { options, recorded } = setUp({ stopAfter: { operations: 30 } })
  const engine = fakeEngine(() => ({ kind: 'aborted', reason: 'overdraft', reply: emptyReply }))
  expect(await runPhase({ ...options, engine })).toMatchObject({ endedBecause: 'operations', operations: 30 })
  expect(recorded).toHaveLength(30)
})

test('it says why it ended', async () => {
  const { options, clock } = setUp({ stopAfter: { seconds: 60 } })
  const engine = fakeEngine(() => {
    clock.advance(5)
    return failedOutcome()
  })
  expect(await runPhase({ ...options, engine })).toMatchObject({ endedBecause: 'everything failed', operations: 20 })
})

test('a phase that is aborted before it begins sends nothing', async () => {
  const { options, engine } = setUp({ warmup: { seconds: 1 } })
  const run = await runPhase({ ...options, signal: AbortSignal.abort() })
  expect(engine.sent).toBe(0)
  expect(run).toMatchObject({ endedBecause: 'aborted', operations: 0, wallSeconds: 0 })
})

async function reports(stopAfter: StopAfter): Promise<Progress[]> {
  const progress: Progress[] = []
  const { options } = setUp({ stopAfter, warmup: { seconds: 1 }, takesMs: 10 })
  await runPhase({ ...options, onProgress: (report) => void progress.push(report) })
  return progress
}

describe('progress', () => {
  test('comes at most four times a second, in both passes', async () => {
    const progress = await reports({ seconds: 2 })
    const times = (pass: string) => progress.filter((report) => report.pass === pass).map(({ elapsedMs }) => elapsedMs)
    expect(times('warm-up')).toEqual([250, 500, 750, 1000])
    expect(times('measured')).toEqual([250, 500, 750, 1000, 1250, 1500, 1750, 2000])
  })

  test('tells what was done, how fast, and how long it will take', async () => {
    const progress = await reports({ operations: 100 })
    expect(progress.at(-4)).toEqual({
      phase: 'phase',
      pass: 'measured',
      operations: 25,
      documents: 25,
      elapsedMs: 250,
      fraction: 0.25,
      ratePerSecond: 100,
      p99Ms: 10.007,
      errors: 0,
      etaSeconds: 0.75,
    })
    expect(progress.at(-1)).toMatchObject({ fraction: 1, etaSeconds: 0 })
  })

  test('counts errors, which are not in the p99', async () => {
    const progress: Progress[] = []
    const { options, clock } = setUp({ stopAfter: { operations: 10 } })
    const engine = fakeEngine((number) => {
      const isOk = number < 8
      clock.advance(isOk ? 20 : 300)
      return isOk ? okOutcome() : failedOutcome()
    })
    await runPhase({ ...options, engine, onProgress: (report) => void progress.push(report) })
    expect(progress.at(-1)).toMatchObject({ operations: 10, errors: 2, p99Ms: expect.closeTo(20, 0) })
  })
})
