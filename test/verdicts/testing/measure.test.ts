import { expect, test } from 'vitest'
import { noSlowerThan } from '../../../src/verdicts/testing/expectations/no-slower-than.ts'
import { type MeasureContext, measureWorks, SpeedRecord } from '../../../src/verdicts/testing/measure.ts'
import { type MeasureOptions, validateSettings, TimeBudget } from '../../../src/verdicts/testing/settings.ts'
import { type NumberedFunction, workOfFunction } from '../../../src/verdicts/testing/work/function-work.ts'
import { virtualTime } from '../../fakes/virtual-time.ts'

type Sleep = (ms: number) => Promise<void>
type MakeFunction = (sleep: Sleep) => NumberedFunction

type Fakes = {
  readonly speeds?: readonly number[]
  readonly budget?: TimeBudget
  readonly takeTurn?: MeasureContext['takeTurn']
}

const free = async (): Promise<Disposable> => ({ [Symbol.dispose]() {} })

/** Measures functions in virtual time. */
async function measured(
  functions: Readonly<Record<string, MakeFunction>>,
  options: MeasureOptions = {},
  { speeds = [100], budget = new TimeBudget(Infinity, () => {}), takeTurn = free }: Fakes = {},
  { clock, run } = virtualTime(),
) {
  let measurement = 0
  const context: MeasureContext = {
    clock,
    machineSpeed: async () => speeds[measurement++ % speeds.length] ?? 0,
    speeds: new SpeedRecord(),
    budget,
    takeTurn,
    client: undefined,
    signal: new AbortController().signal,
  }
  const works = Object.fromEntries(
    Object.entries(functions).map(([name, make]) => {
      const timed = make((ms) => clock.sleep(ms))
      return [name, workOfFunction(name, { watched: timed, timed })] as const
    }),
  )
  return await run(() => measureWorks(works, validateSettings({ depth: 'quick', ...options }, {}), context))
}

const takes =
  (ms: number): MakeFunction =>
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

test('calls are numbered over the first calls, warm-up and rounds, so that none has the number of another', async () => {
  const numbers: number[] = []
  await measured({
    read: (sleep) => (number) => {
      numbers.push(number)
      return sleep(50)
    },
  })
  expect(numbers.length).toBeGreaterThan(20)
  expect(numbers).toEqual(numbers.map((_, i) => i))
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

/** Takes 10 ms, and notes its name when it is called. */
const noted =
  (name: string, note: (name: string) => void): MakeFunction =>
  (sleep) =>
  () => {
    note(name)
    return sleep(10)
  }

test('functions are measured in turn, in an order that differs from round to round', async () => {
  const order: string[] = []
  const note = (name: string) => void (order.at(-1) === name || order.push(name))
  const { one, other } = await measured({ one: noted('one', note), other: noted('other', note) })
  expect(one?.series).toBe(other?.series)
  expect(order.length).toBeGreaterThan(8)
  expect(order.length).toBeLessThan(17)
})

test('a function that is 20 % slower is found in five seconds, speed of the machine included', async () => {
  const time = virtualTime()
  // Noise of 6 % from round to round, and a machine that slows down by 15 % meanwhile.
  const noisy =
    (ms: number): MakeFunction =>
    (sleep) =>
    () => {
      const seconds = time.clock.now() / 1000
      return sleep(ms * (1 + 0.06 * Math.sin(seconds * 9)) * (1 + 0.03 * seconds))
    }
  const { before, now } = await measured({ before: noisy(2), now: noisy(2.4) }, {}, {}, time)
  if (before === undefined || now === undefined) throw new Error('Both were measured')
  expect(noSlowerThan(now, before)).toMatchObject({ verdict: 'missed', isPaired: true })
  expect(noSlowerThan(before, now)).toMatchObject({ verdict: 'holds' })
  const speedMs = 50 * (1 + before.rounds.length + now.rounds.length)
  expect(time.clock.now() + speedMs).toBeLessThan(5000)
})

test('of two rounds the second has the order of the first in reverse, and what follows a switch is not counted', async () => {
  const order: string[] = []
  const note = (name: string) => void order.push(name)
  const { one } = await measured({ one: noted('one', note), other: noted('other', note) }, { warmupSeconds: 0 })
  const turns = order.slice(6).filter((name, index, all) => name !== all[index - 1])
  // Of each two rounds, the middle is one turn of two turns.
  expect(turns.length % 2).toBe(1)
  expect(one?.calls.ok).toBe(6 * 25)
  expect(order.filter((name) => name === 'one')).toHaveLength(3 + 6 * (25 + 5))
})

test('at the depth "off" a function is called a few times, and nothing is timed', async () => {
  let calls = 0
  const { read } = await measured({ read: () => () => (calls += 1) }, { depth: 'off' })
  expect(calls).toBe(3)
  const calledOnly = { notTimed: 'its depth is "off"', rounds: [], calls: { ok: 0, failed: 0 }, latency: null }
  expect(read).toMatchObject(calledOnly)
})

test('a measurement knows how much slower the machine was than in others of its process', async () => {
  const speeds = [...Array.from({ length: 12 }, () => 100), ...Array.from({ length: 12 }, () => 70)]
  const { one, other } = await measured({ one: takes(10), other: takes(10) }, {}, { speeds })
  expect([one, other].map((each) => Math.round(each?.machineSlowerPercent ?? NaN))).toEqual([0, 0])
})

test('a measurement that begins when the time budget is spent is not timed, and one that has begun is not cut short', async () => {
  const printed: string[] = []
  const budget = new TimeBudget(2, (text) => printed.push(text))
  const calls = { read: takes(2) }
  const first = await measured(calls, {}, { budget })
  const second = await measured(calls, {}, { budget })
  expect([first, second].map(({ read }) => read?.rounds.length)).toEqual([6, 6])
  expect(printed).toEqual([])

  const third = await measured(calls, {}, { budget })
  const fourth = await measured({ write: takes(2) }, {}, { budget })
  const notTimed: unknown = expect.toSay('budget-spent', { seconds: 2 })
  expect(third['read']).toMatchObject({ notTimed, rounds: [], latency: null })
  expect(fourth['write']).toMatchObject({ notTimed, rounds: [] })
  expect(printed).toSay('budget-spent-note', { seconds: 2 })
})

test('what is timed waits for its turn, the first calls do not, and waiting takes nothing of the time budget', async () => {
  const happened: string[] = []
  const time = virtualTime()
  const budget = new TimeBudget(2, () => {})
  const takeTurn = async (name: string): Promise<Disposable> => {
    happened.push(`${name} waits`)
    await time.clock.sleep(60_000)
    return { [Symbol.dispose]: () => void happened.push('ended') }
  }
  const read: MakeFunction = (sleep) => () => {
    if (happened.at(-1) !== 'called') happened.push('called')
    return sleep(50)
  }
  const { read: first } = await measured({ read }, { seconds: 0.1 }, { budget, takeTurn }, time)
  expect(first?.rounds).toHaveLength(6)
  expect(happened).toEqual(['called', 'read waits', 'called', 'ended'])
  const { read: second } = await measured({ read }, { seconds: 0.1 }, { budget })
  expect(second?.rounds).toHaveLength(6)
})
