import { describe, expect, test } from 'vitest'
import { Fnv1a64 } from '../../../../src/language/generators/distributions/fnv1a64.ts'
import { deviationsFrom, pick, tally } from './draws.ts'

/** YCSB's precomputed sum of its 10^10 ranks. */
const total = 26.46902820178302
const summed = 1_000_000

/** Shares of the rows: those of the first million ranks by themselves; the others, each too rare to be seen, spread evenly. */
function probabilities(rows: number): number[] {
  const hash = new Fnv1a64()
  const shares = Array.from({ length: rows }, () => 0)
  let left = 1
  // From the third rank on, Gray's formula has an integral in place of the sum: ranks below r take F(r) of the draws.
  const eta = (1 - (2 / 1e10) ** 0.01) / (1 - (1 + 0.5 ** 0.99) / total)
  const startOf = (rank: number): number => ((rank / 1e10) ** 0.01 - 1 + eta) / eta
  for (let rank = 0; rank < summed; rank++) {
    const share = rank < 2 ? (rank + 1) ** -0.99 / total : startOf(rank + 1) - startOf(rank)
    const row = hash.ofNumber(rank).magnitudeModulo(rows)
    shares[row] = (shares[row] ?? 0) + share
    left -= share
  }
  return shares.map((share) => share + left / rows)
}

describe.each([10, 1000, 12_345])('among %i rows', (rows) => {
  const drawn = pick('scrambledZipfian', rows, 200_000)

  test('rows are drawn as often as the ranks that are hashed to them', () =>
    expect(deviationsFrom(probabilities(rows), drawn)).toBeLessThan(5))
})

// Of 100,000 draws one of 26.469 is rank 0, give or take five deviations of 0.0006; other ranks of its row add less than that.
test.each([10_000, 100_000])('the most frequent of %i rows takes the share of rank 0', (rows) => {
  const times = tally(pick('scrambledZipfian', rows, 100_000), rows)
  expect(Math.abs(Math.max(...times) / 100_000 - 1 / total)).toBeLessThan(0.003)
})

const scattered = (newRows: number) => ({ kind: 'scrambledZipfian', newRows })

function mostFrequent(drawn: readonly number[]): number {
  const times = tally(drawn, 1000)
  return times.indexOf(Math.max(...times))
}

describe('with rows that are yet to come', () => {
  test('draws those that there are as often as they are among all of them', () => {
    const drawn = pick(scattered(2000), 1000, 200_000)
    const there = probabilities(3000).slice(0, 1000)
    const sum = there.reduce((soFar, share) => soFar + share, 0)
    expect(
      deviationsFrom(
        there.map((share) => share / sum),
        drawn,
      ),
    ).toBeLessThan(5)
  })

  test('the frequent rows are the same before and after they have come', () => {
    const before = pick(scattered(100), 900, 20_000)
    expect(mostFrequent(before)).toBe(mostFrequent(pick('scrambledZipfian', 1000, 20_000)))
    expect(mostFrequent(before)).not.toBe(mostFrequent(pick('scrambledZipfian', 900, 20_000)))
  })

  test('ends even where hardly any row is there', () => expect(pick(scattered(2 ** 40), 1, 5)).toEqual([0, 0, 0, 0, 0]))
})
