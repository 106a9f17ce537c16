import { expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { readText } from '../../texts/golden.ts'

const hashOf = (value: unknown): unknown => compileJson({ '@fnv1a64': value as never }).draw(0)

// As YCSB's Utils.fnvhash64 has them: the first keys that it loads are user6284781860667377211 and user8517097267634966620.
test.each([
  [0, 6284781860667377211n],
  [1, 8517097267634966620n],
])('the hash of %i is that of YCSB', (value, expected) => expect(hashOf(value)).toBe(expected))

test('an int64 has the hash of the same number as an int32', () => {
  expect(hashOf({ $numberLong: '1' })).toBe(hashOf(1))
  expect(hashOf({ $numberLong: '4294967296' })).toBe(hashOf(4294967296))
  expect(hashOf(-1)).not.toBe(hashOf(1))
})

test.each([1.5, 'a', [[1, 2]], { a: 1 }])('%j has no hash', (value) => {
  expect(() => hashOf(value)).toThrow(readText('function-no-result', { keyword: '@fnv1a64' }))
  expect(hashOf(null)).toBeNull()
})
