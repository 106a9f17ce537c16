import { expect, test } from 'vitest'
import { computeFingerprint, type KeptCollection, reusable, serializeRules } from '../../../src/run/data/reuse.ts'
import { type Touch, classifyWrites, findLaterRequest } from '../../../src/run/data/reuse.ts'
import { type DataSetSpec } from '../../../src/spec/schema/data-schema.ts'
import { type Spec } from '../../../src/spec/schema/schema.ts'
import { oneRow } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

const base = { collection: 'things', rows: 10, document: { _id: { '@row': {} } }, reuse: true }

function specOf(data: object = {}, operation: object = { kind: 'find', limit: 1 }): Spec {
  const phases = [{ name: 'go', stopAfter: { operations: 1 }, operations: [operation] }]
  return oneRow({ data: { ...base, ...data }, phases }).spec
}
const dataSetOf = ({ data: [first] }: Spec): DataSetSpec => first ?? fail('no data set')
const given = (data: object = {}): DataSetSpec => dataSetOf(specOf(data))

function left(changes: Partial<KeptCollection> = {}): ReadonlyMap<string, KeptCollection> {
  const made = { fingerprint: computeFingerprint(given(), 42), rules: serializeRules(given()) }
  const filled = { rows: 10, meanDocumentBytes: 14 }
  return new Map([['things', { ...made, filled, indexes: new Map(), touched: 'nothing', hasCopy: false, ...changes }]])
}
const canReuse = (spec: DataSetSpec, kept = left(), seed = 42): boolean =>
  reusable(spec, seed, new Map(kept)) !== undefined

test('rows are kept when the same would be loaded', () => {
  expect(canReuse(given())).toBe(true)
  expect(canReuse(given({ indexes: [{ key: { a: 1 } }] }))).toBe(true)
  expect(canReuse(given({ options: { validator: { a: 1 } } }))).toBe(true)
})

test.each<[string, object]>([
  ['rows', { rows: 11 }],
  ['document', { document: { _id: { '@row': {} }, a: 1 } }],
  ['let', { let: { a: 1 } }],
  ['options', { options: { collation: { locale: 'de' } } }],
  ['indexBuild', { indexBuild: 'before' }],
  ['a request to reuse that is not there', { reuse: false }],
])('other %s are loaded', (_, data) => {
  expect(canReuse(given(data))).toBe(false)
})

test('rows that lie on other shards are loaded', () => {
  const sharding = { key: { _id: 1 as const }, splitAt: [{ _id: 5 }], chunksTo: [0, 1] }
  const elsewhere = { ...given(), sharding }
  expect(canReuse(elsewhere)).toBe(false)
  expect(canReuse(elsewhere, left({ fingerprint: computeFingerprint(elsewhere, 42) }))).toBe(true)
})

test('another seed makes other rows', () => {
  expect(canReuse(given(), left(), 43)).toBe(false)
})

test('rows that were written to come back only from a copy', () => {
  for (const touched of ['updates', 'anything'] as const) {
    expect(canReuse(given(), left({ touched }))).toBe(false)
    expect(canReuse(given(), left({ touched, hasCopy: true }))).toBe(true)
  }
})

test('rows that updates have changed are kept where that makes no difference', () => {
  const changed = given({ reuse: 'changed' })
  expect(canReuse(changed)).toBe(true)
  expect(canReuse(changed, left({ touched: 'updates' }))).toBe(true)
  expect(canReuse(changed, left({ touched: 'anything' }))).toBe(false)
})

test('rows that the server removes by itself are never kept', () => {
  const indexes = [{ key: { at: 1 }, expireAfterSeconds: 60 }]
  const withTtl = given({ indexes })
  expect(canReuse(withTtl)).toBe(false)
  expect(classifyWrites(specOf(), withTtl)).toBe('anything')
  expect(findLaterRequest(specOf({ indexes }), given(), 42)).toBeUndefined()
})

const update = { filter: {}, update: { $inc: { a: 1 } } }

test.each<[Touch, object]>([
  ['nothing', { kind: 'find', limit: 1 }],
  ['updates', { kind: 'updateOne', ...update }],
  ['updates', { kind: 'updateMany', ...update, upsert: false }],
  ['updates', { kind: 'findOneAndUpdate', ...update }],
  ['updates', { kind: 'bulkWrite', operations: [{ updateOne: update }] }],
  ['updates', { kind: 'steps', steps: [{ kind: 'updateOne', ...update }] }],
  ['anything', { kind: 'updateOne', ...update, upsert: true }],
  ['anything', { kind: 'insertOne' }],
  ['anything', { kind: 'deleteOne', filter: {} }],
  ['anything', { kind: 'replaceOne', filter: {}, replacement: {} }],
  ['anything', { kind: 'bulkWrite', operations: [{ updateOne: update }, { insertOne: {} }] }],
])('%s may be done by %j', (touch, operation) => {
  expect(classifyWrites(specOf({}, operation), given())).toBe(touch)
})

test('what is done to other collections does not count', () => {
  expect(classifyWrites(specOf({}, { kind: 'insertOne' }), given({ collection: 'others' }))).toBe('nothing')
})

test('a row that comes next may ask for the same', () => {
  expect(findLaterRequest(undefined, given(), 42)).toBeUndefined()
  expect(findLaterRequest(specOf({ indexes: [{ key: { a: 1 } }] }), given(), 42)).toBeDefined()
  expect(findLaterRequest(specOf({ rows: 20 }), given(), 42)).toBeUndefined()
  expect(findLaterRequest(specOf({ reuse: false }), given(), 42)).toBeUndefined()
})
