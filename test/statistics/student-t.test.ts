import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { criticalValueOfT, tailOfT } from '../../src/statistics/student-t.ts'
import { forAll } from '../fakes/for-all.ts'

describe('critical values are those of the tables', () => {
  // Two-sided, as printed in table III of Fisher and Yates and in every textbook since.
  test.each([
    [1, 6.314, 12.706, 63.657, 636.619],
    [2, 2.92, 4.303, 9.925, 31.599],
    [5, 2.015, 2.571, 4.032, 6.869],
    [9, 1.833, 2.262, 3.25, 4.781],
    [30, 1.697, 2.042, 2.75, 3.646],
    [120, 1.658, 1.98, 2.617, 3.373],
  ])('of %i degrees of freedom', (degreesOfFreedom, ...expected) => {
    const found = [0.1, 0.05, 0.01, 0.001].map((level) => criticalValueOfT(level, degreesOfFreedom))
    expect(found.map((value) => Number(value.toFixed(3)))).toEqual(expected)
  })

  test('of the normal distribution, in the limit', () => expect(criticalValueOfT(0.05, 1e7)).toBeCloseTo(1.959964, 6))
})

describe('the tail', () => {
  const { atan, sqrt, PI } = Math
  // Abramowitz and Stegun 26.7.3 and 26.7.4, written out.
  const closed: Readonly<Record<number, (t: number) => number>> = {
    1: (t) => 1 - (2 / PI) * atan(t),
    2: (t) => 1 - t / sqrt(t ** 2 + 2),
    3: (t) => 1 - (2 / PI) * (atan(t / sqrt(3)) + (t * sqrt(3)) / (t ** 2 + 3)),
    5: (t) => {
      const cosine = 1 / sqrt(1 + t ** 2 / 5)
      const sine = (t / sqrt(5)) * cosine
      return 1 - (2 / PI) * (atan(t / sqrt(5)) + sine * (cosine + (2 / 3) * cosine ** 3))
    },
  }

  test.each([1, 2, 3, 5])('is the closed form of %i degrees of freedom', (degreesOfFreedom) => {
    for (const t of [0, 1e-6, 0.1, 0.9, 1.5, 2.57, 4, 12])
      expect(tailOfT(t, degreesOfFreedom)).toBeCloseTo(closed[degreesOfFreedom]?.(t) as number, 12)
  })

  test('is the same on both sides, 1 in the middle and 0 at the ends', () => {
    expect(tailOfT(-1.7, 4)).toBe(tailOfT(1.7, 4))
    expect([0, Infinity, -Infinity].map((t) => tailOfT(t, 4))).toEqual([1, 0, 0])
  })

  test('is undone by the critical value, for fractions of degrees of freedom too', () => {
    const levels = fc.double({ min: 1e-9, max: 0.999, noNaN: true })
    const degrees = fc.double({ min: 1, max: 300, noNaN: true })
    forAll(levels, degrees, (level, degreesOfFreedom) => {
      const tail = tailOfT(criticalValueOfT(level, degreesOfFreedom), degreesOfFreedom)
      expect(Math.abs(tail / level - 1)).toBeLessThan(1e-9)
    })
  })
})

test.each([0, 1, -0.1, 2, Number.NaN])('a level of %d is refused', (level) =>
  expect(() => criticalValueOfT(level, 5)).toThrow(RangeError),
)
