import { expect, test } from 'vitest'
import { createLocalUnit } from '../../src/load/local-unit.ts'
import { type PhasePlan, type StopAfter } from '../../src/load/plan/plan.ts'
import { createShares } from '../../src/load/plan/share.ts'
import { fakeEngine, fakePhase, fakeSource, okOutcome } from '../fakes/fake-calls.ts'
import { virtualTime } from '../fakes/virtual-time.ts'

/** Runs one unit of workers that pause after each call of 10 ms, by default for 1 s. */
async function pausing({
  stopAfter,
  stopsAtMs,
  pauseMs = 1000,
  ...plan
}: Partial<PhasePlan> & { stopAfter: StopAfter; stopsAtMs?: number; pauseMs?: number }) {
  const { clock, run } = virtualTime()
  const sentMs: number[] = []
  const timedMs: number[] = []
  const phase = fakePhase({
    ...plan,
    stopAfter,
    calls: (_, budget) => ({ ...fakeSource(1, budget), pauseMs: () => pauseMs }),
  })
  const engine = {
    ...fakeEngine(),
    send(_: unknown, done: (outcome: ReturnType<typeof okOutcome>) => void) {
      sentMs.push(clock.now())
      void clock.sleep(10).then(() => done(okOutcome()))
    },
  }
  const [share = { index: 0, of: 1 }] = createShares(1)
  const unit = createLocalUnit({ phase, share, dataSets: [], engine, clock, evidence: [] })
  if (stopsAtMs !== undefined) void clock.sleep(stopsAtMs).then(() => unit.stop('aborted'))
  const request = {
    pass: 'measured',
    stopAfter,
    workers: phase.workers,
    startMs: 0,
    windowStartMs: 0,
    firstRows: [],
    goesOn: false,
  } as const
  const [ended] = await run(() =>
    unit.run(request, ({ recorded }) =>
      timedMs.push(
        ...recorded.operations.flatMap(({ calls }) =>
          calls.latency.ok === undefined ? [] : calls.latency.ok.maxUs / 1000,
        ),
      ),
    ),
  )
  return { sentMs, timedMs, ended, endMs: clock.now() }
}

test('a worker pauses from the answer of a call to its next one, and the pause is not timed', async () => {
  const { sentMs, timedMs } = await pausing({ stopAfter: { operations: 3 } })
  expect(sentMs).toEqual([500, 1510, 2520])
  expect(new Set(timedMs)).toEqual(new Set([10]))
})

test('workers are in the course of their pauses when they begin', async () => {
  const { sentMs } = await pausing({ workers: 4, stopAfter: { operations: 4 } })
  expect(sentMs).toEqual([125, 375, 625, 875])
})

test('a rate and pauses hold workers back together', async () => {
  const load = { kind: 'closed', maxRatePerSecond: 0.5 } as const
  expect((await pausing({ load, stopAfter: { operations: 3 } })).sentMs).toEqual([500, 2000, 4000])
})

test('the end of the window and an abort end a pause, and no call is made for it', async () => {
  const timely = await pausing({ stopAfter: { seconds: 2 } })
  expect([timely.sentMs, timely.ended?.endedBecause, timely.endMs]).toEqual([[500, 1510], 'seconds', 2000])
  const aborted = await pausing({ stopAfter: { seconds: 60 }, stopsAtMs: 1600 })
  expect([aborted.sentMs, aborted.ended?.endedBecause]).toEqual([[500, 1510], 'aborted'])
  expect(aborted.endMs).toBeLessThan(2000)
})

test('workers that all pause for longer than a failing phase may last have not failed', async () => {
  const { ended, endMs } = await pausing({ pauseMs: 200_000, stopAfter: { operations: 3 } })
  expect([ended?.endedBecause, endMs > 400_000]).toEqual(['operations', true])
})
