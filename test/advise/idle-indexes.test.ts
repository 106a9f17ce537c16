import { expect, test } from 'vitest'
import { findIdle, isProtected, toCandidate } from '../../src/advise/idle-indexes.ts'
import { foundIndex } from '../fakes/fake-collection-profile.ts'

test.each([
  foundIndex({ _id: 1 }),
  foundIndex({ email: 1 }, { unique: true }),
  foundIndex({ email: 1 }, { prepareUnique: true }),
  foundIndex({ at: 1 }, { expireAfterSeconds: 0 }),
  foundIndex({ id: 1 }, { clustered: true }),
  foundIndex({ note: 'text' }),
  foundIndex({ place: '2dsphere' }),
  foundIndex({ customer: 'hashed' }),
  foundIndex({ '$**': 1 }),
  foundIndex({ 'attributes.$**': 1 }),
])('$name stays whatever the calls do', (index) => {
  expect(isProtected(index)).toBe(true)
})

test.each([
  foundIndex({ customer: 1 }),
  foundIndex({ _id: 1, at: 1 }),
  foundIndex({ customer: -1, at: 1 }, { sparse: true }),
  foundIndex({ email: 1 }, { unique: false }),
  foundIndex({ status: 1 }, { partialFilterExpression: { status: 'open' } }),
])('$name may go', (index) => {
  expect(isProtected(index)).toBe(false)
})

test('an index of today is compared by its key and what is in it', () => {
  const [condition, collation] = [{ status: 'open' }, { locale: 'en' }]
  const found = foundIndex({ a: 1, b: -1 }, { partialFilterExpression: condition, collation, hidden: true })
  expect(toCandidate('orders', found)).toMatchObject({
    collection: 'orders',
    key: [
      ['a', 1],
      ['b', -1],
    ],
    options: { partialFilterExpression: condition, collation },
  })
  expect(toCandidate('orders', foundIndex({ a: 1 })).options).toEqual({})
  expect(toCandidate('orders', foundIndex({ a: 1 }, { sparse: true })).options).not.toEqual({})
})

const [a, ab, c] = [foundIndex({ a: 1 }), foundIndex({ a: 1, b: 1 }), foundIndex({ c: 1 })]
const search = {
  collection: 'orders',
  indexes: [a, ab, c],
  others: [a, ab, c].map((one) => toCandidate('orders', one)),
}

test('an index without which calls examine more stays', async () => {
  expect(await findIdle({ ...search, isNeeded: () => Promise.resolve(true) })).toEqual([])
})

test('an index could go for one that begins with it, or for nothing', async () => {
  const idle = await findIdle({ ...search, isNeeded: (hidden) => Promise.resolve(hidden.includes('a_1_b_1')) })
  expect(idle).toEqual([
    { name: 'a_1', because: '{ a: 1, b: 1 } begins with it, and no call examines more without it' },
    { name: 'c_1', because: 'no call of this traffic examines more without it' },
  ])
})

test('of two indexes that can do the same, one stays', async () => {
  // Calls need one of them.
  const needed = ['a_1', 'a_1_b_1']
  const isNeeded = (hidden: readonly string[]) => Promise.resolve(needed.every((name) => hidden.includes(name)))
  expect((await findIdle({ ...search, isNeeded })).map(({ name }) => name)).toEqual(['a_1', 'c_1'])
})
