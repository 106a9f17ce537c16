import { expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'
import { compare } from '../../../src/language/functions/comparison.ts'
import { fromJson } from '../../../src/language/values/extended-json.ts'

const valueOf = (expression: Json): unknown => compileJson(expression).draw(0)

test('types stand in the order of MongoDB', () => {
  const ordered: readonly Json[] = [
    { $minKey: 1 },
    null,
    { $numberDouble: 'NaN' },
    { $numberLong: '-9223372036854775808' },
    -1.5,
    0,
    { $numberLong: '9007199254740992' },
    { $numberLong: '9007199254740993' },
    'a',
    'b',
    { a: 1 },
    { a: 2 },
    { b: 0 },
    [],
    [1],
    [1, 2],
    [2],
    { $binary: { base64: '/g==', subType: '00' } },
    { $binary: { base64: '/w==', subType: '00' } },
    { $binary: { base64: '//8=', subType: '00' } },
    { $oid: '0123456789abcdef01234567' },
    { $oid: '0123456789abcdef01234568' },
    false,
    true,
    { $date: '2025-01-01T00:00:00Z' },
    { $date: '2026-01-01T00:00:00Z' },
    { $maxKey: 1 },
  ]
  const values = ordered.map(fromJson)
  const signs = values.flatMap((a, i) => values.map((b, j) => Math.sign(compare(a, b)) - Math.sign(i - j)))
  expect(new Set(signs)).toEqual(new Set([0]))
})

test.each<Json>([
  { '@eq': [5, { $numberLong: '5' }] },
  { '@eq': [5, { $numberDouble: '5.0' }] },
  { '@eq': [{ $numberDouble: '-0.0' }, 0] },
  { '@eq': [{ $numberDouble: 'NaN' }, { $numberDouble: 'NaN' }] },
  { '@ne': [{ $numberDouble: 'NaN' }, 5] },
  { '@lt': [{ $numberLong: '9007199254740992' }, { $numberLong: '9007199254740993' }] },
  { '@in': [{ $numberLong: '2' }, [1, 2, 3]] },
])('numbers compare by value, whatever their type %j', (expression) => expect(valueOf(expression)).toBe(true))

test('the least and the greatest pass over null', () =>
  expect([valueOf({ '@min': [null, 3, 1] }), valueOf({ '@max': [null] })]).toEqual([1, null]))

test.each<[Json, boolean]>([
  [false, false],
  [null, false],
  [0, false],
  [{ $numberLong: '0' }, false],
  [{ $numberDouble: '0.0' }, false],
  ['', true],
  [[], true],
  [{}, true],
  [{ $numberDouble: 'NaN' }, true],
])('true is all but false, null, missing and 0 %j', (value, is) => {
  expect(valueOf({ '@and': [{ '@literal': value }] })).toBe(is)
  expect(valueOf({ '@cond': [value, true, false] })).toBe(is)
})

test('none of nothing is false, all of nothing is true', () =>
  expect([valueOf({ '@or': [] }), valueOf({ '@and': [] })]).toEqual([false, true]))
