import { Binary, Decimal128, ObjectId, UUID } from 'bson'
import { expect, test } from 'vitest'
import { hashValue } from '../../../src/language/values/hash-value.ts'

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
