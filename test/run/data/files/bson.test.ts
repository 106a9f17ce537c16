import { gzipSync } from 'node:zlib'
import { serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { asBson } from '../../../../bench/dumps.ts'
import { useFolder } from '../../../fakes/temporary-folder.ts'
import { readFileOf } from './read-file.ts'

const folder = useFolder()
const read = (bytes: Uint8Array, name = 'orders.bson', most = 0) => readFileOf(folder, name, bytes, { most })

const documents = Array.from({ length: 5000 }, (_, a) => ({
  _id: a,
  text: 'ü'.repeat(a % 97),
  inner: { list: [a, { a }] },
}))

test('documents come as they are, also where they lie across the pieces in which a file is read', async () => {
  expect(await read(asBson(documents))).toEqual(documents)
  expect(await read(Buffer.alloc(0))).toEqual([])
})

test('a compressed file is read like any other, whatever its name ends with', async () => {
  expect(await read(gzipSync(asBson(documents)), 'orders.bson.gz')).toEqual(documents)
  expect(await read(gzipSync(asBson(documents)), 'orders.bson')).toEqual(documents)
})

test('only the first documents are read when only they are wanted: what follows may be broken', async () => {
  const bytes = Buffer.concat([asBson(documents.slice(0, 2)), Buffer.from([1, 2, 3, 4, 5])])
  expect(await read(bytes, 'orders.bson', 2)).toEqual(documents.slice(0, 2))
})

describe('what is no BSON is refused with the byte at which its document begins', () => {
  const first = serialize({ _id: 1 })
  const behind = (bytes: readonly number[]): Buffer => Buffer.concat([first, Buffer.from(bytes)])
  const lie = (length: number): Buffer => {
    const bytes = Buffer.from(serialize({ text: 'abc' }))
    bytes.writeInt32LE(length, 4 + 1 + 5)
    return Buffer.concat([first, bytes])
  }
  const deep = (levels: number): Buffer => {
    let bytes = Buffer.from(serialize({}))
    for (let i = 0; i < levels; i++) {
      const frame = Buffer.from([0, 0, 0, 0, 3, 0x61, 0])
      frame.writeInt32LE(bytes.length + 8)
      bytes = Buffer.concat([frame, bytes, Buffer.from([0])])
    }
    return Buffer.concat([first, bytes])
  }

  test.each([
    ['a length of 2 GB', behind([0xff, 0xff, 0xff, 0x7f, 0]), 'bson-length-wrong'],
    ['a negative length', behind([0xff, 0xff, 0xff, 0xff, 0]), 'bson-length-negative'],
    ['a length of 4', behind([4, 0, 0, 0, 0]), 'bson-length-small'],
    ['a file that ends in a document', behind([...serialize({ text: 'abc' })].slice(0, 12)), 'bson-cut-in-document'],
    ['a file that ends in a length', behind([7, 0]), 'bson-cut-in-length'],
    ['a document without its end', behind([6, 0, 0, 0, 0, 1]), 'bson-without-end'],
    ['a text of 2 GB inside', lie(2 ** 31 - 1), 'bson-text-too-long'],
    ['a text of negative length inside', lie(-100), 'bson-text-negative'],
    ['a type that does not exist', behind([8, 0, 0, 0, 0x42, 0x61, 0, 0]), 'dump-type-unknown'],
    ['a key without an end', behind([8, 0, 0, 0, 0x0a, 0x61, 0x61, 0]), 'bson-key-without-end'],
    ['documents in documents', deep(5000), 'bson-too-deep'],
  ])('%s', async (_, bytes, code) => {
    await expect(read(bytes)).rejects.toSay(code)
    await expect(read(gzipSync(bytes))).rejects.toSay(code)
  })
})

test('a file that is cut short while it is decompressed is named', async () => {
  const bytes = gzipSync(asBson(documents))
  await expect(read(bytes.subarray(0, bytes.length - 100))).rejects.toSay('bson-gzip-cut')
})

test('no byte that is changed leads a reader out of its document, or into an endless loop', async () => {
  const bytes = asBson(documents.slice(0, 3))
  for (let at = 0; at < bytes.length; at++)
    for (const value of [0, 0x7f, 0xff]) {
      const changed = Buffer.from(bytes)
      changed[at] = value
      // It may be BSON still, of other values.
      const outcome = await read(changed).catch((error: Error) => error.constructor.name)
      expect(Array.isArray(outcome) || outcome === 'Problem' || outcome === 'BSONError').toBe(true)
    }
})
