import { describe, expect, test } from 'vitest'
import { Dice } from '../../bench/simulated.ts'
import { findChangePoints, minSegment } from '../../src/statistics/change-points.ts'

const historyOf = (levels: readonly number[], each: number, number = 0): readonly number[] => {
  const dice = new Dice('change points', number)
  return levels.flatMap((level) => Array.from({ length: each }, () => level * Math.exp(0.03 * dice.normal())))
}

const pointsOf = (values: readonly number[]): ReturnType<typeof findChangePoints> =>
  findChangePoints(values, new Dice('permutations', 0).uniform)

describe('a history', () => {
  test('of nine values says that it takes one more', () => {
    expect(pointsOf(historyOf([1], 9))).toEqual({ kind: 'too few values', moreValues: 1 })
    expect(pointsOf([])).toEqual({ kind: 'too few values', moreValues: 10 })
  })

  test('of equal values has no change point', () =>
    expect(pointsOf(Array<number>(20).fill(7))).toEqual({ kind: 'change points', points: [] }))

  test('has its change points in order, each with the ratio of the levels beside it', () => {
    const history = pointsOf(historyOf([1000, 800, 1200], 12))
    expect(history).toMatchObject({ kind: 'change points', points: [{ index: 12 }, { index: 24 }] })
    const ratios = history.kind === 'change points' ? history.points.map(({ ratio }) => ratio) : []
    expect(ratios[0]).toBeCloseTo(0.8, 1)
    expect(ratios[1]).toBeCloseTo(1.5, 1)
  })

  test('has the same change points for the same random numbers', () => {
    const values = historyOf([1000, 960], 12)
    expect(pointsOf(values)).toEqual(pointsOf(values))
  })

  test('is not changed by one value that is off, and changed at the right place once a level is complete', () => {
    const values = [...historyOf([1000], 20), 500, 505, 495]
    expect(pointsOf(values.slice(0, -2))).toMatchObject({ points: [] })
    expect(pointsOf(values.slice(0, -1))).toMatchObject({ points: [{ index: 19 }] })
    expect(pointsOf(values)).toMatchObject({ points: [{ index: values.length - minSegment }] })
  })

  test.each([0, -1, Number.NaN, Infinity])('with a value of %d is refused', (value) =>
    expect(() => pointsOf([1, value])).toThrow(RangeError),
  )
})
