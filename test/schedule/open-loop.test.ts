import { describe, expect, test } from 'vitest'
import { emptyReply, type Outcome } from '../../src/engines/engine.ts'
import { createArrivalTimes } from '../../src/plan/arrival-times.ts'
import { type StopAfter } from '../../src/plan/plan.ts'
import { createLimits } from '../../src/schedule/limits.ts'
import { openLoop } from '../../src/schedule/open-loop.ts'
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
}: {
  stopAfter?: StopAfter
  maxInFlight?: number
  signal?: AbortSignal
  takesMs?: (sentMs: number) => number
  outcome?: () => Outcome
} = {}) {
  const time = virtualTime()
  const { clock } = time
  const source = fakeSource()
  const limits = createLimits({ stopAfter, workers: 1, deadlineMs: 1000, signal })
  const told = { sent: [] as Sent[], dropped: [] as number[], inFlight: [] as number[], ended: [] as number[] }
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
    clock,
    signal,
    limits,
    next: source.next,
    async send() {
      await clock.sleep(takesMs(clock.now()))
      return outcome()
    },
    onStart: limits.start,
    record: () => {},
    listener: {
      start: () => {},
      sent: (inFlight) => void told.inFlight.push(inFlight),
      dropped: (plannedMs) => void told.dropped.push(plannedMs),
      answered: (_, plannedMs, sentMs, endMs) => void told.sent.push({ plannedMs, sentMs, endMs }),
      ended: (nowMs) => void told.ended.push(nowMs),
    },
  }
  const run = (changes: Partial<typeof options> = {}) => time.run(() => openLoop({ ...options, ...changes }))
  return { time, source, limits, told, run }
}

const everyTenMs = (count: number, from = 0): readonly number[] =>
  Array.from({ length: count }, (_, i) => from + i * 10)

test('calls go out when they are due, and the window is that of the plan', async () => {
  const { run, told, limits } = setUp()
  expect(await run()).toEqual({ startMs: 0, endMs: 1000 })
  expect(told.sent.map(({ plannedMs }) => plannedMs)).toEqual(everyTenMs(100))
  expect(told.sent.map(({ sentMs }) => sentMs)).toEqual(everyTenMs(100))
  expect(told.sent[0]).toEqual({ plannedMs: 0, sentMs: 0, endMs: 5 })
  expect(told).toMatchObject({ dropped: [], ended: [1000] })
  expect(limits.endedBecause()).toBe('seconds')
})

test('they go out whether or not earlier ones have been answered', async () => {
  const { run, told } = setUp({ takesMs: () => 95 })
  const window = await run()
  expect(told.sent.map(({ sentMs }) => sentMs)).toEqual(everyTenMs(100))
  expect(Math.max(...told.inFlight)).toBe(10)
  // The answer to the last call is awaited.
  expect(window.endMs).toBe(990 + 95)
  expect(told.ended).toEqual([1000])
})

test('what falls due while the thread is busy goes out as soon as it is free, with the moments that were planned', async () => {
  const { run, told, time, source } = setUp()
  await run({
    next(left) {
      const call = source.next(left)
      if (call.number === 20) time.block(55)
      return call
    },
  })
  const late = told.sent.filter(({ plannedMs, sentMs }) => sentMs > plannedMs)
  expect(late.map(({ plannedMs, sentMs }) => [plannedMs, sentMs])).toEqual([
    [200, 255],
    [210, 256],
    [220, 256],
    [230, 256],
    [240, 256],
    [250, 256],
  ])
  expect(told.sent).toHaveLength(100)
})

test('a call of the plan is not lost because the thread was busy at its end', async () => {
  const { run, told, time, source, limits } = setUp()
  await run({
    next(left) {
      const call = source.next(left)
      if (call.number === 95) time.block(500)
      return call
    },
  })
  expect(told.sent).toHaveLength(100)
  expect(limits.endedBecause()).toBe('seconds')
})

test('a call that is due while as many as may are in flight is dropped, and takes nothing', async () => {
  // The first three calls are answered after half a second, all others at once.
  const { run, told, source, limits } = setUp({ maxInFlight: 3, takesMs: (ms) => (ms < 30 ? 500 - ms : 1) })
  await run()
  expect(told.dropped).toEqual(everyTenMs(47, 30))
  expect(told.sent).toHaveLength(100 - 47)
  expect(Math.max(...told.inFlight)).toBe(3)
  expect(source.taken).toBe(53)
  expect(limits.operations()).toBe(53)
})

