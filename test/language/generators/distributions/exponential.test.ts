import { expect, test } from 'vitest'
import { deviationsFrom, pick } from './draws.ts'

const rows = 1000

/** The share of each row, counted from the newest back, once what lies before the first row has been drawn again. */
function probabilities(hotSet: number, hotTraffic: number): number[] {
  const rate = -Math.log(1 - hotTraffic) / (rows * hotSet)
  const below = (distance: number): number => 1 - Math.exp(-rate * distance)
  return Array.from({ length: rows }, (_, row) => (below(rows - row) - below(rows - 1 - row)) / below(rows))
}

test.each([
  [{}, 0.8571428571, 0.95],
  [{ hotSet: 0.1, hotTraffic: 0.9 }, 0.1, 0.9],
  [{ hotSet: 1, hotTraffic: 0.01 }, 1, 0.01],
  [{ hotSet: 0.005, hotTraffic: 0.9999 }, 0.005, 0.9999],
])('%j draws each row as often as its distance from the newest makes it', (given, hotSet, hotTraffic) => {
  const drawn = pick({ kind: 'exponential', ...given }, rows, 200_000)
  expect(deviationsFrom(probabilities(hotSet, hotTraffic), drawn)).toBeLessThan(5)
})
