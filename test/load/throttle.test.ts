import { describe, expect, test } from 'vitest'
import { closedLoop, type Throttle } from '../../src/load/loops/closed-loop.ts'
import { createLimits } from '../../src/load/loops/limits.ts'
import { type StopAfter } from '../../src/load/plan/plan.ts'
import { fakeSource, okOutcome } from '../fakes/fake-calls.ts'
import { virtualTime } from '../fakes/virtual-time.ts'

/** A closed loop held back to `rate` calls a second. Answers take as long as `takesMs` returns. */
function setUp({
  workers = 1,
  rate = 100,
  stopAfter,
  takesMs = () => 1,
  signal = new AbortController().signal,
}: {
  workers?: number
  rate?: number
  stopAfter: StopAfter
  takesMs?: (sentMs: number) => number
  signal?: AbortSignal
}) {
  const time = virtualTime()
  const { clock } = time
  const source = fakeSource(1, stopAfter)
  const limits = createLimits({
    stopAfter,
    budgetUsedUp: source.endedBecause,
    workers,
    deadlineMs: 1000,
    startMs: 0,
    signal,
  })
  const sentMs: number[] = []
  const throttle: Throttle = {
    dueMs: ({ number, calls }) => ((calls * workers + number) * 1000) / rate,
    endMs: (stopAfter.seconds ?? Infinity) * 1000,
    signal,
    noteIdle: limits.noteIdle,
  }
  const run = () =>
    time.run(() =>
      closedLoop({
        workers,
        startMs: 0,
        clock,
        isOver: limits.isOver,
        next: source.next,
        send(_call, done) {
          sentMs.push(clock.now())
          void clock.sleep(takesMs(clock.now())).then(() => done(okOutcome()))
        },
        record: (_call, _sentMs, endMs) => limits.answered(true, endMs),
        throttle,
      }),
    )
  return { clock, limits, sentMs, run }
}

describe('a throttled closed loop', () => {
  test.each([1, 2, 5])('sends its calls at the rate, in turns of %i workers', async (workers) => {
    const { sentMs, run } = setUp({ workers, stopAfter: { operations: 6 } })
    await run()
    expect(sentMs).toEqual([0, 10, 20, 30, 40, 50])
  })

  test('a worker waits for its answer, and then catches up', async () => {
    const { sentMs, run } = setUp({ stopAfter: { operations: 6 }, takesMs: (at) => (at === 10 ? 25 : 1) })
    await run()
    expect(sentMs).toEqual([0, 10, 35, 36, 40, 50])
  })

  test('is no faster than its answers', async () => {
    const { sentMs, run } = setUp({ stopAfter: { operations: 4 }, takesMs: () => 30 })
    await run()
    expect(sentMs).toEqual([0, 30, 60, 90])
  })

  test('ends with the last answer, and no worker sleeps on', async () => {
    const { clock, run, limits } = setUp({ workers: 10, rate: 1, stopAfter: { operations: 3 } })
    expect(await run()).toBe(2001)
    expect(clock.now()).toBe(2001)
    expect(limits.endedBecause()).toBe('operations')
  })

  test('ends at its time, between two calls', async () => {
    const { clock, run, sentMs, limits } = setUp({ rate: 0.5, stopAfter: { seconds: 3 } })
    expect(await run()).toBe(2001)
    expect(sentMs).toEqual([0, 2000])
    expect(clock.now()).toBe(3000)
    expect(limits.endedBecause()).toBe('seconds')
  })

  test('wakes up when it is aborted', async () => {
    const stop = new AbortController()
    const { clock, run, limits } = setUp({ rate: 0.01, stopAfter: { operations: 10 }, signal: stop.signal })
    const running = run()
    stop.abort('aborted')
    await running
    expect(clock.now()).toBeLessThan(100)
    expect(limits.endedBecause()).toBe('aborted')
  })

  test('a pause in which no call was due is no outage', async () => {
    const { sentMs, run, limits } = setUp({ rate: 0.005, stopAfter: { operations: 3 } })
    await run()
    expect(sentMs).toEqual([0, 200_000, 400_000])
    expect(limits.endedBecause()).toBe('operations')
  })
})
