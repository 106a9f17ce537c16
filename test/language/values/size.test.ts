import { Binary, calculateObjectSize, Decimal128, ObjectId, UUID } from 'bson'
import { expect, test } from 'vitest'
import { frameBytes, indexKeyBytes, keyBytes, valueBytes } from '../../../src/language/values/size.ts'

test.each([0, 1, 9, 10, 11, 99, 100, 101, 1000, 1001, 12_345])(
  'the keys of an array of %i have the size that bson counts',
  (length) => {
    const list = Array.from({ length }, () => null)
    expect(frameBytes + indexKeyBytes(length)).toBe(calculateObjectSize(list))
  },
)

test.each(['', 'a', 'é', '日本', '🙂', '\ud800'])('the key and the text %j have the size that bson counts', (text) => {
  expect(frameBytes + keyBytes(text) + valueBytes(text)).toBe(calculateObjectSize({ [text]: text }))
})

test.each([
  [new Decimal128('12.50'), 16],
  [new ObjectId(), 12],
  [new UUID(), 21],
  [new Binary(Buffer.alloc(100)), 105],
  [new Binary(Buffer.alloc(100), 2), 109],
])('%o has the size that bson counts', (value, bytes) => {
  expect(valueBytes(value)).toBe(bytes)
  expect(frameBytes + keyBytes('k') + bytes).toBe(calculateObjectSize({ k: value }))
})

test.each([0, -0, 1.5, NaN, 2147483647, 2147483648, -2147483648, -2147483649, 5n, true, null, new Date(0), [], {}])(
  'the value %s has the size that bson counts',
  (value) => {
    expect(frameBytes + keyBytes('k') + valueBytes(value)).toBe(calculateObjectSize({ k: value }))
  },
)
