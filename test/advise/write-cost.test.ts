import { expect, test } from 'vitest'
import { type Candidate } from '../../src/advise/candidate.ts'
import { countEntryWork } from '../../src/advise/write-cost.ts'
import { type BsonDocument } from '../../src/language/values/bson-types.ts'
import { createGrouping } from '../../src/sources/init/profile/call-groups.ts'
import { fail } from '../fakes/fail.ts'

/** The work for entries of an index on `city`, or another, in entries. */
function countEntries(entries: readonly BsonDocument[], changes: Partial<Candidate> = {}): number {
  const grouping = createGrouping('shop')
  for (const entry of entries) grouping.add({ ns: 'shop.orders', ...entry })
  const [group = fail('There is no call')] = grouping.result().groups
  const index = {
    collection: 'orders',
    key: [['city', 1]],
    interchangeable: 1,
    share: 1,
    options: {},
    ...changes,
  } as const
  return countEntryWork(group, index) / 5
}

const update = (u: unknown, more: BsonDocument = {}, nMatched = 1): BsonDocument => ({
  op: 'update',
  command: { q: { _id: 1 }, u, ...more },
  nMatched,
})
const remove = (limit: number, ndeleted: number): BsonDocument => ({
  op: 'remove',
  command: { q: { _id: 1 }, limit },
  ndeleted,
})
const upsert = (found: number): BsonDocument => update({ $set: { flag: true } }, { upsert: true }, found)
const insert = (ninserted: number): BsonDocument => ({ op: 'insert', command: { insert: 'orders' }, ninserted })

test('an insert writes one entry of each document', () => {
  expect(countEntries([insert(1), insert(1)])).toBe(2)
  expect(countEntries([insert(30), insert(20)])).toBe(50)
})

test('an insert writes a partial index for the documents that it has', () => {
  expect(countEntries([insert(100)], { share: 0.05 })).toBe(5)
})

test('a delete removes one entry of each document that it found', () => {
  expect(countEntries([remove(1, 1), remove(1, 1)])).toBe(2)
  expect(countEntries([remove(0, 40)])).toBe(40)
})

test.each<readonly [u: unknown, key: string, isWritten: boolean]>([
  [{ $set: { city: 'c2' } }, 'city', true],
  [{ $set: { flag: true } }, 'city', false],
  [{ $inc: { total: 1 }, $unset: { city: '' } }, 'city', true],
  [{ $set: { cityName: 'x' } }, 'city', false],
  [{ $set: { address: {} } }, 'address.city', true],
  [{ $set: { 'address.city': 'x' } }, 'address', true],
  [{ $set: { 'items.0.sku': 'x' } }, 'items.sku', true],
  [{ $set: { 'items.$.sku': 'x' } }, 'items.sku', true],
  [{ $set: { 'items.$[].sku': 'x' } }, 'items.sku', true],
  [{ $set: { 'items.$[one].sku': 'x' } }, 'items.sku', true],
  [{ $push: { items: {} } }, 'items.sku', true],
  [{ $setOnInsert: { city: 'x' } }, 'city', false],
  [[{ $set: { flag: true } }], 'city', true],
  [{ flag: true }, 'city', true],
])('an update by %j of an index on %s: %s', (u, field, isWritten) => {
  // The old entry goes, and a new one comes.
  expect(countEntries([update(u)], { key: [[field, 1]] })).toBe(isWritten ? 2 : 0)
})

test('an update of many documents writes entries of each', () => {
  expect(countEntries([update({ $set: { city: 'x' } }, { multi: true }, 30)])).toBe(60)
})

test('an upsert that finds nothing inserts', () => {
  expect(countEntries([upsert(0), upsert(1), upsert(0)])).toBe(2)
})

test('an update of what makes a document part of an index writes it', () => {
  const open = { options: { partialFilterExpression: { status: 'open' } } }
  expect(countEntries([update({ $set: { status: 'done' } })], open)).toBe(2)
})

test('a read writes nothing', () => {
  expect(countEntries([{ op: 'query', command: { find: 'orders', filter: { city: 'c1' } } }])).toBe(0)
})
