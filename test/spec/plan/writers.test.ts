import { expect, test } from 'vitest'
import { type Namespace } from '../../../src/load/engines/intent.ts'
import { type Overrides } from '../../../src/spec/parse/overrides.ts'
import { madeByOutputs, usesBuckets, writeConcernsOfChanges, listWriters } from '../../../src/spec/plan/writers.ts'
import { type Spec } from '../../../src/spec/schema/schema.ts'
import { oneRow } from '../../fakes/a-spec.ts'

const own = (collection: string) => ({ collection, document: { a: 1 } })

function specOf(
  operations: readonly object[],
  data: readonly object[] = [own('things')],
  parts: object = {},
  overrides: Overrides = {},
): Spec {
  return oneRow({ data, phases: [{ name: 'go', stopAfter: { operations: 1 }, operations }], ...parts }, overrides).spec
}
const textOf = ({ database, collection }: Namespace): string =>
  database === undefined ? collection : `${database}.${collection}`
const written = (spec: Spec): readonly (readonly string[])[] =>
  listWriters(spec).map(({ namespaces }) => namespaces.map(textOf))

test('reads write nothing', () => {
  const reads = [
    { kind: 'find' },
    { kind: 'findOne' },
    { kind: 'aggregate', pipeline: [] },
    { kind: 'countDocuments' },
    { kind: 'distinct', key: 'a' },
    { kind: 'command', command: { ping: 1 } },
  ]
  expect(listWriters(specOf(reads))).toEqual([])
})

test('whatever may change a document writes', () => {
  const writes = [
    { kind: 'insertOne' },
    { kind: 'insertMany', documentsPerCall: 2 },
    { kind: 'updateOne', update: { $set: { a: 2 } } },
    { kind: 'deleteMany' },
    { kind: 'findOneAndDelete' },
    { kind: 'bulkWrite', operations: [{ insertOne: { document: {} } }] },
  ]
  expect(listWriters(specOf(writes)).map(({ keyword: word }) => word)).toEqual(writes.map(({ kind }) => kind))
  expect(new Set(written(specOf(writes)).flat())).toEqual(new Set(['things']))
})

test('a step writes where it says', () => {
  const steps = [
    { kind: 'findOne', collection: 'a' },
    { kind: 'insertOne', collection: 'b' },
  ]
  const writers = listWriters(specOf([{ kind: 'steps', steps }], [own('a'), own('b')]))
  const path = ['phases', 0, 'operations', 0, 'steps', 1]
  expect(writers).toMatchObject([
    { path, keyword: 'insertOne', namespaces: [{ database: undefined, collection: 'b' }] },
  ])
})

test('a bulk of a client writes to each collection that it names', () => {
  const operations = [{ insertOne: { collection: 'b', document: {} } }, { deleteOne: { filter: {} } }]
  const spec = specOf([{ kind: 'clientBulkWrite', collection: 'a', operations }], [own('a'), own('b'), own('c')])
  expect(written(spec)).toEqual([['b', 'a']])
})

test('files are written to the collections of their bucket', () => {
  const spec = specOf([{ kind: 'gridfsUpload', filename: 'a', sizeKB: 1 }])
  expect(written(spec)).toEqual([['fs.files', 'fs.chunks']])
  expect(usesBuckets(spec)).toBe(true)
  expect(usesBuckets(specOf([{ kind: 'find' }]))).toBe(false)
})

test('an aggregate writes where its last stage says', () => {
  const spec = specOf(
    [
      { kind: 'aggregate', collection: 'a', pipeline: [{ $match: {} }, { $out: 'b' }] },
      {
        kind: 'steps',
        steps: [
          { kind: 'aggregate', collection: 'b', pipeline: [{ $merge: { into: 'made', whenMatched: 'replace' } }] },
        ],
      },
      {
        kind: 'aggregate',
        name: 'own',
        collection: 'a',
        pipeline: [{ $out: { db: 'mongoperf_small', coll: 'made' } }],
      },
      { kind: 'aggregate', name: 'allowed', collection: 'orders', pipeline: [{ $merge: 'daily' }] },
    ],
    [own('a'), own('b'), { existing: 'shop.orders' }],
    { target: { kind: 'existing' }, allow: ['$out', '$merge'] },
    { allow: ['$out', '$merge'], allowWrites: ['shop.daily'] },
  )
  expect(written(spec)).toEqual([['b'], ['made'], ['made'], ['shop.daily']])
  expect(listWriters(spec)[1]).toMatchObject({
    path: ['phases', 0, 'operations', 1, 'steps', 0, 'pipeline', 0, '$merge'],
    keyword: '$merge',
  })
  expect([...madeByOutputs(spec)]).toEqual(['made'])
})

test('documents come and go with the write concern of each phase that inserts or deletes, or of the transaction', () => {
  const insert = { kind: 'insertOne', collection: 'things' }
  const find = { kind: 'findOne', collection: 'things' }
  const stopAfter = { operations: 1 }
  const reads = { name: 'read', stopAfter, operations: [find] }
  const alone = { name: 'alone', stopAfter, writeConcern: { w: 1 }, operations: [insert, find] }
  const whole = { kind: 'transaction', steps: [insert] }
  const together = { name: 'together', stopAfter, writeConcern: { w: 2 }, operations: [whole] }
  const other = { ...insert, collection: 'others' }
  const elsewhere = { name: 'elsewhere', stopAfter, writeConcern: { w: 3 }, operations: [other] }
  const update = { kind: 'updateOne', collection: 'things', filter: {}, update: { $set: { a: 1 } } }
  const updates = { name: 'update', stopAfter, writeConcern: { w: 0 }, operations: [update] }
  const phases = [reads, alone, together, elsewhere, updates]
  const target = { kind: 'replicaSet', members: 3 }
  const { spec } = oneRow({ data: [own('things'), own('others')], phases, target })
  expect(writeConcernsOfChanges('things', spec)).toMatchObject([{ w: 1 }, { w: 'majority' }])
  expect(writeConcernsOfChanges('others', spec)).toMatchObject([{ w: 3 }])
})
