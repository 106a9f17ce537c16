import { expect, test } from 'vitest'
import { usesBuckets, writersOf } from '../../src/plan/writers.ts'
import { type Spec } from '../../src/spec/schema.ts'
import { oneRow } from '../fakes/a-spec.ts'

const own = (collection: string) => ({ collection, document: { a: 1 } })

function specOf(operations: readonly object[], data: readonly object[] = [own('things')]): Spec {
  return oneRow({ data, phases: [{ name: 'go', stopAfter: { operations: 1 }, operations }] }).spec
}
const written = (spec: Spec): readonly (readonly string[])[] => writersOf(spec).map(({ collections }) => collections)

test('reads write nothing', () => {
  const reads = [
    { kind: 'find' },
    { kind: 'findOne' },
    { kind: 'aggregate', pipeline: [] },
    { kind: 'countDocuments' },
    { kind: 'distinct', key: 'a' },
    { kind: 'command', command: { ping: 1 } },
  ]
  expect(writersOf(specOf(reads))).toEqual([])
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
  expect(writersOf(specOf(writes)).map(({ kind }) => kind)).toEqual(writes.map(({ kind }) => kind))
  expect(new Set(written(specOf(writes)).flat())).toEqual(new Set(['things']))
})

test('a step writes where it says', () => {
  const steps = [
    { kind: 'findOne', collection: 'a' },
    { kind: 'insertOne', collection: 'b' },
  ]
  const writers = writersOf(specOf([{ kind: 'steps', steps }], [own('a'), own('b')]))
  expect(writers).toEqual([{ path: ['phases', 0, 'operations', 0, 'steps', 1], kind: 'insertOne', collections: ['b'] }])
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
