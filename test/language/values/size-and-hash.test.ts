import { Binary, calculateObjectSize, Decimal128, ObjectId, UUID } from 'bson'
import { expect, test } from 'vitest'
import {
  frameBytes,
  indexKeyBytes,
  keyBytes,
  valueBytes,
  hashValue,
} from '../../../src/language/values/size-and-hash.ts'

test.each([0, 1, 9, 10, 11, 99, 100, 101, 1000, 1001, 12_345])(
  'the keys of an array of %i have the size that bson counts',
  (length) => {
    const list = Array.from({ length }, () => null)
    expect(frameBytes + indexKeyBytes(length)).toBe(calculateObjectSize(list))
  },
)

test.each(['', 'a', 'é', '日本', '🙂', '\ud800'])('the key and the text %j have the size that bson counts', (text) =>
  expect(frameBytes + keyBytes(text) + valueBytes(text)).toBe(calculateObjectSize({ [text]: text })),
)

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
  (value) => expect(frameBytes + keyBytes('k') + valueBytes(value)).toBe(calculateObjectSize({ k: value })),
)

test.each<[string, (i: number) => unknown]>([
  ['ObjectId', (i) => new ObjectId(i.toString(16).padStart(24, '0'))],
  ['UUID', (i) => new UUID(`00000000-0000-4000-8000-${i.toString(16).padStart(12, '0')}`)],
  ['binary', (i) => new Binary(Buffer.alloc(i % 100, i))],
  ['decimal128', (i) => new Decimal128(`${i}.50`)],
  ['date', (i) => new Date(i * 1000)],
  ['text', (i) => `text ${i}`],
  ['list', (i) => [1, i]],
  ['document', (i) => ({ a: { b: i } })],
])('values of type %s have hashes of their own, the same each time', (_, make) => {
  const hashes = Array.from({ length: 99 }, (_item, i) => hashValue(make(i + 1)))
  expect(new Set(hashes).size).toBe(99)
  expect(Array.from({ length: 99 }, (_item, i) => hashValue(make(i + 1)))).toEqual(hashes)
})
