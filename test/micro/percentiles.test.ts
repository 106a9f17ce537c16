import { expect, test } from 'vitest'
import { percentile, computePercentiles } from '../../src/micro/results.ts'

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

test('of a hundred values, the p-th percentile is the p-th smallest', () => {
  const ranks = [10, 25, 50, 75, 90, 95, 98, 99]
  expect(computePercentiles(upTo(100).toReversed())).toEqual(Object.fromEntries(ranks.map((p) => [`p${p}`, p])))
})

test.each([
  // int(7 * 25 / 100) - 1 = 0, int(7 * 50 / 100) - 1 = 2, int(7 * 99 / 100) - 1 = 5
  [7, 25, 1],
  [7, 50, 3],
  [7, 99, 6],
  // int(15 * 10 / 100) - 1 = 0, int(15 * 95 / 100) - 1 = 13
  [15, 10, 1],
  [15, 95, 14],
  [2, 50, 1],
])('of the values 1 to %i, p%i is %i', (count, percent, expected) =>
  expect(percentile(upTo(count), percent)).toBe(expected),
)

test('with too few values for a rank, it is the smallest', () => {
  expect(percentile([4, 3], 10)).toBe(3)
  expect(computePercentiles([5])).toMatchObject({ p10: 5, p50: 5, p99: 5 })
})
