import { describe, expect, test } from 'vitest'
import { type Arrivals, computeBurstSize, createArrivalTimes, type Ramp } from '../../../src/load/plan/arrival-times.ts'
import { type Share, createShares } from '../../../src/load/plan/share.ts'

type Plan = {
  readonly ramps?: readonly Ramp[]
  readonly arrivals?: Arrivals
  readonly seed?: number
  readonly place?: string
  readonly share?: Share
}

const level = (perSecond: number, seconds: number): Ramp => ({ seconds, from: perSecond, to: perSecond })

/** All moments of a plan, or the first so many. */
function momentsOf(
  { ramps = [level(100, 100)], arrivals = 'poisson', seed = 42, place = 'phases.read', share }: Plan,
  most = Infinity,
): readonly number[] {
  const next = createArrivalTimes({ ramps, arrivals, seed, place, share })
  const moments: number[] = []
  for (let ms = next(); ms !== undefined && moments.length < most; ms = next()) moments.push(ms)
  return moments
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const gapsOf = (moments: readonly number[]): readonly number[] =>
  moments.map((ms, i) => ms - (i === 0 ? 0 : (moments[i - 1] ?? 0)))
const within = (moments: readonly number[], fromMs: number, toMs: number): number =>
  moments.filter((ms) => ms >= fromMs && ms < toMs).length

test.each<Arrivals>(['constant', 'poisson', { burstsOf: 4 }])(
  '%j arrivals of all shares together are those of the whole plan',
  (arrivals) => {
    const ramps = [level(40, 3), { seconds: 5, from: 40, to: 200 }, level(0, 1), level(70, 2)]
    const whole = momentsOf({ ramps, arrivals })
    for (const units of [1, 2, 3, 4]) {
      const shares = createShares(units).map((share) => momentsOf({ ramps, arrivals, share }))
      expect(shares[0]).toEqual(whole.filter((_, i) => i % units === 0))
      expect(shares.flat().toSorted((one, other) => one - other)).toEqual(whole)
    }
  },
)

describe('constant arrivals', () => {
  test('have equal gaps, and begin at once', () =>
    expect(momentsOf({ arrivals: 'constant', ramps: [level(4, 2)] })).toEqual([
      0, 250, 500, 750, 1000, 1250, 1500, 1750,
    ]))

  test('do not drift from their rate', () => {
    const moments = momentsOf({ arrivals: 'constant', ramps: [level(300, Infinity)] }, 300_001)
    expect(moments.at(-1)).toBeCloseTo(1_000_000, 6)
  })

  test('come closer together where the rate rises, in a straight line', () => {
    // From 0 to 10 a second in 10 s: 50 calls, and t² / 2 of them by the second t.
    const moments = momentsOf({ arrivals: 'constant', ramps: [{ seconds: 10, from: 0, to: 10 }] })
    expect(moments).toHaveLength(50)
    for (const [calls, ms] of moments.entries()) expect((ms / 1000) ** 2 / 2).toBeCloseTo(calls, 9)
  })

  test('thin out where the rate falls to nothing', () => {
    const moments = momentsOf({ arrivals: 'constant', ramps: [{ seconds: 10, from: 10, to: 0 }] })
    expect(moments).toHaveLength(50)
    expect([within(moments, 0, 5000), within(moments, 5000, 10_000)]).toEqual([38, 12])
    expect(moments.at(-1)).toBeLessThan(10_000)
  })

  test('go on from one ramp to the next without a break', () => {
    const up = { seconds: 10, from: 0, to: 100 }
    const moments = momentsOf({ arrivals: 'constant', ramps: [up, level(100, 5), level(0, 5), level(10, 5)] })
    const counts = [0, 10, 15, 20].map((second, i, all) => within(moments, second * 1000, (all[i + 1] ?? 25) * 1000))
    expect(counts).toEqual([500, 500, 0, 50])
    expect(Math.max(...gapsOf(moments.filter((ms) => ms > 9000 && ms < 15_000)).slice(1))).toBeLessThan(11.2)
  })
})

describe('Poisson arrivals', () => {
  const gaps = gapsOf(momentsOf({ ramps: [level(1000, Infinity)] }, 100_000))

  test('have the rate that was asked for', () => {
    // A tenth of a million gaps: four standard errors are 1.3 %.
    expect(mean(gaps)).toBeGreaterThan(0.987)
    expect(mean(gaps)).toBeLessThan(1.013)
  })

  test('have gaps that are exponential: their deviation is their mean, and e⁻¹ of them are longer', () => {
    const average = mean(gaps)
    const deviation = Math.sqrt(mean(gaps.map((gap) => (gap - average) ** 2)))
    expect(deviation / average).toBeGreaterThan(0.97)
    expect(deviation / average).toBeLessThan(1.03)
    expect(gaps.filter((gap) => gap > average).length / gaps.length).toBeCloseTo(Math.exp(-1), 2)
  })

  test('are independent: a gap says nothing about the next', () => {
    const average = mean(gaps)
    const products = gaps.slice(1).map((gap, i) => (gap - average) * ((gaps[i] ?? 0) - average))
    expect(Math.abs(mean(products)) / average ** 2).toBeLessThan(0.02)
  })

  test('have in each second a number whose variance is its mean', () => {
    const moments = momentsOf({ ramps: [level(50, 1000)] })
    const counts = Array.from({ length: 1000 }, (_, second) => within(moments, second * 1000, second * 1000 + 1000))
    const average = mean(counts)
    expect(average).toBeCloseTo(50, -1)
    expect(mean(counts.map((count) => (count - average) ** 2)) / average).toBeGreaterThan(0.8)
    expect(mean(counts.map((count) => (count - average) ** 2)) / average).toBeLessThan(1.2)
  })

  test('follow a rate that rises', () => {
    const moments = momentsOf({ ramps: [{ seconds: 100, from: 0, to: 1000 }] })
    // 12.5 % and 37.5 % of 50,000 come in the first and second half of the first half.
    expect(within(moments, 0, 50_000) / moments.length).toBeCloseTo(0.25, 2)
    expect(within(moments, 0, 25_000) / moments.length).toBeCloseTo(0.0625, 2)
  })
})

describe('arrivals in bursts', () => {
  const burstsOf = 5
  const moments = momentsOf({ arrivals: { burstsOf }, ramps: [level(100, 2000)] })
  const counts = Array.from({ length: 2000 }, (_, second) => within(moments, second * 1000, second * 1000 + 1000))

  test('have the rate that was asked for', () => {
    // The deviation of 200,000 calls with a dispersion of 9 is 1,342: four of them are 2.7 %.
    expect(mean(counts)).toBeGreaterThan(97.3)
    expect(mean(counts)).toBeLessThan(102.7)
  })

  test('are due together, as many as was asked for', () => {
    const bursts = new Set(moments).size
    expect(moments.length / bursts).toBeGreaterThan(burstsOf * 0.97)
    expect(moments.length / bursts).toBeLessThan(burstsOf * 1.03)
  })

  test('have in each second a number whose variance is its mean times the dispersion of bursts of this size', () => {
    const average = mean(counts)
    const dispersion = mean(counts.map((count) => (count - average) ** 2)) / average
    expect(computeBurstSize(dispersion) / burstsOf).toBeGreaterThan(0.85)
    expect(computeBurstSize(dispersion) / burstsOf).toBeLessThan(1.15)
  })

  test('of one call are those of a Poisson process', () => {
    const one = momentsOf({ arrivals: { burstsOf: 1 } })
    expect(new Set(one).size).toBe(one.length)
    expect(mean(gapsOf(one))).toBeCloseTo(10, 0)
  })
})

describe('a plan', () => {
  test('is the same for the same seed and place', () => expect(momentsOf({})).toEqual(momentsOf({})))

  test.each<[string, Plan]>([
    ['seed', { seed: 43 }],
    ['place', { place: 'phases.write' }],
  ])('is another for another %s', (_, other) =>
    expect(momentsOf(other).slice(0, 5)).not.toEqual(momentsOf({}).slice(0, 5)),
  )

  test('of another rate has the same gaps on the clock of that rate', () => {
    const [slow, fast] = [momentsOf({ ramps: [level(10, 100)] }, 100), momentsOf({ ramps: [level(1000, 100)] }, 100)]
    for (const [i, ms] of slow.entries()) expect(ms).toBeCloseTo((fast[i] ?? NaN) * 100, 6)
  })

  test('without a rate has no calls', () => {
    expect(momentsOf({ ramps: [level(0, 10)] })).toEqual([])
    expect(momentsOf({ ramps: [] })).toEqual([])
  })
})
