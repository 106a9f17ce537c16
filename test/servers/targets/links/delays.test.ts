import { describe, expect, test } from 'vitest'
import { type LinkedPair, oneWay, type End } from '../../../../src/servers/targets/links/delays.ts'

const links: readonly LinkedPair[] = [
  { from: 'client', to: 1, rttMs: 71.187, jitterMs: 0 },
  { from: 0, to: 1, rttMs: 20, jitterMs: 8 },
  { from: 0, to: 2, rttMs: 0, jitterMs: 0 },
]

const way = (from: End, to: End, seed = 42, connection = 0) => oneWay(links, seed, from, to, connection)
const draws = (next: () => number): readonly number[] => Array.from({ length: 1000 }, next)

describe('each way of a connection', () => {
  test('takes half of the round trip, whoever opened it', () =>
    expect([way('client', 1)(), way(1, 'client')()]).toEqual([35.5935, 35.5935]))

  test.each<[string, End, End]>([
    ['of a pair that is not listed', 'client', 0],
    ['of a member to itself', 0, 0],
    ['of a link that asks for none', 2, 0],
  ])('takes no time %s', (_what, from, to) => expect(way(from, to)()).toBe(0))

  test('takes by chance up to half of the jitter longer', () => {
    const taken = draws(way(0, 1))
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(10)
    expect(Math.max(...taken)).toBeLessThan(14)
    const middle = taken.toSorted((one, other) => one - other)[500] ?? 0
    expect(Math.abs(middle - 12)).toBeLessThan(0.3)
  })

  test('draws the same again from the same seed, and something else for another seed, way or connection', () => {
    const first = draws(way(0, 1))
    expect(draws(way(0, 1))).toEqual(first)
    for (const other of [way(0, 1, 43), way(1, 0), way(0, 1, 42, 1)]) expect(draws(other)).not.toEqual(first)
  })
})
