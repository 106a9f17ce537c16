import { expect, test } from 'vitest'
import { withCondition } from '../../../../src/sources/init/collection/index-operations.ts'

const drawn = { '@var': 'like.x' }

test.each([
  ['another field is asked for too', { x: drawn }, { y: true }, { x: drawn, y: true }],
  ['one of a few values gives way to them', { x: drawn }, { x: { $in: [1, 2] } }, { x: { $in: [1, 2] } }],
  ['a value that may be too small gives way', { x: drawn }, { x: { $gt: 5 } }, { x: { $gt: 5 } }],
  ['a value gives way to the only one', { x: drawn }, { x: 'open' }, { x: 'open' }],
  ['any value stays', { x: drawn }, { x: { $exists: true } }, { x: { $eq: drawn, $exists: true } }],
  [
    'a range stays beside a range',
    { x: { $gte: drawn } },
    { x: { $gte: 5 }, y: 1 },
    { $and: [{ x: { $gte: drawn } }, { x: { $gte: 5 }, y: 1 }] },
  ],
  [
    'a date is a value, not an operator',
    { x: { $gte: drawn } },
    { x: { $date: '2026-01-01T00:00:00Z' } },
    { x: { $date: '2026-01-01T00:00:00Z' } },
  ],
])('with the condition of a partial index, %s', (_what, filter, condition, expected) => {
  expect(withCondition(filter, condition)).toEqual(expected)
})
