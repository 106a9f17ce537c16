import { type Document, Int32 } from 'bson'
import { expect, test } from 'vitest'
import { documentsFor } from '../../../src/traffic/data/document-for.ts'

/** The documents as plain objects, with numbers as such. */
const made = (filter: Document): readonly unknown[] => documentsFor(filter).map(plain)

function plain(value: unknown): unknown {
  if (value instanceof Int32) return value.value
  return value instanceof Map ? Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)])) : value
}

test.each<[string, Document, readonly object[]]>([
  [
    'equal values',
    { status: 'open', 'address.city': 'Ulm', 'address.zip': 5 },
    [{ status: 'open', address: { city: 'Ulm', zip: 5 } }],
  ],
  ['whole documents', { address: { city: 'Ulm' } }, [{ address: { city: 'Ulm' } }]],
  ['bounds', { a: { $gt: new Int32(3), $lt: new Int32(9) }, b: { $lte: 7 } }, [{ a: 4, b: 7 }]],
  [
    'a choice',
    { kind: 'a', _id: { $in: [1, 2] } },
    [
      { kind: 'a', _id: 1 },
      { kind: 'a', _id: 2 },
    ],
  ],
  ['fields that are something else', { a: { $ne: 5 }, b: { $exists: false }, c: { $exists: true } }, [{ c: true }]],
  [
    'all of several filters, and the first of alternatives',
    { $and: [{ a: 1 }, { $or: [{ b: 2 }, { c: 3 }] }] },
    [{ a: 1, b: 2 }],
  ],
  ['everything', {}, [{}]],
])('a filter for %s has documents that it finds', (_, filter, documents) => expect(made(filter)).toEqual(documents))

test.each<Document>([
  { $text: { $search: 'a' } },
  { place: { $near: [1, 2] } },
  { a: { $gt: 'text' } },
  { a: { $eq: 1, constructor: 2 } },
  { a: { $in: 5 } },
  { $or: 5 },
  { $and: [5] },
])('of %j no one can say what it finds', (filter) => expect(made(filter)).toEqual([]))

test('names of fields reach no prototype', () => {
  documentsFor(JSON.parse('{ "__proto__.planted": 1, "a.__proto__.planted": 1, "constructor.prototype.planted": 1 }'))
  expect(({} as { readonly planted?: unknown }).planted).toBeUndefined()
})
