import { expect, test } from 'vitest'
import { type Candidate, extendsIndex, formatKey, identify, type IndexKey } from '../../src/advise/candidate.ts'

const index = (key: IndexKey, changes: Partial<Candidate> = {}): Candidate => ({
  collection: 'orders',
  key,
  interchangeable: 0,
  share: 1,
  options: {},
  ...changes,
})

test('a key is shown as the shell shows it', () => {
  expect(
    formatKey([
      ['customer', 1],
      ['items.sku', -1],
      ['$x', 1],
      ['of-day', 1],
    ]),
  ).toBe('{ customer: 1, "items.sku": -1, $x: 1, "of-day": 1 }')
})

test.each<readonly [longer: IndexKey, shorter: IndexKey, does: boolean]>([
  [
    [
      ['a', 1],
      ['b', 1],
    ],
    [['a', 1]],
    true,
  ],
  [
    [
      ['a', 1],
      ['b', 1],
    ],
    [
      ['a', 1],
      ['b', 1],
    ],
    true,
  ],
  [[['a', 1]], [['a', -1]], true],
  [
    [
      ['a', 1],
      ['b', -1],
    ],
    [
      ['a', -1],
      ['b', 1],
    ],
    true,
  ],
  [
    [
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ],
    [
      ['a', -1],
      ['b', -1],
    ],
    true,
  ],
  [
    [
      ['a', 1],
      ['b', 1],
    ],
    [
      ['a', 1],
      ['b', -1],
    ],
    false,
  ],
  [
    [
      ['a', 1],
      ['b', 1],
    ],
    [['b', 1]],
    false,
  ],
  [
    [['a', 1]],
    [
      ['a', 1],
      ['b', 1],
    ],
    false,
  ],
])('the key %j does what %j does: %s', (longer, shorter, does) => {
  expect(extendsIndex(index(longer), index(shorter))).toBe(does)
})

test.each<Partial<Candidate>>([
  { collection: 'items' },
  { options: { collation: { locale: 'en' } } },
  { options: { partialFilterExpression: { status: 'open' } } },
])('an index that differs in %j is another one', (changes) => {
  const [one, other] = [index([['a', 1]]), index([['a', 1]], changes)]
  expect(extendsIndex(one, other)).toBe(false)
  expect(extendsIndex(other, one)).toBe(false)
  expect(identify(one)).not.toBe(identify(other))
})

test('how a candidate was found is no part of it', () => {
  expect(identify(index([['a', 1]]))).toBe(identify(index([['a', 1]], { interchangeable: 1, share: 0.5 })))
})
