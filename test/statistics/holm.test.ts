import { expect, test } from 'vitest'
import { holm } from '../../src/statistics/verdict.ts'

test('p values are adjusted by how many are left, in the order given', () => {
  const adjusted = holm([0.01, 0.04, 0.03, 0.005])
  expect(adjusted.map((p) => Number(p.toFixed(9)))).toEqual([0.03, 0.06, 0.06, 0.02])
})

test('a p value of its own stays as it is, and none is above 1', () => {
  expect(holm([0.04])).toEqual([0.04])
  expect(holm([0.6, 0.7])).toEqual([1, 1])
  expect(holm([])).toEqual([])
})
