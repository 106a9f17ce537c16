import { expect, test } from 'vitest'
import { type Demand, listDemands, listFields } from '../../src/advise/demands.ts'
import { readAggregate, readCall, readFind } from './calls-of-a-shop.ts'

const demand = (found: Partial<Demand>): Demand => ({
  collection: 'orders',
  filter: {},
  sort: [],
  covered: null,
  collation: undefined,
  ...found,
})

/** What stands in a filter for the value of a document that is joined. */
const joined: unknown = expect.any(String)

test('a find asks for its filter, its order and its collation', () => {
  const call = { filter: { city: 'c1' }, sort: { at: -1, total: 1 }, collation: { locale: 'en', strength: 2 } }
  expect(listDemands(readFind(call))).toEqual([
    demand({
      filter: { city: 'c1' },
      sort: [
        ['at', -1],
        ['total', 1],
      ],
      collation: { locale: 'en', strength: 2 },
    }),
  ])
})

test.each([
  [{ total: 1 }, ['total', '_id']],
  [{ total: true, _id: 0 }, ['total']],
  [{ total: 1, city: 1, _id: false }, ['total', 'city']],
  [{ total: 0 }, null],
  [{ _id: 0 }, null],
  [{ total: { $round: '$total' } }, null],
  [undefined, null],
])('the projection %j leaves %j to be answered', (projection, covered) => {
  expect(listDemands(readFind({ filter: { city: 'c1' }, projection }))).toEqual([
    demand({ filter: { city: 'c1' }, covered }),
  ])
})

test.each([{ score: { $meta: 'textScore' } }, { $natural: -1 }])('no index keeps the order %j', (sort) => {
  expect(listDemands(readFind({ filter: { a: 1 }, sort }))).toEqual([demand({ filter: { a: 1 } })])
})

test('a distinct needs its key alone', () => {
  const call = readCall('command', { distinct: 'orders', key: 'city', query: { flag: true } })
  expect(listDemands(call)).toEqual([demand({ filter: { flag: true }, covered: ['city'] })])
})

test('a call with a hint asks for nothing', () => {
  expect(listDemands(readFind({ filter: { a: 1 }, hint: { a: 1 } }))).toEqual([])
})

test('updates and deletes ask for their filters', () => {
  expect(listDemands(readCall('update', { q: { email: 'x' }, u: { $set: { flag: true } } }))).toEqual([
    demand({ filter: { email: 'x' } }),
  ])
  expect(listDemands(readCall('remove', { q: { email: 'x' }, limit: 1 }))).toEqual([demand({ filter: { email: 'x' } })])
})

test('a pipeline asks for its leading $match, the $sort after it, and the fields of the $group after that', () => {
  const call = readAggregate(
    { $match: { city: 'c1' } },
    { $match: { flag: true } },
    { $sort: { at: 1 } },
    { $group: { _id: '$customer', all: { $sum: '$total' }, first: { $first: '$at' } } },
    { $match: { all: { $gt: 5 } } },
  )
  expect(listDemands(call)).toEqual([
    demand({
      filter: { $and: [{ city: 'c1' }, { flag: true }] },
      sort: [['at', 1]],
      covered: ['customer', 'total', 'at'],
    }),
  ])
})

test('what comes after another stage asks for nothing', () => {
  expect(listDemands(readAggregate({ $unwind: '$items' }, { $match: { city: 'c1' } }, { $sort: { at: 1 } }))).toEqual([
    demand({}),
  ])
})

test('a group of whole documents needs all of them', () => {
  const call = readAggregate({ $match: { a: 1 } }, { $group: { _id: '$city', all: { $push: '$$ROOT' } } })
  expect(listDemands(call)).toEqual([demand({ filter: { a: 1 } })])
})

test.each([
  [{ $count: 'n' }, []],
  [{ $project: { total: 1, _id: 0 } }, ['total']],
  [{ $project: { twice: { $add: ['$total', '$total'] } } }, null],
  [{ $limit: 5 }, null],
])('after a $match, %j leaves %j to be answered', (stage, covered) => {
  expect(listDemands(readAggregate({ $match: { a: 1 } }, stage))).toEqual([demand({ filter: { a: 1 }, covered })])
})

test('a $lookup by field asks the other collection for it', () => {
  const $lookup = { from: 'customers', localField: 'email', foreignField: 'mail', as: 'who' }
  expect(listDemands(readAggregate({ $match: { _id: 1 } }, { $lookup }))).toEqual([
    demand({ filter: { _id: 1 } }),
    demand({ collection: 'customers', filter: { mail: joined } }),
  ])
})

test('a $lookup by a pipeline asks for the fields that $expr compares, beside its filter, with its order', () => {
  const $expr = { $and: [{ $eq: ['$mail', '$$mail'] }, { $eq: ['$$city', '$city'] }, { $gt: ['$age', 5] }] }
  const pipeline = [{ $match: { active: true, $expr } }, { $sort: { since: -1 } }, { $project: { name: 1, _id: 0 } }]
  const $lookup = { from: 'customers', let: { mail: '$email', city: '$city' }, pipeline, as: 'who' }
  expect(listDemands(readAggregate({ $lookup })).slice(1)).toEqual([
    demand({
      collection: 'customers',
      filter: { active: true, mail: joined, city: joined },
      sort: [['since', -1]],
      covered: ['name'],
    }),
  ])
})

test('a $lookup within a $lookup asks a third collection', () => {
  const inner = { from: 'cities', localField: 'city', foreignField: 'name', as: 'city' }
  const $lookup = { from: 'customers', localField: 'c', foreignField: 'nr', pipeline: [{ $lookup: inner }], as: 'who' }
  expect(listDemands(readAggregate({ $lookup })).slice(1)).toEqual([
    demand({ collection: 'customers', filter: { nr: joined } }),
    demand({ collection: 'cities', filter: { name: joined } }),
  ])
})

test('a $graphLookup asks for the field that it connects to, and a $unionWith what its pipeline asks', () => {
  const $graphLookup = { from: 'staff', startWith: '$boss', connectFromField: 'boss', connectToField: 'nr', as: 'up' }
  const $unionWith = { coll: 'archive', pipeline: [{ $match: { city: 'c1' } }] }
  expect(listDemands(readAggregate({ $graphLookup }, { $unionWith })).slice(1)).toEqual([
    demand({ collection: 'staff', filter: { nr: joined } }),
    demand({ collection: 'archive', filter: { city: 'c1' } }),
  ])
})

test('the fields of a demand are those of its filter, its order and its answer', () => {
  const [one = demand({})] = listDemands(
    readFind({ filter: { $or: [{ a: 1 }, { b: { $gt: 1 } }] }, sort: { c: 1 }, projection: { d: 1, _id: 0 } }),
  )
  expect([...listFields(one)]).toEqual(['a', 'b', 'c', 'd'])
})
