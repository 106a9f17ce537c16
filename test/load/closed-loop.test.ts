import { describe, expect, test } from 'vitest'
import { type Call, type Outcome } from '../../src/load/engines/engine.ts'
import { closedLoop } from '../../src/load/loops/closed-loop.ts'
import { createLimits } from '../../src/load/loops/limits.ts'
import { type PlannedCall, type StopAfter } from '../../src/load/plan/plan.ts'
import { failedOutcome, fakeEngine, fakeSource, okOutcome } from '../fakes/fake-calls.ts'
import { stillClock } from '../fakes/still-clock.ts'

type Sample = { readonly startMs: number; readonly endMs: number; readonly kind: Outcome['kind'] }

function setUp({
  workers = 1,
  stopAfter,
  documentsPerCall = 1,
  takesMs = 5,
  signal = new AbortController().signal,
}: {
  workers?: number
  stopAfter: StopAfter
  documentsPerCall?: number
  takesMs?: number
  signal?: AbortSignal
}) {
  const clock = stillClock()
  const source = fakeSource(documentsPerCall, stopAfter)
  const budgetUsedUp = source.endedBecause
  const limits = createLimits({ stopAfter, budgetUsedUp, workers, deadlineMs: 1000, startMs: 0, signal })
  const samples: Sample[] = []
  const engine = fakeEngine(() => {
    clock.advance(takesMs)
    return okOutcome()
  })
  const options = {
    workers,
    startMs: 0,
    clock,
    isOver: limits.isOver,
    next: source.next,
    send: engine.send,
    record: (_: PlannedCall, startMs: number, endMs: number, { kind }: Outcome) =>
      void samples.push({ startMs, endMs, kind }),
  }
  return { clock, limits, source, engine, samples, options }
}

test('a worker starts its next call only after the last one has ended', async () => {
  const { options, samples } = setUp({ stopAfter: { operations: 3 } })
  await closedLoop(options)
  expect(samples.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [0, 5],
    [5, 10],
    [10, 15],
  ])
})

test('building a call and recording it are not timed', async () => {
  const { options, samples, clock, source } = setUp({ stopAfter: { operations: 3 } })
  await closedLoop({
    ...options,
    next() {
      clock.advance(100)
      return source.next()
    },
    record(...sample) {
      clock.advance(100)
      options.record(...sample)
    },
  })
  expect(samples.map(({ startMs, endMs }) => endMs - startMs)).toEqual([5, 5, 5])
})

test('it ends with the last answer', async () => {
  const { options, clock, source } = setUp({ stopAfter: { operations: 2 } })
  const endMs = await closedLoop({
    ...options,
    next() {
      clock.advance(100)
      return source.next()
    },
    record: () => clock.advance(1000),
  })
  expect(endMs).toBe(100 + 5 + 1000 + 100 + 5)
})

test('without a worker there is nothing to wait for', async () => {
  const { options } = setUp({ workers: 0, stopAfter: { seconds: 1 } })
  expect(await closedLoop(options)).toBe(0)
})

describe.each([1, 7, 64])('with %i workers', (workers) => {
  test.each([1, 2, 63, 100])('exactly %i operations are sent', async (operations) => {
    const { options, engine, samples, limits } = setUp({ workers, stopAfter: { operations } })
    await closedLoop(options)
    expect(engine.sent).toBe(operations)
    expect(samples).toHaveLength(operations)
    expect(limits.endedBecause()).toBe('operations')
  })

  test.each([
    [1000, 1],
    [1000, 7],
    [1000, 1000],
    [1000, 2000],
    [6, 1],
  ])('exactly %i documents are asked for, %i per call', async (documents, documentsPerCall) => {
    const { options, samples, limits, source } = setUp({ workers, stopAfter: { documents }, documentsPerCall })
    await closedLoop(options)
    expect(source.sizes.reduce((sum, size) => sum + size, 0)).toBe(documents)
    expect(samples).toHaveLength(Math.ceil(documents / documentsPerCall))
    expect(source.sizes.at(-1)).toBe(documents % documentsPerCall || Math.min(documents, documentsPerCall))
    expect(limits.endedBecause()).toBe('documents')
  })

  test('no call is sent after the seconds, and those in flight are awaited', async () => {
    const { options, samples, limits } = setUp({ workers, stopAfter: { seconds: 1 }, takesMs: 30 })
    const endMs = await closedLoop(options)
    expect(Math.max(...samples.map(({ startMs }) => startMs))).toBeLessThan(1000)
    expect(endMs).toBeGreaterThanOrEqual(1000)
    expect(limits.endedBecause()).toBe('seconds')
  })
})

