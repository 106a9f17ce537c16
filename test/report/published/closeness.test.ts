import { expect, test } from 'vitest'
import { computeCloseness, closenessText } from '../../../src/report/published/compare.ts'

test('a quarter more is as near as the reverse of it', () => {
  expect(computeCloseness([1, 1.25, 0.8, 1.26, 0.79, 2, 0.5, 2.01, 0.49])).toEqual({ near: 3, far: 2, of: 9 })
})

test.each([
  [
    { near: 3, far: 1, of: 5 },
    '3 of 5 rows are within 25 % of the published ratio, 1 is off by more than a factor of 2',
  ],
  [{ near: 1, far: 0, of: 1 }, '1 of 1 row is within 25 % of the published ratio'],
])('%j is "%s"', (closeness, text) => {
  expect(closenessText(closeness, 'ratio')).toBe(text)
})
