import { expect, test } from 'vitest'
import { deviationsFrom, pick } from './draws.ts'

const rows = 1000
const density = (x: number): number => Math.exp(-(x ** 2) / 2)

/** Share of each row under the bell between both ends, by Simpson's rule: exact to many more places than the draws. */
function probabilities(mean: number, deviation: number): number[] {
  const at = (share: number): number => density((share - mean) / deviation)
  const areas = Array.from(
    { length: rows },
    (_, row) => (at(row / rows) + 4 * at((row + 0.5) / rows) + at((row + 1) / rows)) / 6,
  )
  const total = areas.reduce((sum, area) => sum + area, 0)
  return areas.map((area) => area / total)
}

test.each([
  [{}, 0.5, 1 / 6],
  [{ mean: 0.25, sigma: 0.1 }, 0.25, 0.1],
  [{ mean: 0, sigma: 0.05 }, 0, 0.05],
  [{ mean: 1, sigma: 1 }, 1, 1],
])('%j draws as often as the truncated bell, cut off at both ends', (given, mean, deviation) => {
  const drawn = pick({ kind: 'gaussian', ...given }, rows, 200_000)
  expect(deviationsFrom(probabilities(mean, deviation), drawn)).toBeLessThan(5)
})

test.each([0, 0.5, 1])('the narrowest bell at %d has an end too', (mean) => {
  const drawn = pick({ kind: 'gaussian', mean, sigma: 0.000001 }, 2 ** 40, 100)
  const top = mean * 2 ** 40
  // Five deviations of a millionth of the range.
  expect(drawn.every((row) => Math.abs(row - top) < 5 * 2 ** 20 * 1.1)).toBe(true)
})
