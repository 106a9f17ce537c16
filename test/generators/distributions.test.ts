import { describe, expect, test } from 'vitest'
import { distributions, harmonic } from '../../src/generators/distributions.ts'
import { compileJson } from '../fakes/values.ts'

const pick = (distribution: string, count: number, draws: number, first = 0): number[] =>
  compileJson({ '@pickRow': { distribution, count, first } }).first(draws) as number[]

describe.each(distributions)('$name', ({ name }) => {
  test.each([1, 2, 3, 10, 1000])('stays inside of %i rows', (count) => {
    const drawn = pick(name, count, 2000)
    expect(drawn.every((row) => Number.isInteger(row) && row >= 0 && row < count)).toBe(true)
  })

  test('begins at the first row', () => {
    const drawn = pick(name, 3, 100, 1000)
    expect(new Set(drawn)).toEqual(new Set([1000, 1001, 1002]))
  })

  test('reaches every one of a few rows', () => {
    expect(new Set(pick(name, 10, 2000)).size).toBe(10)
  })
})

test('sequential goes through the rows one by one, and begins again at the end', () => {
  expect(pick('sequential', 3, 7)).toEqual([0, 1, 2, 0, 1, 2, 0])
  expect(pick('sequential', 3, 4, 10)).toEqual([10, 11, 12, 10])
})

test('reverse goes through them from the last', () => {
  expect(pick('reverse', 3, 7)).toEqual([2, 1, 0, 2, 1, 0, 2])
})

test('uniform picks each row equally often', () => {
  const counts = Array.from({ length: 50 }, () => 0)
  for (const row of pick('uniform', 50, 20_000)) counts[row] = (counts[row] ?? 0) + 1
  const statistic = counts.reduce((sum, count) => sum + (count - 400) ** 2 / 400, 0)
  // Mean 49, deviation about 10.
  expect(statistic).toBeLessThan(49 + 5 * Math.sqrt(2 * 49))
})

describe('zipfian', () => {
  const rows = 1000
  const draws = 100_000
  const drawn = pick('zipfian', rows, draws)
  const share = (from: number, to = from): number => drawn.filter((row) => row >= from && row <= to).length / draws
  const expected = (from: number, to = from): number =>
    Array.from({ length: to - from + 1 }, (_, i) => (from + i + 1) ** -0.99).reduce((sum, part) => sum + part, 0) /
    harmonic(rows, 0.99)

  test.each([0, 1])('picks row %i as often as its rank says', (row) => {
    expect(share(row)).toBeCloseTo(expected(row), 2)
    expect(Math.abs(share(row) / expected(row) - 1)).toBeLessThan(0.03)
  })

  // The formula of Gray et al. is exact for the first two ranks and an approximation for the others.
  test.each([
    [2, 4],
    [5, 9],
    [10, 19],
    [20, 99],
    [100, 999],
  ])('picks rows %i to %i as often as their ranks say', (from, to) => {
    expect(Math.abs(share(from, to) / expected(from, to) - 1)).toBeLessThan(0.15)
  })

  test('picks earlier rows more often', () => {
    const decades = [share(0, 9), share(10, 19), share(20, 29), share(30, 39)]
    expect(decades.toSorted((a, b) => b - a)).toEqual(decades)
  })
})

test.each([1, 10, 100, 1000, 9999, 10_000, 10_001, 12_345, 100_000, 1_000_000])(
  'the harmonic number of %i is that of the sum',
  (n) => {
    let sum = 0
    for (let i = n; i >= 1; i--) sum += i ** -0.99
    expect(Math.abs(harmonic(n, 0.99) / sum - 1)).toBeLessThan(1e-12)
  },
)
