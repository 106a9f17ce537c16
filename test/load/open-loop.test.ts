import { describe, expect, test } from 'vitest'
import { emptyReply, type Outcome } from '../../src/load/engines/engine.ts'
import { createLimits } from '../../src/load/loops/limits.ts'
import { openLoop } from '../../src/load/loops/open-loop.ts'
import { createArrivalTimes } from '../../src/load/plan/arrival-times.ts'
import { type StopAfter } from '../../src/load/plan/plan.ts'
import { failedOutcome, fakeSource, okOutcome } from '../fakes/fake-calls.ts'
import { virtualTime } from '../fakes/virtual-time.ts'

type Sent = { readonly plannedMs: number; readonly sentMs: number; readonly endMs: number }

/** An open loop of 100 calls a second with equal gaps. Answers take 5 ms. */
function setUp({
  stopAfter = { seconds: 1 },
  maxInFlight = 10,
  signal = new AbortController().signal,
  takesMs = () => 5,
  outcome = okOutcome,
  documentsPerCall = 1,
}: {
  stopAfter?: StopAfter
  maxInFlight?: number
  signal?: AbortSignal
  takesMs?: (sentMs: number) => number
  outcome?: () => Outcome
  documentsPerCall?: number
} = {}) {
  const time = virtualTime()
  const { clock } = time
  const source = fakeSource(documentsPerCall, stopAfter)
  const budgetUsedUp = source.endedBecause
  const limits = createLimits({ stopAfter, budgetUsedUp, workers: 1, deadlineMs: 1000, startMs: 0, signal })
  const seen = { sent: [] as Sent[], dropped: [] as number[] }
  const { seconds = Infinity } = stopAfter
  const options: Parameters<typeof openLoop>[0] = {
    times: createArrivalTimes({
      ramps: [{ seconds, from: 100, to: 100 }],
      arrivals: 'constant',
      seed: 1,
      place: 'test',
    }),
    seconds: stopAfter.seconds,
    maxInFlight,
    startMs: 0,
    clock,
    signal,
    isOver: limits.isOver,
    noteIdle: limits.noteIdle,
    next: source.next,
    send: (_call, done) => void clock.sleep(takesMs(clock.now())).then(() => done(outcome())),
    record: (_call, _sentMs, endMs, { kind }) => limits.answered(kind === 'ok' || kind === 'aborted', endMs),
    listener: {
      recordDropped: (plannedMs) => void seen.dropped.push(plannedMs),
      recordArrival: (_, plannedMs, sentMs, endMs) => void seen.sent.push({ plannedMs, sentMs, endMs }),
    },
  }
  const run = (changes: Partial<typeof options> = {}) => time.run(() => openLoop({ ...options, ...changes }))
  return { time, source, limits, seen, run }
}

const everyTenMs = (count: number, from = 0): readonly number[] =>
  Array.from({ length: count }, (_, i) => from + i * 10)

test('calls go out when they are due, and the window is that of the plan', async () => {
  const { run, seen, limits } = setUp()
  expect(await run()).toEqual({ endMs: 1000, sentUntilMs: 1000, peakInFlight: 1 })
  expect(seen.sent.map(({ plannedMs }) => plannedMs)).toEqual(everyTenMs(100))
  expect(seen.sent.map(({ sentMs }) => sentMs)).toEqual(everyTenMs(100))
  expect(seen.sent[0]).toEqual({ plannedMs: 0, sentMs: 0, endMs: 5 })
  expect(seen.dropped).toEqual([])
  expect(limits.endedBecause()).toBe('seconds')
})

test('they go out whether or not earlier ones have been answered', async () => {
  const { run, seen } = setUp({ takesMs: () => 95 })
  const end = await run()
  expect(seen.sent.map(({ sentMs }) => sentMs)).toEqual(everyTenMs(100))
  // The answer to the last call is awaited.
  expect(end).toEqual({ endMs: 990 + 95, sentUntilMs: 1000, peakInFlight: 10 })
})

test('what falls due while the thread is busy goes out as soon as it is free, with the moments that were planned', async () => {
  const { run, seen, time, source } = setUp()
  await run({
    next() {
      const call = source.next()
      if (call.number === 20) time.block(55)
      return call
    },
  })
  const late = seen.sent.filter(({ plannedMs, sentMs }) => sentMs > plannedMs)
  expect(late.map(({ plannedMs, sentMs }) => [plannedMs, sentMs])).toEqual([
    [200, 255],
    [210, 255.5],
    [220, 255.5],
    [230, 255.5],
    [240, 255.5],
    [250, 255.5],
  ])
  expect(seen.sent).toHaveLength(100)
})

test('a call of the plan is not lost because the thread was busy at its end', async () => {
  const { run, seen, time, source, limits } = setUp()
  await run({
    next() {
      const call = source.next()
      if (call.number === 95) time.block(500)
      return call
    },
  })
  expect(seen.sent).toHaveLength(100)
  expect(limits.endedBecause()).toBe('seconds')
})

