import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'
import { problemsOf } from '../../fakes/a-spec.ts'

describe('@row', () => {
  test('is the number of the row, an int64 when it is large', () => {
    const { draw } = compileJson({ '@row': {} })
    expect([draw(0), draw(5), draw(2 ** 31)]).toEqual([0, 5, 2n ** 31n])
  })

  test('does not stand in an operation', () =>
    expect(() => compileJson({ '@row': {} }, { inRow: false })).toSay('row-outside-document'))
})

describe('@key', () => {
  test('is the _id of the row that is asked for', () => {
    expect(compileJson({ '@key': { row: 7 } }).draw(0)).toBe(7)
    expect(compileJson({ '@key': { row: { '@add': [{ '@choice': { values: [3] } }, 4] } } }).draw(0)).toBe(7)
  })

  test('draws among all rows given out by default', () => {
    const drawn = compileJson({ '@key': {} }, { rows: 5 }).first(200)
    expect(new Set(drawn)).toEqual(new Set([0, 1, 2, 3, 4]))
    const later = compileJson({ '@key': { first: 3 } }, { rows: 5 }).first(200)
    expect(new Set(later)).toEqual(new Set([3, 4]))
  })

  test.each<Json>([
    { row: 1, first: 1 },
    { row: 1, count: 1 },
    { row: 1, distribution: 'uniform' },
  ])('either names a row or draws one: %j', (argument) => {
    expect(() => compileJson({ '@key': argument })).toSay('row-given-and-drawn', { keyword: '@key' })
    expect(() => compileJson({ '@document': argument })).toSay('row-given-and-drawn', { keyword: '@document' })
  })
})

test('rows without a document in the spec get a hint to sample them', () =>
  expect(problemsOf({ data: { collection: 'things' } })).toSay('rows-without-document'))

const problemsOfExisting = (operation: object): readonly string[] =>
  problemsOf(
    {
      target: { kind: 'existing' },
      data: { existing: 'shop.orders' },
      phases: [{ name: 'write', stopAfter: { operations: 10 }, operations: [operation] }],
    },
    { allowWrites: ['shop.orders'] },
  )

describe('rows of an existing collection', () => {
  test.each([
    ['document._id', { kind: 'insertOne', document: { _id: { '@nextRow': {} } } }],
    [
      'filter._id',
      { kind: 'updateOne', filter: { _id: { '@nextRow': {} } }, update: { $set: { n: 1 } }, upsert: true },
    ],
    [
      'operations[0].insertOne.document._id',
      { kind: 'bulkWrite', operations: [{ insertOne: { document: { _id: { '@nextRow': { of: 'orders' } } } } }] },
    ],
  ])('are not counted on from 0: %s', (place, operation) =>
    expect(problemsOfExisting(operation)).toSay('next-row-of-existing', { place }),
  )

  test('are not inserted without a document', () =>
    expect(problemsOfExisting({ kind: 'insertOne' })).toSay('insert-without-document'))

  test('may have ids that are new by themselves', () => {
    expect(problemsOfExisting({ kind: 'insertOne', document: { _id: { '@objectId': {} } } })).toEqual([])
    expect(problemsOfExisting({ kind: 'insertMany', documentsPerCall: 3, document: { n: 1 } })).toEqual([])
  })
})

describe('without rows', () => {
  test.each(['@key', '@pickRow'])('%s is refused', (word) => {
    expect(() => compileJson({ [word]: {} }, { rows: 0 })).toSay('rows-none-to-pick', { word })
    expect(() => compileJson({ [word]: { first: 5 } }, { rows: 5 })).toSay('rows-none-left-to-pick', { word })
  })

  test('a count sets the number of rows', () =>
    expect(compileJson({ '@pickRow': { count: 1 } }, { rows: 0 }).draw(0)).toBe(0))
})