test.each([1, 7, 64])('a plan of %i operations sends exactly as many', async (operations) => {
  const { run, told, limits } = setUp({ stopAfter: { operations } })
  await run()
  expect(told.sent).toHaveLength(operations)
  expect(limits.endedBecause()).toBe('operations')
})

test('a plan of documents asks for exactly as many', async () => {
  const { run, limits } = setUp({ stopAfter: { documents: 25 } })
  const { next } = fakeSource(10)
  await run({ next })
  expect(limits.documents()).toBe(25)
  expect(limits.endedBecause()).toBe('documents')
})

test('an abort sends nothing more, and what is in flight is awaited', async () => {
  const abort = new AbortController()
  const { run, told, limits, time } = setUp({ stopAfter: { seconds: 60 }, signal: abort.signal, takesMs: () => 40 })
  const window = run()
  void time.clock.sleep(105).then(() => abort.abort())
  expect(await window).toEqual({ startMs: 0, endMs: 140 })
  expect(told.sent.map(({ plannedMs }) => plannedMs)).toEqual(everyTenMs(11))
  expect(told.ended).toEqual([105])
  expect(limits.endedBecause()).toBe('aborted')
})

test('an abort before the beginning sends nothing', async () => {
  const { run, told, limits } = setUp({ signal: AbortSignal.abort() })
  expect(await run()).toEqual({ startMs: 0, endMs: 0 })
  expect(told).toMatchObject({ sent: [], dropped: [] })
  expect(limits.endedBecause()).toBe('aborted')
})

test('a loop in which everything fails ends early', async () => {
  const { run, told, limits } = setUp({ stopAfter: { seconds: 60 }, outcome: failedOutcome })
  await run()
  expect(limits.endedBecause()).toBe('everything failed')
  expect(told.sent).toHaveLength(20)
})

test('a loop of transactions that are aborted on purpose goes on', async () => {
  const aborted: Outcome = { kind: 'aborted', reason: 'overdraft', reply: emptyReply }
  const { run, told, limits } = setUp({ stopAfter: { seconds: 1 }, outcome: () => aborted })
  await run()
  expect(limits.endedBecause()).toBe('seconds')
  expect(told.sent).toHaveLength(100)
})

test('a plan with long gaps waits for each of them', async () => {
  const { run, told } = setUp({ stopAfter: { seconds: 300 } })
  const dueMs = [0, 100_000, 250_000]
  const window = await run({ times: () => dueMs.shift() })
  expect(told.sent.map(({ sentMs }) => sentMs)).toEqual([0, 100_000, 250_000])
  expect(window.endMs).toBe(300_000)
})

describe('a bug of ours ends the loop and rejects', () => {
  const bug = new Error('a bug')
  const throwBug = (): never => {
    throw bug
  }

  test('in the source of calls', async () => {
    const { run, told, source } = setUp({ stopAfter: { seconds: 1e6 } })
    const next = (left: number) => (source.taken < 20 ? source.next(left) : throwBug())
    await expect(run({ next })).rejects.toBe(bug)
    expect(told.inFlight).toHaveLength(20)
  })

  test('in the recorder, without waiting for the next call', async () => {
    const { run, time, told } = setUp({ stopAfter: { seconds: 1e6 } })
    const dueMs = [0, 900_000]
    await expect(run({ record: throwBug, times: () => dueMs.shift() })).rejects.toBe(bug)
    expect(told.inFlight).toHaveLength(1)
    expect(time.clock.now()).toBe(5)
  })

  test('only after the calls in flight have been answered', async () => {
    const { run, time, told } = setUp({ stopAfter: { seconds: 1e6 } })
    const takesMs = [2000, 5]
    const send = async (): Promise<Outcome> => {
      await time.clock.sleep(takesMs.shift() ?? 0)
      return okOutcome()
    }
    let recorded = 0
    const record = (): void => void ((recorded += 1) === 1 && throwBug())
    await expect(run({ send, record })).rejects.toBe(bug)
    expect(time.clock.now()).toBe(2000)
    expect(told.sent).toHaveLength(1)
  })
})
