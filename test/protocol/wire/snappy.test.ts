import { uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { unpackSnappy } from '../../../src/protocol/wire/decompress.ts'
import { MalformedMessage } from '../../../src/protocol/wire/wire-error.ts'
import { forAll } from '../../fakes/for-all.ts'

test('literals and copies with offsets of one, two and four bytes are unpacked', () => {
  const packed = Buffer.concat([
    Buffer.from([31]),
    // "abcd", and eight bytes from four bytes before.
    Buffer.from([3 << 2]),
    Buffer.from('abcd'),
    Buffer.from([((8 - 4) << 2) | 1, 4]),
    // Ten bytes from twelve before, with two bytes.
    Buffer.from([(9 << 2) | 2, 12, 0]),
    // Five bytes from one before, with four.
    Buffer.from([(4 << 2) | 3, 1, 0, 0, 0]),
    // Four bytes, with a length of its own.
    Buffer.from([60 << 2, 3]),
    Buffer.from('wxyz'),
  ])
  expect(unpackSnappy(packed, 31).toString()).toBe('abcdabcdabcdabcdabcdabbbbbbwxyz')
})

test('bytes that are no Snappy are refused, whatever they are', () => {
  expect(() => unpackSnappy(Buffer.from([4, 0xfe]), 4)).toThrow(MalformedMessage)
  forAll(uint8Array({ maxLength: 60 }), (bytes) => {
    expect(lengthOrRefusal(Buffer.from(bytes))).toSatisfy((read) => read === 20 || read instanceof MalformedMessage)
  })
})

function lengthOrRefusal(bytes: Buffer): unknown {
  try {
    return unpackSnappy(bytes, 20).length
  } catch (error) {
    return error
  }
}
