import { expect, test } from 'vitest'
import { measureFunctions, type MeasureContext, type MeasureOptions } from '../../src/testing/measure.ts'
import { SpeedRecord } from '../../src/testing/speed-record.ts'
import { type TimedFunction } from '../../src/testing/function-load.ts'
import { virtualTime } from '../fakes/virtual-time.ts'

type Work = (sleep: (ms: number) => Promise<void>) => TimedFunction

/** Measures functions in virtual time. */
async function measured(works: Readonly<Record<string, Work>>, options: MeasureOptions = {}, speeds = [100]) {
  const { clock, run } = virtualTime()
  let measurement = 0
  const context: MeasureContext = {
    clock,
    machineSpeed: async () => speeds[measurement++ % speeds.length] ?? 0,
    speeds: new SpeedRecord(),
    client: undefined,
    signal: new AbortController().signal,
  }
  const functions = Object.fromEntries(
    Object.entries(works).map(([name, work]) => {
      const timed = work((ms) => clock.sleep(ms))
      return [name, { watched: timed, timed }] as const
    }),
  )
  return await run(() => measureFunctions(functions, { depth: 'quick', ...options }, context))
}

const takes =
  (ms: number): Work =>
  (sleep) =>
  () =>
    sleep(ms)

test('a function is called in six rounds after a warm-up', async () => {
  const { read } = await measured({ read: takes(2) })
  expect(read?.rounds).toHaveLength(6)
  expect(read?.rounds.map(({ callsPerSecond }) => Math.round(callsPerSecond))).toEqual([500, 500, 500, 500, 500, 500])
  expect(read).toMatchObject({ calls: { ok: 750, failed: 0 }, errors: [], latency: { p50Ms: 2, p99Ms: 2, count: 750 } })
  expect(read?.distribution).toEqual([{ upToMs: 2, calls: 750 }])
})

test('workers call at the same time, and a rate begins calls whether or not others were answered', async () => {
  const { read: four } = await measured({ read: takes(2) }, { load: { workers: 4 } })
  expect(Math.round(four?.rounds[0]?.callsPerSecond ?? 0)).toBe(2000)
  const { read: rate } = await measured({ read: takes(100) }, { load: { ratePerSecond: 100 }, seconds: 1 })
  expect(rate?.calls.ok).toBe(600)
})

test('calls are numbered over warm-up and rounds', async () => {
  const numbers: number[] = []
  await measured({
    read: (sleep) => (number) => {
      numbers.push(number)
      return sleep(50)
    },
  })
  const first = [0, 1, 2]
  expect(numbers).toEqual([...first, ...numbers.slice(first.length).map((_, i) => i)])
})

test('a call that throws or rejects has failed', async () => {
  const { rejects, throws } = await measured({
    rejects: (sleep) => async (number) => {
      await sleep(10)
      if (number % 2 === 1) throw new Error('no such order')
    },
    throws: (sleep) => (number) => {
      if (number % 2 === 1) throw new TypeError('not a number')
      return sleep(10)
    },
  })
  expect(rejects?.calls.failed).toBeGreaterThan(70)
  expect(rejects).toMatchObject({
    firstErrors: ['no such order'],
    errors: [{ name: 'Error', message: 'no such order' }],
  })
  expect(throws).toMatchObject({ firstErrors: ['not a number'], errors: [{ name: 'TypeError' }] })
})

test('functions are measured in turn, in an order that differs from round to round', async () => {
  const order: string[] = []
  const noted =
    (name: string): Work =>
    (sleep) =>
    () => {
      if (order.at(-1) !== name) order.push(name)
      return sleep(10)
    }
  const { one, other } = await measured({ one: noted('one'), other: noted('other') })
  expect(one?.series).toBe(other?.series)
  expect(order.length).toBeGreaterThan(8)
  expect(order.length).toBeLessThan(17)
})

test('at the depth "off" a function is called a few times, and nothing is timed', async () => {
  let calls = 0
  const { read } = await measured({ read: () => () => (calls += 1) }, { depth: 'off' })
  expect(calls).toBe(3)
  expect(read).toMatchObject({ rounds: [], calls: { ok: 0, failed: 0 }, latency: null })
})

test('a measurement knows how much slower the machine was than in others of its process', async () => {
  const speeds = [...Array.from({ length: 12 }, () => 100), ...Array.from({ length: 12 }, () => 70)]
  const { one, other } = await measured({ one: takes(10), other: takes(10) }, {}, speeds)
  expect([one, other].map((each) => Math.round(each?.machineSlowerPercent ?? NaN))).toEqual([0, 0])
})
