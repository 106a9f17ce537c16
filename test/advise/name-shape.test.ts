import { expect, test } from 'vitest'
import { nameShape } from '../../src/advise/demands.ts'
import { type ProfiledCall } from '../../src/sources/init/profile/profiled-call.ts'
import { readAggregate, readCall, readFind } from './calls-of-a-shop.ts'

test.each<readonly [name: string, call: ProfiledCall]>([
  ['find {}', readFind({})],
  ['find {customer, at} sort {at}', readFind({ filter: { customer: 1, at: { $gt: 1 } }, sort: { at: -1 } })],
  ['find {city, $or ({a}, {b, c})}', readFind({ filter: { city: 'c1', $or: [{ a: 1 }, { b: 1, c: 1 }] } })],
  ['findOne {email}', readFind({ filter: { email: 'x' }, limit: 1, singleBatch: true })],
  [
    'aggregate $match {city} → $sort {at} → $group',
    readAggregate({ $match: { city: 'c1' } }, { $sort: { at: 1 } }, { $group: { _id: '$city' } }),
  ],
  ['aggregate', readAggregate()],
  ['updateOne {email}', readCall('update', { q: { email: 'x' }, u: { $set: { flag: true } } })],
  ['deleteMany {city}', readCall('remove', { q: { city: 'c1' }, limit: 0 })],
  ['insertOne', readCall('insert', { insert: 'orders' }, { ninserted: 1 })],
  ['distinct city {flag}', readCall('command', { distinct: 'orders', key: 'city', query: { flag: true } })],
])('%s', (name, call) => {
  expect(nameShape(call)).toBe(name)
})
