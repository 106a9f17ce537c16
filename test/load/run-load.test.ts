import { describe, expect, test } from 'vitest'
import { emptyReply, type Outcome } from '../../src/load/engines/engine.ts'
import { createLocalUnit } from '../../src/load/local-unit.ts'
import { type PartSink } from '../../src/load/part-sink.ts'
import { type StopAfter } from '../../src/load/plan/plan.ts'
import { createShares } from '../../src/load/plan/share.ts'
import { type Progress, progressSink } from '../../src/load/progress.ts'
import { runLoad } from '../../src/load/run-load.ts'
import { digestOf, failedOutcome, fakeEngine, fakePhase, fakeSource, okOutcome } from '../fakes/fake-calls.ts'
import { callsOf, runHere } from '../fakes/run-here.ts'
import { stillClock } from '../fakes/still-clock.ts'
import { virtualTime } from '../fakes/virtual-time.ts'

function setUp({
  stopAfter = { operations: 10 },
  warmup,
  takesMs = 5,
}: { stopAfter?: StopAfter; warmup?: StopAfter; takesMs?: number } = {}) {
  const clock = stillClock(1000)
  const engine = fakeEngine(() => {
    clock.advance(takesMs)
    return okOutcome()
  })
  const passes: string[] = []
  const phase = fakePhase({
    stopAfter,
    warmup,
    calls(pass, budget) {
      passes.push(pass)
      return fakeSource(1, budget)
    },
  })
  return { clock, engine, passes, options: { phase, engine, clock } }
}

test('the connections stand ready before the first call', async () => {
  const { options, engine } = setUp()
  let sentAtWarmUp: number | undefined
  const warmUp = async (): Promise<void> => void (sentAtWarmUp = engine.sent)
  await runHere({ ...options, engine: { ...engine, send: engine.send, warmUp } })
  expect(sentAtWarmUp).toBe(0)
  expect(engine.sent).toBe(10)
})

test('warm-up calls have a source of their own and are not in the result', async () => {
  const { options, engine, passes } = setUp({ warmup: { operations: 4 } })
  const run = await runHere(options)
  expect(passes).toEqual(['warm-up', 'measured'])
  expect(engine.sent).toBe(14)
  expect(run.operations[0]?.ok).toBe(10)
  expect(run).toMatchObject({ digest: digestOf(10), startMs: 1020, wallSeconds: 0.05 })
})

test('the hooks run outside of the window, and it opens only when the first has finished', async () => {
  const { options, clock } = setUp({ warmup: { seconds: 0.01 } })
  const starts: number[] = []
  const run = await runHere({
    ...options,
    async onWindowOpens() {
      await Promise.resolve()
      clock.advance(500)
    },
    onStart: (startMs) => void starts.push(startMs),
    onWindowCloses: async () => clock.advance(700),
  })
  expect(starts).toEqual([1000 + 10 + 500])
  expect(run).toMatchObject({ startMs: 1510, endMs: 1560, startedAt: new Date(1510) })
})

test('transactions that are aborted on purpose are answers, and do not end it', async () => {
  const { options } = setUp({ stopAfter: { operations: 30 } })
  const engine = fakeEngine(() => ({ kind: 'aborted', reason: 'overdraft', reply: emptyReply }))
  const run = await runHere({ ...options, engine })
  expect(run.endedBecause).toBe('operations')
  expect(callsOf(run)).toBe(30)
})

test('it says why it ended', async () => {
  const { options, clock } = setUp({ stopAfter: { seconds: 60 } })
  const engine = fakeEngine(() => {
    clock.advance(5)
    return failedOutcome()
  })
  const run = await runHere({ ...options, engine })
  expect(run.endedBecause).toBe('everything failed')
  expect(callsOf(run)).toBe(20)
})

test('a phase that is aborted before it begins sends nothing', async () => {
  const { options, engine } = setUp({ warmup: { seconds: 1 } })
  const run = await runHere({ ...options, signal: AbortSignal.abort() })
  expect(engine.sent).toBe(0)
  expect(run).toMatchObject({ endedBecause: 'aborted', wallSeconds: 0, operations: [{ ok: 0 }] })
})

test('a unit whose time to run is over sends no further call', async () => {
  const { options, engine, clock } = setUp({ stopAfter: { operations: 100 } })
  const run = await runHere({ ...options, mayGoOn: () => clock.now() < 1050 })
  expect(run.endedBecause).toBe('aborted')
  expect(engine.sent).toBe(10)
  expect(callsOf(run)).toBe(10)
})

