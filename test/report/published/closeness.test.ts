import { expect, test } from 'vitest'
import { computeCloseness, closenessText } from '../../../src/report/published/compare.ts'

test('a quarter more is as near as the reverse of it', () => {
  expect(computeCloseness([1, 1.25, 0.8, 1.26, 0.79, 2, 0.5, 2.01, 0.49])).toEqual({ near: 3, far: 2, of: 9 })
})

test.each([
  [{ near: 3, far: 1, of: 5 }, 'published-closeness'],
  [{ near: 1, far: 0, of: 1 }, 'published-closeness-of-one'],
])('of %j', (closeness, code) => {
  expect(closenessText(closeness, 'ratio')).toSay(code)
})
