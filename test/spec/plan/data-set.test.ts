import { calculateObjectSize, serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { type Json, type JsonObject } from '../../../src/core/json.ts'
import { createDrawContext } from '../../../src/language/values/draw-context.ts'
import { BsonWriter } from '../../../src/protocol/bson/writer.ts'
import { createDataSet, type DataSet } from '../../../src/spec/plan/data-set.ts'
import { oneRow, problemsOf } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'
import { makeDocuments, toHex, writeDocuments } from '../../fakes/made-documents.ts'

function dataSetOf(document: Json, rows = 10, given: JsonObject = {}): DataSet {
  const { spec } = oneRow({
    data: { collection: 'things', rows, document, let: given },
    phases: [{ name: 'read', stopAfter: { operations: 1 }, operations: [{ kind: 'find' }] }],
  })
  const [first] = spec.data
  if (!first) return fail('no data set')
  return createDataSet(first, ['data', 0], { seed: spec.seed, report: (_, reason) => fail(reason) })
}

test('the `let` of a data set is evaluated for what is written, too', () => {
  const dataSet = dataSetOf({ _id: { '@var': 'n' }, again: { '@var': 'n' } }, 10, { n: { '@int': {} } })
  expect(writeDocuments(dataSet, 5)).toEqual(makeDocuments(dataSet, 5).map((one) => toHex(serialize(one))))
  const out = new BsonWriter()
  dataSet.fieldOf('_id')?.write({ ...createDrawContext(), n: 3 }, out)
  expect(out.bytes.readInt32LE(0)).toBe(makeDocuments(dataSet, 4)[3]?.['_id'])
})

describe.each<[string, Json]>([
  ['written out', { _id: { '@row': {} }, a: [{ '@int': {} }] }],
  ['constant', { a: 1, b: { c: [1] } }],
  ['literal', { '@literal': { a: 1 } }],
  ['chosen among constants', { '@choice': { values: [{ a: 1 }, { a: 2 }] } }],
  ['a filler', { '@filler': { sizeKB: 1 } }],
  ['a filler with constant fields', { '@filler': { sizeKB: 1, fields: { a: 1 } } }],
])('a document that is %s', (_, document) => {
  test('is an object of its own for every row, the same one every time', () => {
    const dataSet = dataSetOf(document)
    const documents = makeDocuments(dataSet, 5)
    const before = documents.map((one) => toHex(serialize(one)))
    for (const [i, one] of documents.entries()) one['_id'] = `mine ${i}`
    expect(documents.map((one) => one['_id'])).toEqual([0, 1, 2, 3, 4].map((i) => `mine ${i}`))
    expect(makeDocuments(dataSet, 5).map((one) => toHex(serialize(one)))).toEqual(before)
  })

  test('is written as it is built', () => {
    const dataSet = dataSetOf(document)
    expect(writeDocuments(dataSet, 5)).toEqual(makeDocuments(dataSet, 5).map((one) => toHex(serialize(one))))
  })

  test('says its size', () => {
    const { documentOf } = dataSetOf(document)
    const built = documentOf?.(3)
    expect(built?.bytes).toBe(calculateObjectSize(built?.document ?? {}))
  })
})

describe('the _id of a row is known without its document', () => {
  test.each<[Json]>([
    [{ '@row': {} }],
    [{ '@objectId': {} }],
    [{ '@uuid': {} }],
    [{ '@int': {} }],
    [{ a: { '@row': {} }, b: { '@choice': { values: ['x', 'y'] } } }],
    [{ '@concat': ['ACC', { '@row': {} }] }],
    ['one for all'],
  ])('%j', (id) => {
    for (const dataSet of [
      dataSetOf({ x: 1, _id: id }),
      dataSetOf({ '@filler': { sizeKB: 1, fields: { _id: id } } }),
    ]) {
      const compiled = dataSet.fieldOf('_id')
      const ids = [0, 1, 7].map((n) => compiled?.draw({ ...createDrawContext(), n }))
      expect(ids).toEqual([0, 1, 7].map((row) => dataSet.documentOf?.(row).document['_id']))
    }
  })

  test('is not known where the document does not say it', () =>
    expect([{ a: 1 }, { '@filler': { sizeKB: 1 } }].map((document) => dataSetOf(document).fieldOf('_id'))).toEqual([
      undefined,
      undefined,
    ]))
})

test('numbers of rows begin after the rows that are loaded, and are given out once', () => {
  const { numbers } = dataSetOf({ a: 1 }, 10)
  const taken = [numbers.take(0), numbers.take(0)]
  numbers.skip(5)
  expect([...taken, numbers.next(), numbers.take(0)]).toEqual([10, 11, 17, 17])
})

test('documents hold keys of another data set, each of a row that it has', () => {
  const { spec } = oneRow({
    data: [
      { collection: 'users', rows: 20, document: { _id: { '@objectId': {} }, name: 'x' } },
      { collection: 'orders', rows: 50, document: { _id: { '@row': {} }, user: { '@key': { of: 'users' } } } },
    ],
    phases: [{ name: 'read', stopAfter: { operations: 1 }, operations: [{ kind: 'find', collection: 'users' }] }],
  })
  const context = { seed: spec.seed, data: spec.data, report: (_: unknown, reason: string) => fail(reason) }
  const [users, orders] = spec.data.map((one, i) => createDataSet(one, ['data', i], context))
  if (!users || !orders) return fail('no data sets')
  const ids = new Set(makeDocuments(users, 20).map(({ _id }) => String(_id)))
  const used = makeDocuments(orders, 50).map(({ user }) => String(user))
  expect(used.filter((id) => !ids.has(id))).toEqual([])
  expect(new Set(used).size).toBeGreaterThan(10)
  expect(writeDocuments(orders, 50)).toEqual(makeDocuments(orders, 50).map((one) => toHex(serialize(one))))
})

describe('data that cannot be loaded is refused', () => {
  const read = { name: 'read', stopAfter: { operations: 1 } }
  test.each<[Json, string]>([
    [{ collection: 'a', rows: 1 }, 'data.rows: there are rows to load, but no "document" that defines them'],
    [{ collection: 'a', rows: 1, document: 5 }, 'data.document: a document is an object'],
    [{ collection: 'a', rows: 1, document: [] }, 'data.document: a document is an object'],
    [
      { collection: 'a', rows: 1, document: { $date: '2026-01-01T00:00:00Z' } },
      'data.document: a document is an object',
    ],
    [
      { collection: 'a', document: { a: { '@filler': { sizeKB: 16_384, style: 'text' } } } },
      'data.document: row 0 has 16,777,224 bytes of BSON; the server takes at most 16,777,216',
    ],
    [
      { collection: 'a', document: { a: { '@key': {} } } },
      'data.document.a.@key: documents of data sets cannot draw rows: they are made before any row is known',
    ],
    [
      [
        { collection: 'a', rows: 1, document: { _id: { '@key': { of: 'b' } } } },
        { collection: 'b', rows: 1, document: { _id: { '@key': {} } } },
      ],
      'data[1].document._id.@key: documents of data sets cannot draw rows: they are made before any row is known',
    ],
    [[{ collection: 'a' }, { collection: 'a' }], 'data[1].collection: this collection is in "data" twice'],
    [{ collection: 'system.users' }, 'data.collection: must not be a name that the server or mongo-perf reserves'],
  ])('%j', (data, problem) => {
    const collection = Array.isArray(data) ? 'a' : undefined
    const phases = [{ ...read, operations: [{ kind: 'find', collection }] }]
    expect(problemsOf({ data, phases })).toEqual([problem])
  })
})
