import { expect, test } from 'vitest'
import { computeCloseness, closenessText, judgePublished } from '../../../src/report/published/compare.ts'

test('a quarter more is as near as the reverse of it', () =>
  expect(computeCloseness([1, 1.25, 0.8, 1.26, 0.79, 2, 0.5, 2.01, 0.49])).toEqual({ near: 3, far: 2, of: 9 }))

test.each([
  [{ near: 3, far: 1, of: 5 }, 'published-closeness'],
  [{ near: 1, far: 0, of: 1 }, 'published-closeness-of-one'],
])('of %j', (closeness, code) => expect(closenessText(closeness, 'ratio')).toSay(code))

test.each([
  [[1.004, 1.238], 1.21, 'contains'],
  [[0.918, 1.038], 0.85, 'excludes'],
  [[2, 3], 3.01, 'excludes'],
  // The published gain and none at all.
  [[0.98, 1.22], 1.21, 'too wide to tell'],
  [[0.9, 1.02], 0.95, 'too wide to tell'],
  [[0.95, 1.08], 1.01, 'contains'],
  // Half of what was published, too.
  [[2, 4.5], 4, 'too wide to tell'],
  [[0.6, 1.6], 1, 'too wide to tell'],
] as const)('the interval %j and the published %d: %s', ([low, high], published, verdict) =>
  expect(judgePublished({ low, high }, published)).toBe(verdict),
)
