import { describe, expect, test } from 'vitest'
import { placeKey, Stream } from '../../../../src/core/random.ts'
import { relatedPairs, splitIntoSegments, detectTrend } from '../../../../src/sources/init/data/order.ts'

const times = <Item>(count: number, make: (i: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => make(i))

const stream = new Stream(placeKey(1, 'test'))
const chance = (i: number): number => stream.at(i).float()

describe('the trend of a column', () => {
  test.each<readonly [what: string, column: readonly unknown[], trend: unknown]>([
    ['numbers that rise', times(100, (i) => i * i), { falls: false, jitter: 0 }],
    ['dates that fall', times(100, (i) => new Date(1e12 - i)), { falls: true, jitter: 0 }],
    ['texts with a number', times(100, (i) => `A-${1000 + i}`), { falls: false, jitter: 0 }],
    ['values that some documents lack', times(100, (i) => (i % 3 === 0 ? undefined : i)), { falls: false, jitter: 0 }],
    ['days, which repeat', times(100, (i) => Math.floor(i / 10)), { falls: false, jitter: 0 }],
    ['numbers at random', times(100, chance), undefined],
    ['numbers that follow the order only roughly', times(500, (i) => i + 500 * chance(i)), undefined],
    ['texts and numbers', times(100, (i) => (i % 2 === 0 ? i : `${i}`)), undefined],
    ['too few values', times(10, (i) => i), undefined],
    ['one value', times(100, () => 1), undefined],
  ])('of %s', (_what, column, trend) => {
    expect(detectTrend(column)).toEqual(trend)
  })

  test('has as much jitter as the column', () => {
    // Each value is up to 50 of 1000 places away.
    const { jitter } = detectTrend(times(1000, (i) => i + 100 * (chance(i) - 0.5))) ?? { jitter: 0 }
    expect(jitter).toBeGreaterThan(0.04)
    expect(jitter).toBeLessThan(0.06)
  })
})

test('a column of classes is split where their shares change, and nowhere by chance', () => {
  const newestOpen = times(1000, (i) => (i >= 950 ? 1 : 0))
  expect(splitIntoSegments(newestOpen, 2)).toEqual([
    { until: 950, counts: [950, 0] },
    { until: 1000, counts: [0, 50] },
  ])
  const atRandom = times(1000, (i) => Math.floor(3 * chance(i)))
  expect(splitIntoSegments(atRandom, 3)).toHaveLength(1)
})

test('fields of which one explains the other are named', () => {
  const country = times(1000, (i) => Math.floor(4 * chance(i)))
  const price = times(1000, (i) => chance(i + 5000))
  const columns = {
    country: country.map((each) => ['DE', 'FR', 'US', 'UK'][each]),
    currency: country.map((each) => ['EUR', 'EUR', 'USD', 'GBP'][each]),
    price,
    tax: price.map((each) => each / 5),
    rare: times(1000, (i) => i === 7),
    other: times(1000, (i) => chance(i + 9000)),
  }
  expect(relatedPairs(new Map(Object.entries(columns)))).toEqual(['country and currency', 'price and tax'])
})
