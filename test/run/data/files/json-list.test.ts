import { expect, test } from 'vitest'
import { useFolder } from '../../../fakes/temporary-folder.ts'
import { readFileOf } from './read-file.ts'

const folder = useFolder()
const read = (text: string | Buffer, most = 0) => readFileOf(folder, 'orders.json', text, { most })

const documents = Array.from({ length: 9000 }, (_, a) => ({ a, text: '{[\\"}]ü'.repeat(a % 9), inner: [{ a }, []] }))

test('the documents of a list are read, however it is laid out', async () => {
  expect(await read(JSON.stringify(documents))).toEqual(documents)
  expect(await read(`\uFEFF ${JSON.stringify(documents, null, 4)}\n`)).toEqual(documents)
  expect(await read('[]')).toEqual([])
  expect(await read('[{"_id":{"$oid":"0123456789abcdef01234567"},"at":{"$date":"2026-01-01T00:00:00Z"}}]')).toEqual([
    { _id: expect.objectContaining({}), at: new Date('2026-01-01T00:00:00Z') },
  ])
})

test('documents over several lines are read without a list around them too', async () => {
  expect(await read('{\n  "a": 1\n}\n{\n  "a": { "b": 2 } }')).toEqual([{ a: 1 }, { a: { b: 2 } }])
})

test('only the first documents are read when only they are wanted: what follows may be broken', async () => {
  expect(await read('[{"a":1}, {"a":2}, nonsense', 2)).toEqual([{ a: 1 }, { a: 2 }])
})

test.each([
  ['a number in the list', '[{"a":1}, 2]', 'json-item-no-document'],
  ['a list in the list', '[[{"a":1}]]', 'json-list-in-list'],
  ['a document that is not JSON', '[{"a":1},\n{"a":}]', 'json-item-not-json'],
  ['a document without an end', '[{"a":1},{"a":"}]', 'json-item-cut'],
  ['a list without an end', '[{"a":1}', 'json-list-cut'],
  ['something behind the list', '[{"a":1}] {"a":2}', 'json-behind-list'],
  ['a document of 20 MB', `[{"a":1},{"a":"${'x'.repeat(20_000_000)}"}]`, 'json-item-too-long'],
  ['what opens and never closes', `[${'{"a":'.repeat(100_000)}`, 'json-item-deep-cut'],
  ['bytes that are no text', Buffer.from([0x5b, 0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d, 0x5d]), 'json-item-not-utf8'],
])('%s is refused with the number and the byte of the document', async (_, text, code) => {
  await expect(read(text)).rejects.toSay(code)
})
