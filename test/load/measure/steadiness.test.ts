import { describe, expect, test } from 'vitest'
import { Dice } from '../../../bench/simulated.ts'
import { computeBatches, halfWidthOfMean, mean } from '../../../src/load/measure/batch-means.ts'
import { steadiness } from '../../../src/load/measure/steadiness.ts'
import { type ThroughputSeries } from '../../../src/load/measure/throughput-total.ts'
import { type Steadiness } from '../../../src/results/schema/warnings.ts'
import { autocorrelated, exponential, seriesAtPace, seriesOf } from './simulated-throughput.ts'

const windows = 200

const judged = (...series: Parameters<typeof seriesAtPace>): Steadiness => steadiness(seriesAtPace(...series), null)

/** How many of 200 windows get each label. The same name, the same windows. */
function labelsOf(name: string, make: (dice: Dice) => ThroughputSeries): Record<Steadiness['label'], number> {
  const labels = { steady: 0, drifting: 0, unsettled: 0, 'too short': 0 }
  for (let i = 0; i < windows; i += 1) labels[steadiness(make(new Dice(name, i)), null).label] += 1
  return labels
}

const gapsOf = (name: string, make: (dice: Dice) => ThroughputSeries) =>
  Array.from({ length: windows }, (_, i) => steadiness(make(new Dice(name, i)), null).longestGapSeconds)

/** Steps of 1, faster and slower by this share, as a Poisson process of so many calls in a bin. */
const noise = (dice: Dice, callsInBin: number): number => dice.normal() / Math.sqrt(callsInBin)

describe('steady work is not marked', () => {
  test.each([
    [5, 2, 60],
    [5, 8, 60],
    [10, 4, 30],
    [20, 4, 10],
  ])(
    '%i calls a second of 1000 documents, as random as a Poisson process, by %i workers for %i s',
    (rate, workers, seconds) => {
      const { steady, drifting, unsettled } = labelsOf(`batches ${rate} ${workers} ${seconds}`, (dice) =>
        seriesOf({ workers, documents: 1000, latencyMs: exponential(dice, (workers / rate) * 1000) }, seconds),
      )
      expect(steady).toBeGreaterThan(windows * 0.85)
      expect(drifting + unsettled).toBeLessThan(windows * 0.1)
    },
  )

  test.each([4, 10, 30])('5000 calls a second for %i s', (seconds) => {
    const { steady } = labelsOf(`fast ${seconds}`, (dice) => seriesAtPace(5000, seconds, () => 1 + noise(dice, 500)))
    expect(steady).toBeGreaterThan(windows * 0.97)
  })

  test('noise that is alike over a second and averages out', () => {
    const { steady } = labelsOf('alike', (dice) => seriesAtPace(5000, 30, autocorrelated(dice, 0.1, 1)))
    expect(steady).toBeGreaterThan(windows * 0.9)
  })
})

describe('throughput that does not hold is marked', () => {
  test.each([-0.3, 0.3])('a linear drift by %f is drifting', (drift) => {
    const { drifting } = labelsOf(`drift ${drift}`, (dice) => {
      const pace = autocorrelated(dice, 0.05, 0.3)
      return seriesAtPace(5000, 30, (second) => pace() + drift * (second / 30 - 0.5))
    })
    expect(drifting).toBeGreaterThan(windows * 0.95)
  })

  test('a drift by 5 % is significant, and too small to be marked', () => {
    const found = judged(5000, 30, (second) => 1 + (0.05 * second) / 30)
    expect(found).toMatchObject({ label: 'steady', isDriftSignificant: true })
    expect(found.lastOverFirst).toBeCloseTo(1.03, 2)
  })

  test('a drop for good in the middle is drifting', () =>
    expect(judged(5000, 30, (second) => (second < 15 ? 1 : 0.5))).toMatchObject({
      label: 'drifting',
      lastOverFirst: 0.5,
    }))

  test.each([5, 10, 20])(
    'slow swings of ±40 percent over %i s are unsettled, or drift where the window sees one of them',
    (period) => {
      const { unsettled, drifting } = labelsOf(`swings ${period}`, (dice) => {
        const phase = dice.uniform()
        return seriesAtPace(
          5000,
          20,
          (second) => 1 + 0.4 * Math.sin(2 * Math.PI * (second / period + phase)) + noise(dice, 500),
        )
      })
      expect(unsettled + drifting).toBeGreaterThan(windows * 0.98)
      expect(unsettled).toBeGreaterThan(windows * (period < 20 ? 0.9 : 0.5))
    },
  )

  test('a first third in which nothing succeeded is unsettled', () =>
    expect(judged(5000, 30, (second) => (second < 10 ? 0 : 1))).toMatchObject({
      label: 'unsettled',
      lastOverFirst: null,
    }))
})

