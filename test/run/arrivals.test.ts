import { expect, test } from 'vitest'
import { watchArrivals } from '../../src/run/arrivals.ts'
import { fakeClock } from '../fakes/fake-clock.ts'

/** A collection that shows these numbers, look by look, and then the last one for ever. */
function setUp(
  numbers: readonly (number | Error)[],
  { hasWarmup = false, signal = new AbortController().signal } = {},
) {
  const clock = fakeClock(5000)
  let looks = 0
  const count = async (): Promise<number> => {
    const shown = numbers[Math.min(looks, numbers.length - 1)] ?? 0
    looks += 1
    if (shown instanceof Error) throw shown
    return shown
  }
  const arrivals = watchArrivals({ collections: ['things'] }, count, { clock, signal, hasWarmup })
  return { clock, arrivals, looks: () => looks }
}

test('the documents that have come are those after less those before, as soon as all are there', async () => {
  const { arrivals, clock, looks } = setUp([40, 40, 90, 140, 140])
  await arrivals.start()
  clock.advance(300)
  const windowEndMs = clock.now()
  clock.advance(200)
  const finished = await arrivals.finish(100, windowEndMs)
  expect(finished).toEqual({ sent: 100, arrived: 100, waitedMs: clock.now() - windowEndMs, reason: null })
  expect(looks()).toBe(4)
})

test('documents that do not come are waited for until the number stands still', async () => {
  const { arrivals, clock } = setUp([0, 10, 20, 90])
  await arrivals.start()
  const startMs = clock.now()
  const { arrived, waitedMs } = await arrivals.finish(100, startMs)
  expect(arrived).toBe(90)
  expect(waitedMs).toBeGreaterThanOrEqual(1000)
  expect(waitedMs).toBeLessThan(2000)
})

test('time in which nobody looked does not count as standing still', async () => {
  const clock = fakeClock()
  const standsStill = { ...clock, sleep: async () => clock.advance(3000) }
  const shown = [0, 10, 10, 100]
  const count = async (): Promise<number> => shown.shift() ?? 100
  const { signal } = new AbortController()
  const arrivals = watchArrivals({ collections: ['things'] }, count, { clock: standsStill, signal, hasWarmup: false })
  await arrivals.start()
  expect(await arrivals.finish(100, clock.now())).toMatchObject({ arrived: 100 })
})

test('a number that never stands still is not waited for for ever', async () => {
  const { arrivals, clock } = setUp([0, ...Array.from({ length: 10_000 }, (_, n) => n)])
  await arrivals.start()
  const { arrived, waitedMs } = await arrivals.finish(1_000_000, clock.now())
  expect(arrived).toBeGreaterThan(100)
  expect(waitedMs).toBeLessThan(61_000)
})

test('what a warm-up has sent is let in before the first count, and without one nobody waits', async () => {
  const warm = setUp([3, 7, 10, 10], { hasWarmup: true })
  await warm.arrivals.start()
  expect(await warm.arrivals.finish(0, warm.clock.now())).toMatchObject({ arrived: 0 })
  const cold = setUp([3, 7])
  const startMs = cold.clock.now()
  await cold.arrivals.start()
  expect([cold.looks(), cold.clock.now()]).toEqual([1, startMs])
})

test('an abort ends the wait', async () => {
  const { arrivals, clock } = setUp([0, 5], { signal: AbortSignal.abort() })
  await arrivals.start()
  expect(await arrivals.finish(100, clock.now())).toMatchObject({ arrived: 5, waitedMs: 0 })
})

test.each([
  ['before', [new TypeError('no')]],
  ['after', [0, new TypeError('no')]],
])('a server that does not count %s leaves it untold, and nothing is thrown', async (_when, numbers) => {
  const { arrivals, clock } = setUp(numbers)
  await arrivals.start()
  const reason = expect.toSay('arrivals-not-counted', { error: 'TypeError' })
  expect(await arrivals.finish(100, clock.now())).toEqual({ sent: 100, arrived: null, waitedMs: 0, reason })
})

const neverCounted = (): Promise<number> => Promise.reject(new Error('counted'))

test('where a count tells nothing, nobody counts, and the reason is kept', async () => {
  const waiting = { clock: fakeClock(), signal: new AbortController().signal, hasWarmup: true }
  const arrivals = watchArrivals({ reason: 'it is capped' }, neverCounted, waiting)
  await arrivals.start()
  expect(await arrivals.finish(7, 0)).toEqual({ sent: 7, arrived: null, waitedMs: 0, reason: 'it is capped' })
})