test('a call that is due while as many as may are in flight is dropped, and takes nothing', async () => {
  // The first three calls are answered after half a second, all others at once.
  const { run, seen, source } = setUp({ maxInFlight: 3, takesMs: (ms) => (ms < 30 ? 500 - ms : 1) })
  const { peakInFlight } = await run()
  expect(seen.dropped).toEqual(everyTenMs(47, 30))
  expect(seen.sent).toHaveLength(100 - 47)
  expect(peakInFlight).toBe(3)
  expect(source.taken).toBe(53)
})

test.each([1, 7, 64])('a plan of %i operations sends exactly as many', async (operations) => {
  const { run, seen, limits } = setUp({ stopAfter: { operations } })
  await run()
  expect(seen.sent).toHaveLength(operations)
  expect(limits.endedBecause()).toBe('operations')
})

test('a plan of documents asks for exactly as many', async () => {
  const { run, limits, source } = setUp({ stopAfter: { documents: 25 }, documentsPerCall: 10 })
  await run()
  expect(source.sizes).toEqual([10, 10, 5])
  expect(limits.endedBecause()).toBe('documents')
})

test('an abort sends nothing more, and what is in flight is awaited', async () => {
  const abort = new AbortController()
  const { run, seen, limits, time } = setUp({ stopAfter: { seconds: 60 }, signal: abort.signal, takesMs: () => 40 })
  const end = run()
  void time.clock.sleep(105).then(() => abort.abort())
  expect(await end).toMatchObject({ endMs: 140, sentUntilMs: 105 })
  expect(seen.sent.map(({ plannedMs }) => plannedMs)).toEqual(everyTenMs(11))
  expect(limits.endedBecause()).toBe('aborted')
})

test('an abort before the beginning sends nothing', async () => {
  const { run, seen, limits } = setUp({ signal: AbortSignal.abort() })
  expect(await run()).toEqual({ endMs: 0, sentUntilMs: 0, peakInFlight: 0 })
  expect(seen).toEqual({ sent: [], dropped: [] })
  expect(limits.endedBecause()).toBe('aborted')
})

test('a loop in which everything fails ends early', async () => {
  const { run, seen, limits } = setUp({ stopAfter: { seconds: 60 }, outcome: failedOutcome })
  await run()
  expect(limits.endedBecause()).toBe('everything failed')
  expect(seen.sent).toHaveLength(20)
})

test('a loop of transactions that are aborted on purpose goes on', async () => {
  const aborted: Outcome = { kind: 'aborted', reason: 'overdraft', reply: emptyReply }
  const { run, seen, limits } = setUp({ stopAfter: { seconds: 1 }, outcome: () => aborted })
  await run()
  expect(limits.endedBecause()).toBe('seconds')
  expect(seen.sent).toHaveLength(100)
})

test('a plan with long gaps waits for each of them', async () => {
  const { run, seen } = setUp({ stopAfter: { seconds: 300 } })
  const dueMs = [0, 100_000, 250_000]
  const end = await run({ times: () => dueMs.shift() })
  expect(seen.sent.map(({ sentMs }) => sentMs)).toEqual([0, 100_000, 250_000])
  expect(end.endMs).toBe(300_000)
})

describe('a bug of ours ends the loop and rejects', () => {
  const bug = new Error('a bug')
  const throwBug = (): never => {
    throw bug
  }

  test('in the source of calls', async () => {
    const { run, source } = setUp({ stopAfter: { seconds: 1e6 } })
    const next = () => (source.taken < 20 ? source.next() : throwBug())
    await expect(run({ next })).rejects.toBe(bug)
    expect(source.taken).toBe(20)
  })

  test('in the recorder, without waiting for the next call', async () => {
    const { run, time, source } = setUp({ stopAfter: { seconds: 1e6 } })
    const dueMs = [0, 900_000]
    await expect(run({ record: throwBug, times: () => dueMs.shift() })).rejects.toBe(bug)
    expect(source.taken).toBe(1)
    expect(time.clock.now()).toBe(5)
  })

  test('only after the calls in flight have been answered', async () => {
    const { run, time, seen } = setUp({ stopAfter: { seconds: 1e6 } })
    const takesMs = [2000, 5]
    const send = (_call: unknown, done: (outcome: Outcome) => void): void =>
      void time.clock.sleep(takesMs.shift() ?? 0).then(() => done(okOutcome()))
    let recorded = 0
    const record = (): void => void ((recorded += 1) === 1 && throwBug())
    await expect(run({ send, record })).rejects.toBe(bug)
    expect(time.clock.now()).toBe(2000)
    expect(seen.sent).toHaveLength(1)
  })
})