/** The longest gap of 8 s of which some are slower. */
const stalled = (from: number, to: number, pace = 0.001) =>
  judged(5000, 8, (second) => (second >= from && second < to ? pace : 1)).longestGapSeconds

describe('the longest gap', () => {
  test('is the longest time with less than a quarter of the usual throughput', () => {
    expect(stalled(3, 6)).toBeCloseTo(3, 1)
    expect(stalled(0, 2, 0.2)).toBeCloseTo(2, 1)
    expect(stalled(2, 6, 0.5)).toBe(0)
  })

  test('is not known where half of the window has no calls, and none where few calls are missing', () => {
    expect(stalled(2, 8, 0)).toBeNull()
    const rare = gapsOf('rare', (dice) => ({
      binMs: 100,
      calls: Array.from({ length: 80 }, () => Math.floor(dice.uniform() * 3)),
      documentsPerCall: 1,
      meanLatencyMs: 1,
    }))
    expect(rare.filter((gap) => gap !== 0)).toEqual([])
  })
})

describe('nothing is claimed', () => {
  const nothing = { label: 'too short', lastOverFirst: null, isDriftSignificant: null, precisionPercent: null }

  test('of fewer than ten batches of 100 completions', () => {
    expect(judged(20, 40, () => 1)).toMatchObject(nothing)
    expect(judged(20, 50, () => 1)).toMatchObject({ label: 'steady', precisionPercent: 0 })
  })

  test('of fewer than ten calls one after the other', () => {
    const load = { workers: 8, documents: 1000, latencyMs: () => 1600 }
    expect(steadiness(seriesOf(load, 10), null)).toMatchObject(nothing)
    expect(steadiness(seriesOf(load, 20), null)).toMatchObject({ label: 'steady' })
  })

  test('of a window without a success', () => expect(judged(0, 30, () => 1)).toMatchObject(nothing))
})

test('checkpoints are passed on', () =>
  expect(
    steadiness(
      seriesAtPace(0, 0, () => 1),
      2,
    ).checkpoints,
  ).toBe(2))

/** In how many of 500 windows the interval covers the true mean, in percent. */
function coverage(name: string, trueMean: number, make: (dice: Dice) => ThroughputSeries): number {
  let covers = 0
  const repeats = 500
  for (let i = 0; i < repeats; i += 1) {
    const batches = computeBatches(make(new Dice(name, i)))
    if (Math.abs(mean(batches) - trueMean) <= halfWidthOfMean(batches)) covers += 1
  }
  return (covers / repeats) * 100
}

describe('the interval covers the true mean in about 95 of 100 windows', () => {
  test.each([
    [0.1, 0.1],
    [0.1, 0.3],
    [0.3, 1],
  ])('of noise of %f that is alike over %f s', (deviation, alikeSeconds) => {
    const covered = coverage(`alike ${deviation} ${alikeSeconds}`, 500, (dice) =>
      seriesAtPace(5000, 30, autocorrelated(dice, deviation, alikeSeconds)),
    )
    expect(covered).toBeGreaterThan(90)
    expect(covered).toBeLessThan(98.5)
  })

  test('of 20 batches a second, which take from no time to very long', () => {
    const covered = coverage('batches', 2, (dice) =>
      seriesOf({ workers: 8, documents: 1000, latencyMs: exponential(dice, 400) }, 30),
    )
    expect(covered).toBeGreaterThan(90)
    expect(covered).toBeLessThan(98.5)
  })
})
