import { Decimal128, deserialize, ObjectId } from 'bson'
import { expect, test } from 'vitest'
import { createTranslate } from '../../../src/engines/driver/translate.ts'

/** Its values are other objects of the same types, as those of another version would be. */
const translate = createTranslate({ deserialize: (bytes, options) => deserialize(bytes, options) })

test('values of BSON are made anew wherever they stand, and keep what they are', () => {
  const id = new ObjectId()
  const price = Decimal128.fromString('1.25')
  const given = [{ _id: id, list: [{ price }] }, { ordered: true }]
  const translated = translate(given)
  expect(translated).toEqual(given)
  expect(translated).not.toBe(given)
  expect(Reflect.get(translated[0] ?? {}, '_id')).not.toBe(id)
  expect(Reflect.get(given[0] ?? {}, '_id')).toBe(id)
})

test('what holds no value of BSON stays the same object', () => {
  const signal = new AbortController().signal
  const given = [{ at: new Date(0), text: 'a', bytes: new Uint8Array(2), long: 2n, none: null }, { signal }]
  expect(translate(given)).toBe(given)
})