/** Runs a phase of one worker whose calls take so long, and hands its parts to a sink. */
async function runWith(
  sink: PartSink,
  plan: { readonly stopAfter: StopAfter; readonly warmup?: StopAfter },
  answer: (number: number) => { readonly takesMs: number; readonly outcome?: Outcome },
): Promise<void> {
  const { clock, run } = virtualTime()
  let sent = 0
  const engine = fakeEngine()
  const send: typeof engine.send = (_call, done) => {
    const { takesMs, outcome = okOutcome() } = answer(sent)
    sent += 1
    void clock.sleep(takesMs).then(() => done(outcome))
  }
  await run(() => runHere({ phase: fakePhase(plan), engine: { ...engine, send }, clock, sinks: [sink] }))
}

describe('a sink', () => {
  test('is handed the calls that wait for their answers', async () => {
    const waiting: number[] = []
    await runWith(
      (_, { inFlight }) => void waiting.push(inFlight),
      { stopAfter: { seconds: 2 } },
      () => ({ takesMs: 300 }),
    )
    expect(waiting).toEqual([1, 1, 0])
  })

  test('learns once for each pass that it is over, whatever the number of units', async () => {
    const { clock, run } = virtualTime()
    const ends: (readonly [string, boolean])[] = []
    const phase = fakePhase({ warmup: { seconds: 1 }, stopAfter: { seconds: 2 }, workers: 3, threads: 3 })
    const engine = fakeEngine()
    const send: typeof engine.send = (_call, done) => void clock.sleep(10).then(() => done(okOutcome()))
    const units = createShares(3).map((share) =>
      createLocalUnit({ phase, share, dataSets: [], engine: { ...engine, send }, clock, evidence: [] }),
    )
    const sink: PartSink = (_, { pass, isLast }) => void ends.push([pass, isLast])
    const signal = new AbortController().signal
    await run(() => runLoad({ phase, units, dataSets: [], clock, signal, sinks: [sink] }))
    expect(ends.filter(([, isLast]) => isLast)).toEqual([
      ['warm-up', true],
      ['measured', true],
    ])
    expect(ends.at(-1)).toEqual(['measured', true])
  })
})

async function reports(stopAfter: StopAfter): Promise<Progress[]> {
  const progress: Progress[] = []
  const sink = progressSink((report) => void progress.push(report))
  await runWith(sink, { stopAfter, warmup: { seconds: 1.5 } }, () => ({ takesMs: 10 }))
  return progress
}

describe('progress', () => {
  test('comes once a second and at the end, in both passes', async () => {
    const progress = await reports({ seconds: 2.5 })
    const times = (pass: string) => progress.filter((report) => report.pass === pass).map(({ elapsedMs }) => elapsedMs)
    expect(times('warm-up')).toEqual([1000, 1500])
    expect(times('measured')).toEqual([1000, 2000, 2500])
  })

  test('says what was done, how fast, and how long it will take', async () => {
    const progress = await reports({ operations: 350 })
    expect(progress.at(-4)).toMatchObject({
      phase: 'phase',
      pass: 'measured',
      elapsedMs: 1000,
      p99Ms: 10,
      errors: 0,
    })
    expect(progress.at(-4)?.operations).toBeOneOf([99, 100])
    expect(progress.at(-4)?.fraction).toBeCloseTo(100 / 350, 2)
    expect(progress.at(-4)?.ratePerSecond).toBeCloseTo(100, -1)
    expect(progress.at(-4)?.etaSeconds).toBeCloseTo(2.5, 1)
    expect(progress.at(-1)).toMatchObject({ operations: 350, documents: 350, fraction: 1, etaSeconds: 0 })
  })

  test('counts errors, which are not in the p99', async () => {
    const progress: Progress[] = []
    const sink = progressSink((report) => void progress.push(report))
    await runWith(sink, { stopAfter: { operations: 10 } }, (number) =>
      number < 8 ? { takesMs: 20 } : { takesMs: 300, outcome: failedOutcome() },
    )
    expect(progress.at(-1)).toMatchObject({ operations: 10, errors: 2, p99Ms: 20 })
  })
})

test('a part comes early when a call fails, though no more than ten times a second', async () => {
  const times: number[] = []
  const sink: PartSink = (_, { nowMs }) => void times.push(nowMs)
  await runWith(sink, { stopAfter: { seconds: 0.95 } }, (number) => ({
    takesMs: 30,
    outcome: number >= 10 && number % 2 === 0 ? failedOutcome() : okOutcome(),
  }))
  expect(times.slice(0, 3)).toEqual([330, 450, 570])
})

test('parts that a listener refuses end the phase with what it threw', async () => {
  const bug = new Error('a bug')
  const sink: PartSink = () => {
    throw bug
  }
  await expect(runWith(sink, { stopAfter: { seconds: 60 } }, () => ({ takesMs: 10 }))).rejects.toBe(bug)
})
