import { BSONRegExp } from 'bson'
import { expect, test } from 'vitest'
import { type Branch, readFilter } from '../../src/advise/predicates.ts'
import { type BsonDocument } from '../../src/language/values/bson-types.ts'

const branch = (found: Partial<Branch>): Branch => ({ equal: [], lists: [], ranges: [], unusable: [], ...found })
const read = (filter: BsonDocument): Branch | undefined => readFilter(filter)[0]

test.each<readonly [condition: unknown, found: Partial<Branch>]>([
  [5, { equal: ['a'] }],
  [null, { equal: ['a'] }],
  [{ x: 1, y: 2 }, { equal: ['a'] }],
  [{}, { equal: ['a'] }],
  [['x', 'y'], { equal: ['a'] }],
  [{ $eq: 5 }, { equal: ['a'] }],
  [{ $all: ['x', 'y'] }, { equal: ['a'] }],
  [{ $in: [1, 2] }, { lists: ['a'] }],
  [{ $gt: 1 }, { ranges: ['a'] }],
  [{ $gte: 1, $lt: 9 }, { ranges: ['a'] }],
  [{ $lte: 9 }, { ranges: ['a'] }],
  [{ $exists: false }, { equal: ['a'] }],
  [{ $exists: 0 }, { equal: ['a'] }],
  [{ $exists: true }, { ranges: ['a'] }],
  [{ $in: [1, 2], $gt: 1 }, { lists: ['a'] }],
  [{ $eq: 1, $in: [1, 2], $gt: 0 }, { equal: ['a'] }],
  [
    { $gt: 1, $ne: 5 },
    { ranges: ['a'], unusable: ['$ne on {a} rules out too few documents'] },
  ],
  [{ $ne: 5 }, { unusable: ['$ne on {a} rules out too few documents'] }],
  [{ $nin: [5, 6] }, { unusable: ['$nin on {a} rules out too few documents'] }],
  [{ $not: { $gt: 5 } }, { unusable: ['$not on {a} rules out too few documents'] }],
  [{ $near: [1, 2] }, { unusable: ['no index that advise proposes serves $near on {a}'] }],
  [{ $geoWithin: { $box: [] } }, { unusable: ['no index that advise proposes serves $geoWithin on {a}'] }],
  [{ $size: 3 }, { unusable: ['no index that advise proposes serves $size on {a}'] }],
])('a condition %j', (condition, found) => {
  expect(readFilter({ a: condition })).toEqual([branch(found)])
})

test('conditions of several fields are of one branch', () => {
  expect(readFilter({ a: 1, b: { $in: [1] }, c: { $gt: 1 }, d: 2 })).toEqual([
    branch({ equal: ['a', 'd'], lists: ['b'], ranges: ['c'] }),
  ])
})

test('a comment is no condition, and operators without a field serve no index', () => {
  expect(readFilter({ $comment: 'nightly' })).toEqual([branch({})])
  expect(read({ $where: 'this.a > 1', a: 1 })).toEqual(
    branch({ equal: ['a'], unusable: ['no index that advise proposes serves "$where"'] }),
  )
})

test('$and adds its conditions, at any depth', () => {
  const filter = { $and: [{ a: 1 }, { $and: [{ b: { $gt: 1 } }, { c: { $in: [1] } }] }], d: 1 }
  expect(readFilter(filter)).toEqual([branch({ equal: ['a', 'd'], ranges: ['b'], lists: ['c'] })])
})

test('each alternative of $or is a branch with what stands beside it', () => {
  expect(readFilter({ a: 1, $or: [{ b: 1 }, { c: { $gt: 1 }, a: { $lt: 5 } }] })).toEqual([
    branch({ equal: ['a'] }),
    branch({ equal: ['a', 'b'] }),
    branch({ equal: ['a'], ranges: ['c'] }),
  ])
})

test('an $or in $and has the branches of one beside it', () => {
  expect(readFilter({ $and: [{ a: 1 }, { $or: [{ b: 1 }, { c: 1 }] }] })).toEqual(
    readFilter({ a: 1, $or: [{ b: 1 }, { c: 1 }] }),
  )
})

test('alternatives within an alternative are branches in its place', () => {
  expect(readFilter({ a: 1, $or: [{ b: 1, $or: [{ c: 1 }, { d: 1 }] }, { $and: [{ e: 1 }, { f: 1 }] }] })).toEqual([
    branch({ equal: ['a'] }),
    branch({ equal: ['a', 'b', 'c'] }),
    branch({ equal: ['a', 'b', 'd'] }),
    branch({ equal: ['a', 'e', 'f'] }),
  ])
})

test('a filter with many alternatives has no more than 16 branches', () => {
  expect(readFilter({ $or: Array.from({ length: 40 }, (_, i) => ({ [`f${i}`]: 1 })) })).toHaveLength(16)
})

test('$elemMatch: the fields of elements, or the elements themselves', () => {
  expect(read({ items: { $elemMatch: { sku: 'a', count: { $gt: 1 }, size: { $in: [1] } } } })).toEqual(
    branch({ equal: ['items.sku'], lists: ['items.size'], ranges: ['items.count'] }),
  )
  expect(read({ scores: { $elemMatch: { $gte: 80, $lt: 85 } } })).toEqual(branch({ ranges: ['scores'] }))
  expect(read({ items: { $elemMatch: { $and: [{ sku: 'a' }, { count: 1 }] } } })).toEqual(
    branch({ equal: ['items.sku', 'items.count'] }),
  )
  expect(read({ items: { $elemMatch: {} } })).toEqual(branch({}))
})

const unanchored = branch({ unusable: ['an unanchored expression reads every key of {a}'] })
const caseInsensitive = branch({ unusable: ['a case-insensitive expression reads every key of {a}'] })
const range = branch({ ranges: ['a'] })

test.each<readonly [source: string, flags: string, found: Branch]>([
  ['^user', '', range],
  ['^user.*x$', '', range],
  ['^user', 's', range],
  ['^\\/path', '', range],
  ['^\\.hidden', '', range],
  ['user', '', unanchored],
  ['^.*user', '', unanchored],
  ['^[ab]c', '', unanchored],
  ['^(?:user)', '', unanchored],
  ['^user|^admin', '', unanchored],
  ['^\\duser', '', unanchored],
  ['^user', 'm', unanchored],
  ['^user', 'i', caseInsensitive],
  ['user', 'i', caseInsensitive],
])('the expression /%s/%s in each of its forms', (source, flags, found) => {
  const forms = [
    new RegExp(source, flags),
    new BSONRegExp(source, flags),
    { $regex: source, $options: flags },
    { $regex: new RegExp(source, flags) },
    { $regex: new BSONRegExp(source, flags) },
  ]
  for (const form of forms) expect(read({ a: form })).toEqual(found)
})

test('an expression that begins as PCRE writes it is a range', () => {
  expect(read({ a: { $regex: '\\Auser' } })).toEqual(range)
})
