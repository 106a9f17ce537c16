import { expect, test } from 'vitest'
import { findIdle, toCandidate, whyProtected } from '../../src/advise/idle-indexes.ts'
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
  expect(whyProtected(index)).toMatch(/^(?:it|the|indexes|wildcard)\b/)
})

test.each([
  foundIndex({ customer: 1 }),
  foundIndex({ _id: 1, at: 1 }),
  foundIndex({ customer: -1, at: 1 }, { sparse: true }),
  foundIndex({ email: 1 }, { unique: false }),
  foundIndex({ status: 1 }, { partialFilterExpression: { status: 'open' } }),
])('$name may go', (index) => {
  expect(whyProtected(index)).toBeUndefined()
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

const neededIf = (isNeeded: (hidden: readonly string[]) => boolean) => (hidden: readonly string[]) =>
  Promise.resolve(isNeeded(hidden) ? `without ${hidden.at(-1)}` : undefined)

test('an index without which operations do more work stays, and it is said why', async () => {
  const { idle, needed } = await findIdle({ ...search, whyNeeded: neededIf(() => true) })
  expect(idle).toEqual([])
  expect(needed.map(({ name, because }) => [name, because])).toEqual(
    ['a_1', 'a_1_b_1', 'c_1'].map((name) => [name, `without ${name}`]),
  )
})

test('an index could go for one that begins with it, or for nothing', async () => {
  const { idle, needed } = await findIdle({ ...search, whyNeeded: neededIf((hidden) => hidden.includes('a_1_b_1')) })
  expect(idle.map(({ name, because }) => [name, because])).toEqual([
    ['a_1', '{ a: 1, b: 1 } begins with it, and no operation does more work without it'],
    ['c_1', 'no operation of this traffic does more work without it'],
  ])
  expect(needed.map(({ name }) => name)).toEqual(['a_1_b_1'])
})

test('of two indexes that can do the same, one stays', async () => {
  // Operations need one of them.
  const either = ['a_1', 'a_1_b_1']
  const whyNeeded = neededIf((hidden) => either.every((name) => hidden.includes(name)))
  expect((await findIdle({ ...search, whyNeeded })).idle.map(({ name }) => name)).toEqual(['a_1', 'c_1'])
})
