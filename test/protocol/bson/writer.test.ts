import { deserialize, serialize } from 'bson'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOfValue, fieldAt } from '../../../src/protocol/bson/types.ts'
import { BsonWriter } from '../../../src/protocol/bson/writer.ts'
import { bsonDocuments, bsonValues } from '../../fakes/bson-values.ts'
import { forAll } from '../../fakes/for-all.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const asTheLibrary = (document: object): string => hex(serialize(document, { ignoreUndefined: false }))

function written(document: object): string {
  // So small that it grows while it is written to.
  const out = new BsonWriter(1)
  out.document(document)
  return hex(out.bytes.subarray(0, out.at))
}

test('documents of all types are written as the library serializes them', () =>
  forAll(bsonDocuments, (document) => {
    expect(written(document)).toBe(asTheLibrary(document))
  }))

test('arrays of more than ten elements have keys of more than one digit', () => {
  const document = { list: Array.from({ length: 1234 }, (_, i) => i) }
  expect(written(document)).toBe(asTheLibrary(document))
})

test('whole numbers up to 2^53 are written as int64', () =>
  forAll(fc.maxSafeInteger(), (value) => {
    const out = new BsonWriter()
    out.wholeInt64(value)
    expect(out.bytes.readBigInt64LE(0)).toBe(BigInt(value))
  }))

describe('what has been written is found again', () => {
  test('the end of a value of any type', () =>
    forAll(bsonValues, fc.nat(9), (value, before) => {
      const out = new BsonWriter(16)
      for (let i = 0; i < before; i++) out.byte(1)
      const type = out.value(value)
      const end = out.at
      out.byte(1)
      expect(endOfValue(out.bytes, type, before)).toBe(end)
    }))

  test('a field at the top level, and none that is not there', () =>
    forAll(bsonDocuments, fc.boolean(), (document, hasId) => {
      const { _id: _, ...others } = document as { readonly _id?: unknown }
      const whole = hasId ? { ...others, _id: 1 } : { ...others, inner: { _id: 1 }, _id2: 1, _i: 1 }
      const out = new BsonWriter()
      out.int32(7)
      out.document(whole)
      expect(fieldAt(out.bytes, 4, '_id') >= 0).toBe(hasId)
    }))

  test('not by a type that does not exist', () =>
    expect(() => endOfValue(new Uint8Array(8), 0x55, 0)).toSay('bson-type-unknown'))
})

test('goes on in another buffer when it has handed over its own', () => {
  const out = new BsonWriter(256)
  const write = (n: number): void => {
    out.at = 0
    out.document({ int: n, double: n + 0.5, long: BigInt(n), date: new Date(n), text: `text ${n}` })
  }
  write(1)
  const first = out.replaceBuffer()
  write(2)
  const second = out.replaceBuffer(first)
  write(3)
  expect(deserialize(second.subarray(0, out.at))).toMatchObject({ int: 2, double: 2.5, long: 2, text: 'text 2' })
  expect(out.bytes).toBe(first)
  expect(deserialize(first.subarray(0, out.at))).toMatchObject({ int: 3, double: 3.5, long: 3, text: 'text 3' })
})
