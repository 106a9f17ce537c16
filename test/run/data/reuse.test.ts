import { expect, test } from 'vitest'
import {
  fingerprintOf,
  isWantedBy,
  type KeptCollection,
  reusable,
  rulesOf,
  touches,
} from '../../../src/run/data/reuse.ts'
import { type DataSetSpec } from '../../../src/spec/data-schema.ts'
import { type Spec } from '../../../src/spec/schema.ts'
import { oneRow } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

const base = { collection: 'things', rows: 10, document: { _id: { '@row': {} } }, reuse: true }

function specOf(data: object = {}, operation: object = { kind: 'find', limit: 1 }): Spec {
  const phases = [{ name: 'go', stopAfter: { operations: 1 }, operations: [operation] }]
  return oneRow({ data: { ...base, ...data }, phases }).spec
}
const dataSetOf = ({ data: [first] }: Spec): DataSetSpec => first ?? fail('no data set')
const given = (data: object = {}): DataSetSpec => dataSetOf(specOf(data))

const left = (changes: Partial<KeptCollection> = {}): ReadonlyMap<string, KeptCollection> =>
  new Map([
    [
      'things',
      {
        fingerprint: fingerprintOf(given(), 42),
        rules: rulesOf(given()),
        filled: { rows: 10, meanDocumentBytes: 14 },
        indexes: new Map(),
        isUntouched: true,
        hasCopy: false,
        ...changes,
      },
    ],
  ])
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
  ['a wish to reuse that is not there', { reuse: false }],
])('other %s are loaded', (_, data) => {
  expect(canReuse(given(data))).toBe(false)
})

test('another seed makes other rows', () => {
  expect(canReuse(given(), left(), 43)).toBe(false)
})

test('rows that were written to come back only from a copy', () => {
  expect(canReuse(given(), left({ isUntouched: false }))).toBe(false)
  expect(canReuse(given(), left({ isUntouched: false, hasCopy: true }))).toBe(true)
})

test('rows that the server removes by itself are never kept', () => {
  const withTtl = given({ indexes: [{ key: { at: 1 }, expireAfterSeconds: 60 }] })
  expect(canReuse(withTtl)).toBe(false)
  expect(touches(specOf(), withTtl)).toBe(true)
  expect(isWantedBy(specOf({ indexes: [{ key: { at: 1 }, expireAfterSeconds: 60 }] }), given(), 42)).toBe(false)
})

test('a row is known to write by what its operations are', () => {
  expect(touches(specOf(), given())).toBe(false)
  expect(touches(specOf({}, { kind: 'insertOne' }), given())).toBe(true)
  expect(touches(specOf({}, { kind: 'insertOne' }), given({ collection: 'others' }))).toBe(false)
})

test('a copy is wanted by a row that comes next and asks for the same', () => {
  expect(isWantedBy(undefined, given(), 42)).toBe(false)
  expect(isWantedBy(specOf({ indexes: [{ key: { a: 1 } }] }), given(), 42)).toBe(true)
  expect(isWantedBy(specOf({ rows: 20 }), given(), 42)).toBe(false)
  expect(isWantedBy(specOf({ reuse: false }), given(), 42)).toBe(false)
})
