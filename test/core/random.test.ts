import { describe, expect, test } from 'vitest'
import { hashText, placeKey, Stream } from '../../src/core/random.ts'

const stream = (place = 'data.orders.document.total', seed = 42) => new Stream(placeKey(seed, place))

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/** Pearson's statistic of counts that should all be equal. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

/** Mean of the statistic is its degrees of freedom, its variance twice that; five deviations are never reached by chance. */
const chiSquareLimit = (cells: number): number => cells - 1 + 5 * Math.sqrt(2 * (cells - 1))

describe('the same place, number and seed give the same draws for ever', () => {
  // Changing these changes every document and every call of every spec: results before and after cannot be compared.
  test.each([
    [42, 'data.orders.document.total', 0, 0, [2355813182, 2193841541, 2385942797, 1203376086]],
    [42, 'data.orders.document.total', 1, 0, [699105462, 1212520141, 1525846851, 276478938]],
    [42, 'data.orders.document.total', 2 ** 33 + 1, 0, [3166323612, 1251090334, 3386616489, 2178774712]],
    [42, 'data.orders.document.total', 0, 1, [1086219906, 1578492015, 4202837764, 1415782494]],
    [0, 'phases.mix.findOne.filter._id.@key', 0, 0, [2797818319, 2636586294, 1269286136, 2631072966]],
    [2 ** 40, 'phases.mix.findOne.filter._id.@key', 7, 0, [2489886267, 3402229098, 1841502479, 1937161909]],
  ])('seed %i, %s, number %i, lane %i', (seed, place, n, lane, words) => {
    const from = stream(place, seed).at(n, lane)
    expect(words.map(() => from.uint32())).toEqual(words)
  })

  test('floats and whole numbers are made of the same bits', () => {
    const from = stream().at(3)
    expect([from.float(), from.below(1000), from.bigBelow(2n ** 64n)]).toEqual([
      0.09781976404586756,
      359,
      18409137477847645795n,
    ])
  })
})

test('draws of one number do not depend on the draws of another', () => {
  const shared = stream()
  for (let i = 0; i < 10; i++) shared.at(5).uint32()
  expect(shared.at(3).uint32()).toBe(stream().at(3).uint32())
})

describe.each([
  ['number', (i: number) => stream().at(i)],
  ['high number', (i: number) => stream().at(i * 2 ** 32)],
  ['lane', (i: number) => stream().at(7, i)],
  ['seed', (i: number) => stream('place', i).at(0)],
  ['high seed', (i: number) => stream('place', i * 2 ** 32).at(0)],
  ['place', (i: number) => stream(`data.orders.document.field${i}`).at(0)],
])('another %s gives other draws', (_, from) => {
  test('already in the first 32 bits', () => {
    const first = numbers(1000).map((i) => from(i).uint32())
    expect(new Set(first).size).toBe(1000)
  })

  test('each of whose bits is one half of the time', () => {
    const first = numbers(4000).map((i) => from(i).uint32())
    const ones = numbers(32).map((bit) => first.filter((word) => (word >>> bit) & 1).length)
    // Five deviations of 4000 tosses of a coin.
    for (const count of ones) expect(Math.abs(count - 2000)).toBeLessThan(5 * Math.sqrt(1000))
  })

  test('that say nothing about those of its neighbour', () => {
    const cells = Array.from({ length: 64 }, () => 0)
    for (const i of numbers(6400)) {
      const cell = from(i).below(8) * 8 + from(i + 1).below(8)
      cells[cell] = (cells[cell] ?? 0) + 1
    }
    expect(chiSquare(cells)).toBeLessThan(chiSquareLimit(64))
  })
})

test('no two of 100,000 numbers begin with the same 128 bits', () => {
  const from = stream()
  const states = numbers(100_000).map((n) => {
    from.at(n)
    return `${from.uint32()} ${from.uint32()} ${from.uint32()} ${from.uint32()}`
  })
  expect(new Set(states).size).toBe(100_000)
})

test('floats are spread evenly over [0, 1)', () => {
  const from = stream()
  const cells = Array.from({ length: 100 }, () => 0)
  for (const n of numbers(20_000)) {
    const drawn = from.at(n).float()
    expect(drawn).toBeLessThan(1)
    cells[Math.floor(drawn * 100)] = (cells[Math.floor(drawn * 100)] ?? 0) + 1
  }
  expect(chiSquare(cells)).toBeLessThan(chiSquareLimit(100))
})

test.each([1, 2, 3, 10, 2 ** 31, 2 ** 53])('a whole number below %i is one', (limit) => {
  const from = stream()
  for (const n of numbers(200)) {
    const drawn = from.at(n).below(limit)
    expect(Number.isInteger(drawn) && drawn >= 0 && drawn < limit).toBe(true)
  }
})

test('a whole number below 2^64 uses all of its bits', () => {
  const from = stream()
  const drawn = numbers(64).map((n) => from.at(n).bigBelow(2n ** 64n))
  expect(drawn.reduce((union, value) => union | value, 0n)).toBe(2n ** 64n - 1n)
})

test.each([2n ** 65n, 10n ** 34n, 2n ** 113n])('a whole number below %s is spread evenly up to it', (limit) => {
  const from = stream()
  const tenths = Array.from({ length: 10 }, () => 0)
  for (const n of numbers(10_000)) {
    const tenth = Number((from.at(n).bigBelow(limit) * 10n) / limit)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }
  expect(tenths).toHaveLength(10)
  expect(chiSquare(tenths)).toBeLessThan(chiSquareLimit(10))
})

test('texts that differ in order or length have different hashes', () => {
  const texts = ['', '\0', '\0\0', 'a', 'b', 'ab', 'ba', 'a.b', 'a.c', 'phases.a', 'phases.b']
  expect(new Set(texts.map(hashText)).size).toBe(texts.length)
})
