import { describe, expect, test } from 'vitest'
import {
  growingZipfianRank,
  harmonic,
  zipfianRank,
} from '../../../../src/language/generators/distributions/zipfian-rank.ts'

const sumOf = (n: number, exponent: number): number => {
  let sum = 0
  for (let i = n; i >= 1; i--) sum += i ** -exponent
  return sum
}

describe.each([0.01, 0.5, 0.99, 0.999])('the harmonic number of exponent %d', (exponent) => {
  test.each([1, 2, 3, 1000, 9999, 10_000, 10_001, 12_345, 1_000_000])('and %i terms is that of the sum', (n) =>
    expect(Math.abs(harmonic(n, exponent) / sumOf(n, exponent) - 1)).toBeLessThan(1e-12),
  )
})

test("the sum of ten thousand million terms is YCSB's", () => {
  // Added up one by one in doubles, YCSB's own has an error in its eleventh decimal.
  expect(Math.abs(harmonic(10_000_000_000, 0.99) - 26.46902820178302)).toBeLessThan(1e-10)
})

test.each([0.2, 0.99])(
  'ranks of a range that has grown are those of a range of that size, with exponent %d',
  (exponent) => {
    const grown = growingZipfianRank(1, exponent)
    for (const count of [1, 2, 3, 100, 20_000]) {
      const fixed = zipfianRank(count, exponent)
      const draws = Array.from({ length: 1000 }, (_, i) => i / 1000)
      expect(draws.map((u) => grown(u, count))).toEqual(draws.map((u) => fixed(u)))
    }
  },
)

describe.each([0.2, 0.5, 0.99])('with exponent %d', (exponent) => {
  const count = 1000
  const rank = zipfianRank(count, exponent)
  const total = harmonic(count, exponent)
  /** Least u whose rank is at least this: by halves, for ranks grow with u. */
  const startOf = (wanted: number): number => {
    let [low, high] = [0, 1]
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2
      if (rank(middle) >= wanted) high = middle
      else low = middle
    }
    return high
  }

  test('ranks grow with the uniform number, from the first to the last', () => {
    const ranks = Array.from({ length: 10_000 }, (_, i) => rank(i / 10_000))
    expect(ranks.toSorted((a, b) => a - b)).toEqual(ranks)
    expect(rank(0)).toBe(0)
    expect(rank(1 - 2 ** -53)).toBe(count - 1)
  })

  const shareOf = (from: number, until: number): number =>
    (until === count ? 1 : startOf(until)) - (from === 0 ? 0 : startOf(from))
  const exactShareOf = (from: number, until: number): number =>
    (harmonic(until, exponent) - (from === 0 ? 0 : harmonic(from, exponent))) / total

  // Exact for the first two ranks; the integral in place of the sum is furthest off at the third.
  test.each([
    [0, 1, 1e-12],
    [1, 2, 1e-12],
    [2, 3, 0.18],
    [3, 5, 0.1],
    [5, 10, 0.04],
    [10, 100, 0.04],
    [100, 500, 0.04],
    [500, 1000, 0.04],
  ])('ranks from %i to below %i have the share that their sums give them, within %d', (from, until, error) =>
    expect(Math.abs(shareOf(from, until) / exactShareOf(from, until) - 1)).toBeLessThan(error),
  )
})

test.each([1, 2, 3, 2 ** 40])('the greatest uniform number leads to the last of %i ranks', (count) =>
  expect(zipfianRank(count, 0.99)(1 - 2 ** -53) / (count - 1 || 1)).toBeCloseTo(count === 1 ? 0 : 1, 9),
)
