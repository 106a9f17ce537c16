import { describe, expect, test } from 'vitest'
import {
  computeInterval,
  meanInterval,
  type MeasuredRatio,
  pairedRatio,
  computePValue,
  type Round,
  lookedAtRatio,
  sequentialRatio,
  startsRatio,
  unpairedRatio,
} from '../../src/statistics/estimate.ts'
import { computeVerdicts } from '../../src/statistics/verdict.ts'

const { exp } = Math

/** Of published data, which are differences and not ratios: they stand for logarithms. */
const sleep = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4]
const rounds: readonly Round[] = sleep.map((difference, i) => ({ a: exp(i), b: exp(i + difference) }))

const measured = (estimate: ReturnType<typeof pairedRatio>): MeasuredRatio => {
  if (estimate.kind === 'too few rounds') throw new Error('too few rounds')
  return estimate
}

describe('paired rounds', () => {
  test('give the interval of Student (1908), whose ten patients took one drug and then the other', () => {
    const estimate = measured(pairedRatio(rounds))
    const { ratio, low, high } = computeInterval(estimate)
    expect(Math.log(ratio)).toBeCloseTo(1.58, 10)
    expect(Math.log(low)).toBeCloseTo(0.7001142, 6)
    expect(Math.log(high)).toBeCloseTo(2.4598858, 6)
    expect(computePValue(estimate, 0)).toBeCloseTo(0.002833, 6)
  })

  test('do not notice what both sides of a round share', () => {
    const slower = rounds.map(({ a, b }, i) => ({ a: a * (1 + i / 3), b: b * (1 + i / 3) }))
    expect(measured(pairedRatio(slower)).standardError).toBeCloseTo(measured(pairedRatio(rounds)).standardError, 10)
  })

  test('have an interval of one point where nothing varied', () => {
    const same = Array.from({ length: 6 }, () => ({ a: 4, b: 8 }))
    const { ratio, low, high } = computeInterval(measured(pairedRatio(same)))
    expect(ratio).toBeCloseTo(2, 12)
    expect([low, high]).toEqual([ratio, ratio])
    expect(computePValue(measured(pairedRatio(same)), 0)).toBe(0)
  })

  test('have a wider interval when they are looked at after every round', () => {
    const once = computeInterval(measured(pairedRatio(rounds)))
    const always = computeInterval(measured(sequentialRatio(rounds)))
    expect(always.ratio).toBe(once.ratio)
    expect(always.low).toBeLessThan(once.low)
    expect(always.high).toBeGreaterThan(once.high)
  })

  test('that are looked at until a budget is spent share the error rate: a fifth for all early looks, the rest for the last', () => {
    const [early, last] = (['early', 'last'] as const).map((look) => measured(lookedAtRatio(rounds, look)))
    const always = measured(sequentialRatio(rounds))
    const student = measured(pairedRatio(rounds))
    expect(computeInterval(early as MeasuredRatio).low).toBeCloseTo(computeInterval(always, 0.01).low, 12)
    expect(computeInterval(last as MeasuredRatio).low).toBeCloseTo(computeInterval(student, 0.04).low, 12)
    expect(computePValue(early as MeasuredRatio, 0)).toBeCloseTo(Math.min(1, 5 * computePValue(always, 0)), 12)
    expect(computePValue(last as MeasuredRatio, 0)).toBeCloseTo(1.25 * computePValue(student, 0), 12)
  })
})

describe('starts', () => {
  test('have the interval of Student from three on, with as many degrees of freedom as there are further starts', () => {
    const starts = [0.1, 0.14, 0.06].map((difference) => ({ a: 1, b: exp(difference) }))
    const estimate = measured(startsRatio(starts))
    expect(estimate.degreesOfFreedom).toBe(2)
    const { low, high } = computeInterval(estimate)
    // 4.302653 standard errors of 0.04 / √3.
    expect([Math.log(low), Math.log(high)]).toEqual([expect.closeTo(0.0006345, 6), expect.closeTo(0.1993655, 6)])
  })

  test('are too few up to two, and say how many a verdict takes', () => {
    const estimate = startsRatio([{ a: 1, b: 2 }])
    expect(computeVerdicts([{ estimate, better: 'higher' }])).toEqual([
      { kind: 'no verdict', moreRounds: 2, text: expect.toSay('verdict-after-more-rounds', { more: 2 }) },
    ])
  })
})

describe('unpaired rounds', () => {
  // Example 1 of the article on Welch's test in the English Wikipedia.
  const a = [27.5, 21, 19, 23.6, 17, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19, 21.7, 21.4]
  const b = [27.1, 22, 20.8, 23.4, 23.4, 23.5, 25.8, 22, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4]

  test('give the p value of Welch', () => {
    const estimate = measured(unpairedRatio(a.map(exp), b.map(exp)))
    expect(estimate.logRatio / estimate.standardError).toBeCloseTo(2.46, 2)
    expect(estimate.degreesOfFreedom).toBeCloseTo(25, 1)
    expect(computePValue(estimate, 0)).toBeCloseTo(0.021, 3)
  })

  test('may be of different number, and may not vary', () => {
    const same = unpairedRatio(Array<number>(6).fill(3), Array<number>(8).fill(6))
    expect(same).toMatchObject({ rounds: 6, standardError: 0, degreesOfFreedom: 12 })
  })
})

describe('the mean of rounds', () => {
  test('has the interval of Student, on logarithms', () => {
    // Of 1.58 ± 0.88: mean and interval of the differences, by any table of Student's t.
    const { mean, low, high } = meanInterval(sleep.map((value) => exp(value))) ?? { mean: 0, low: 0, high: 0 }
    expect(mean).toBeCloseTo(exp(1.58), 10)
    expect(Math.log(low)).toBeCloseTo(0.7001, 4)
    expect(Math.log(high)).toBeCloseTo(2.4599, 4)
  })
  test('is as wide as the error rate asks for', () => {
    const [wide, narrow] = [0.01, 0.1].map((errorRate) => meanInterval([1, 2, 3, 4, 5, 6], errorRate)?.high ?? 0)
    expect(wide).toBeGreaterThan(narrow ?? Infinity)
  })
  test('has none for fewer than six', () => expect(meanInterval([1, 2, 3, 4, 5])).toBeNull())
  test('where nothing varied is that value', () => expect(meanInterval([2, 2, 2, 2, 2, 2])?.low).toBeCloseTo(2))
  test.each([[[1, 0]], [[1, -1]], [[1, Infinity]]])('of %j is refused', (values) =>
    expect(() => meanInterval(values)).toThrow(RangeError),
  )
})

describe('no ratio is estimated', () => {
  const five = rounds.slice(0, 5)
  test.each([
    ['paired', pairedRatio(five)],
    ['sequential', sequentialRatio(five)],
    ['early', lookedAtRatio(five, 'early')],
    ['last', lookedAtRatio(five, 'last')],
    ['unpaired', unpairedRatio([1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6, 7])],
  ])('from five rounds, %s', (_, estimate) => expect(estimate).toEqual({ kind: 'too few rounds', rounds: 5 }))

  test.each([0, -1, Number.NaN, Infinity])('from a value of %d', (value) => {
    expect(() => pairedRatio([{ a: 1, b: value }])).toThrow(`above 0 and finite, not ${value}`)
    expect(() => unpairedRatio([1, value], [1, 2])).toThrow(RangeError)
  })
})
