import { describe, expect, test } from 'vitest'
import { type Outcome } from '../../src/load/engines/engine.ts'
import { selectBestStep, climb } from '../../src/load/loops/find-peak.ts'
import { type PeakSearch } from '../../src/load/plan/plan.ts'
import { fail } from '../fakes/fail.ts'
import { digestOf, failedOutcome, fakeEngine, fakePhase, fakeSource, okOutcome } from '../fakes/fake-calls.ts'
import { runHere } from '../fakes/run-here.ts'
import { stillClock } from '../fakes/still-clock.ts'

const usual: PeakSearch = { kind: 'findPeak', from: 1, to: 64, factor: 2, secondsPerStep: 1, gain: 0.05, margin: 0.03 }

/** A search on a server that answers so many calls a second to so many workers. */
function setUp({
  speedOf,
  search = {},
  answer = () => okOutcome(),
  warmup,
}: {
  readonly speedOf: (workers: number) => number
  readonly search?: Partial<PeakSearch>
  readonly answer?: (number: number) => Outcome
  readonly warmup?: { readonly operations: number }
}) {
  const clock = stillClock(1000)
  const opened: (number | undefined)[] = []
  const engine = fakeEngine((number) => {
    clock.advance(1000 / speedOf(opened.at(-1) ?? 0))
    return answer(number)
  })
  const starts: number[] = []
  const source = fakeSource()
  const all = { ...usual, ...search }
  const phase = fakePhase({
    workers: all.to,
    load: all,
    stopAfter: {},
    warmup,
    calls: (pass, budget) => (pass === 'measured' ? source : fakeSource(1, budget)),
  })
  const interrupt = new AbortController()
  const run = () =>
    runHere({
      phase,
      engine: { ...engine, warmUp: async (workers) => void opened.push(workers) },
      clock,
      signal: interrupt.signal,
      onStart: (startMs) => void starts.push(startMs),
    })
  return { run, opened, starts, source, interrupt }
}

const speeds = (known: Readonly<Record<number, number>>) => (workers: number) => known[workers] ?? fail('not expected')

const neverFalling = (workers: number): number => workers * 100

async function found(options: Parameters<typeof setUp>[0]) {
  const { peak } = await setUp(options).run()
  return { tried: peak?.steps.map(({ workers }) => workers), best: peak?.workers }
}

describe('a search for the best number of workers', () => {
  test('ends when two steps have not brought more, and takes the fewest that are nearly as fast as the fastest', async () => {
    const { run } = setUp({ speedOf: speeds({ 1: 100, 2: 200, 4: 400, 8: 410, 16: 405 }) })
    const { peak, endedBecause } = await run()
    expect(peak?.steps.map(({ workers, opsPerSecond }) => [workers, Math.round(opsPerSecond)])).toEqual([
      [1, 100],
      [2, 200],
      [4, 400],
      [8, 410],
      [16, 405],
    ])
    expect(peak).toMatchObject({ workers: 4, opsPerSecond: 400 })
    expect(endedBecause).toBe('seconds')
  })

  test('goes on when a second step makes up for the first', async () => {
    const speedOf = speeds({ 1: 100, 2: 101, 4: 200, 8: 200, 16: 200 })
    expect(await found({ speedOf })).toEqual({ tried: [1, 2, 4, 8, 16], best: 4 })
  })

  test('tries the most that it may where throughput never falls', async () => {
    expect(await found({ speedOf: neverFalling, search: { to: 10 } })).toEqual({ tried: [1, 2, 4, 8, 10], best: 10 })
  })

  test('ends after three steps where throughput falls at once', async () => {
    expect(await found({ speedOf: (workers) => 1000 / workers })).toEqual({ tried: [1, 2, 4], best: 1 })
  })

  test('begins where it is told, and never tries a number twice', async () => {
    const search = { from: 3, to: 7, factor: 1.1 }
    expect(await found({ speedOf: neverFalling, search })).toEqual({ tried: [3, 4, 5, 6, 7], best: 7 })
  })

  test('opens the connections of a step before it, and those of the first one once', async () => {
    const { run, opened } = setUp({ speedOf: (workers) => 1000 / workers, warmup: { operations: 5 } })
    await run()
    expect(opened).toEqual([1, 2, 4])
  })

  test('is one window, with calls from one source', async () => {
    const { run, starts, source } = setUp({ speedOf: (workers) => 1024 / workers })
    const phase = await run()
    expect(starts).toEqual([1000])
    expect(phase).toMatchObject({ startMs: 1000, wallSeconds: 3, operations: [{ ok: 1024 + 512 + 256 }] })
    expect(phase.digest).toBe(digestOf(1792))
    expect(source.taken).toBe(1792)
  })

  test('times the successful calls of each step, and counts the others', async () => {
    const { run } = setUp({
      speedOf: () => 100,
      answer: (number) => (number % 4 === 3 ? failedOutcome() : okOutcome()),
    })
    const { peak } = await run()
    const [first, second] = peak?.steps ?? []
    expect(first).toMatchObject({ ok: 75, errors: 25, opsPerSecond: 75, latency: { count: 75, meanMs: 10 } })
    // Two workers take turns, so each waits for the other's call too.
    expect(second?.latency?.p50Ms).toBeCloseTo(20, 1)
  })
})

describe('a search that ends early', () => {
  test('keeps the steps that are whole when it is aborted', async () => {
    const { run, interrupt } = setUp({
      speedOf: neverFalling,
      answer(number) {
        if (number === 350) interrupt.abort()
        return okOutcome()
      },
    })
    const { peak, endedBecause, operations } = await run()
    expect(endedBecause).toBe('aborted')
    expect(peak?.steps.map(({ workers }) => workers)).toEqual([1, 2])
    expect(peak).toMatchObject({ workers: 2, opsPerSecond: 200 })
    // The calls of the step that was cut short are in the figures of the phase.
    expect(operations[0]?.ok).toBeGreaterThan(300)
  })

  test('knows no best number when it is aborted before it begins', async () => {
    const { run, interrupt } = setUp({ speedOf: () => 100 })
    interrupt.abort()
    expect(await run()).toMatchObject({
      endedBecause: 'aborted',
      peak: { steps: [], workers: null, opsPerSecond: null },
    })
  })

  test('ends with the step in which everything fails', async () => {
    const { run } = setUp({ speedOf: () => 100, answer: () => failedOutcome() })
    const { peak, endedBecause } = await run()
    expect(endedBecause).toBe('everything failed')
    expect(peak).toMatchObject({ steps: [{ workers: 1, ok: 0, errors: 20, latency: null }], workers: null })
  })
})

const aStep = (workers: number, opsPerSecond: number) => ({
  workers,
  seconds: 1,
  ok: opsPerSecond,
  errors: 0,
  opsPerSecond,
  latency: null,
})

test('small gains that add up are growth', async () => {
  const { steps } = await climb({ ...usual, to: 16 }, async (workers) => ({
    step: aStep(workers, 100 + 3 * Math.log2(workers)),
    endedBecause: 'seconds',
  }))
  expect(steps.map(({ opsPerSecond }) => opsPerSecond)).toEqual([100, 103, 106, 109, 112])
})

test('the margin decides between fewer workers and more throughput', () => {
  const steps = [aStep(1, 50), aStep(2, 96), aStep(4, 98), aStep(8, 100)]
  expect([0, 0.02, 0.04, 0.5].map((margin) => selectBestStep(steps, margin).workers)).toEqual([8, 4, 2, 1])
})