test('an abort sends nothing more, and what is in flight is recorded', async () => {
  const abort = new AbortController()
  const { options, engine, samples, limits } = setUp({ workers: 3, stopAfter: { seconds: 60 }, signal: abort.signal })
  const answers: (() => void)[] = []
  const loop = closedLoop({
    ...options,
    send: (call, done) => void answers.push(() => engine.send(call, done)),
  })
  abort.abort()
  for (const answer of answers) answer()
  await loop
  expect(samples).toHaveLength(3)
  expect(limits.endedBecause()).toBe('aborted')
})

test('a failed call is a sample, not a crash', async () => {
  const { options, samples } = setUp({ stopAfter: { operations: 2 } })
  await closedLoop({ ...options, send: (_, done) => done(failedOutcome()) })
  expect(samples.map(({ kind }) => kind)).toEqual(['failed', 'failed'])
})

describe('a bug of ours stops all workers and rejects', () => {
  const bug = new Error('a bug')
  const throwBug = (): never => {
    throw bug
  }

  test('in the source of calls', async () => {
    const { options, engine, source } = setUp({ workers: 7, stopAfter: { seconds: 1e9 } })
    const next = () => (source.taken < 20 ? source.next() : throwBug())
    await expect(closedLoop({ ...options, next })).rejects.toBe(bug)
    expect(engine.sent).toBe(20)
  })

  test('in the recorder', async () => {
    const { options, engine } = setUp({ workers: 7, stopAfter: { seconds: 1e9 } })
    await expect(closedLoop({ ...options, record: throwBug })).rejects.toBe(bug)
    expect(engine.sent).toBe(7)
  })

  test('only after the calls in flight have been answered', async () => {
    const { options } = setUp({ workers: 2, stopAfter: { seconds: 1e9 } })
    let answered = false
    let number = 0
    const send = (_call: Call, done: (outcome: Outcome) => void): void => {
      number += 1
      if (number === 2) throw bug
      setImmediate(() => {
        answered = true
        done(okOutcome())
      })
    }
    await expect(closedLoop({ ...options, send })).rejects.toBe(bug)
    expect(answered).toBe(true)
  })
})

test.each([
  [1, 'inside of send', (_answer: () => void, done: () => void) => done()],
  [1, 'in a microtask', (answer: () => void) => answer()],
  [16, 'inside of send', (_answer: () => void, done: () => void) => done()],
  [16, 'in a microtask', (answer: () => void) => answer()],
])('calls of %i workers that are answered %s let timers run', async (workers, _, answer) => {
  const { options, clock, engine } = setUp({ workers, stopAfter: { operations: 100_000 }, takesMs: 0 })
  let turns = 0
  let running = true
  const turn = (): void => {
    turns += 1
    if (running) setImmediate(turn)
  }
  setImmediate(turn)
  const send = (call: Call, done: (outcome: Outcome) => void): void => {
    clock.advance(0.01)
    answer(
      () => engine.send(call, done),
      () => done(okOutcome()),
    )
  }
  await closedLoop({ ...options, send })
  running = false
  // 100,000 calls of 10 µs are a second.
  expect(turns).toBeGreaterThan(500)
})
