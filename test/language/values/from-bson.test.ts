import { Double, Int32, Long, ObjectId, serialize, Timestamp } from 'bson'
import { expect, test } from 'vitest'
import { fromBson } from '../../../src/language/values/from-bson.ts'

test('a document is read with the types that it has, as values that specs compute with', () => {
  const id = new ObjectId()
  const stored = {
    id,
    int: new Int32(7),
    long: Long.fromNumber(7),
    whole: new Double(7),
    half: 7.5,
    at: new Date(5),
    time: new Timestamp({ t: 1, i: 2 }),
    list: [new Int32(1), { long: Long.fromNumber(2) }],
    text: 'a',
    none: null,
  }
  const read = fromBson(serialize(stored))
  expect(read).toEqual({ ...stored, int: 7, long: 7n, list: [1, { long: 2n }] })
  expect(read['whole']).toBeInstanceOf(Double)
  expect(serialize(read)).toEqual(serialize(stored))
})

test('fields with the name of a guarded word are left out, at any depth', () => {
  const stored = { a: 1, $where: 'true', list: [{ $out: 'x', b: 2 }], inner: { $function: {}, $set: 3 } }
  expect(fromBson(serialize(stored))).toEqual({ a: 1, list: [{ b: 2 }], inner: { $set: 3 } })
})

test('what is read cannot be changed by one call for the next', () => {
  const read = fromBson(serialize({ inner: { a: 1 } }))
  expect(() => Object.assign(read['inner'] as object, { _id: 1 })).toThrow('not extensible')
})
