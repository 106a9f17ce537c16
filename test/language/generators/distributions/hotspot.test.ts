import { expect, test } from 'vitest'
import { deviationsFrom, pick } from './draws.ts'

test.each([
  [{}, 200, 0.8],
  [{ hotSet: 0.01, hotTraffic: 0.99 }, 10, 0.99],
  [{ hotSet: 0.5, hotTraffic: 0.1 }, 500, 0.1],
  [{ hotTraffic: 0 }, 200, 0],
  [{ hotTraffic: 1 }, 200, 1],
])('%j gives the hot rows their share, and all of a part the same', (given, hot, traffic) => {
  const probabilities = Array.from({ length: 1000 }, (_, row) =>
    row < hot ? traffic / hot : (1 - traffic) / (1000 - hot),
  )
  const drawn = pick({ kind: 'hotspot', ...given }, 1000, 200_000)
  expect(deviationsFrom(probabilities, drawn)).toBeLessThan(5)
  const share = drawn.filter((row) => row < hot).length / drawn.length
  // Five deviations of 200,000 tosses are below 0.006.
  expect(Math.abs(share - traffic)).toBeLessThan(traffic === 0 || traffic === 1 ? 1e-9 : 0.006)
})

test('at least one row is hot', () =>
  expect(new Set(pick({ kind: 'hotspot', hotSet: 0.001, hotTraffic: 1 }, 10, 200))).toEqual(new Set([0])))

test('where no row is cold, the hot ones take all draws', () => {
  const drawn = pick({ kind: 'hotspot', hotSet: 1, hotTraffic: 0 }, 4, 200)
  expect(new Set(drawn)).toEqual(new Set([0, 1, 2, 3]))
  expect(pick({ kind: 'hotspot', hotTraffic: 0 }, 1, 20)).toEqual(Array.from({ length: 20 }, () => 0))
})
