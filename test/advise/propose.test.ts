import { expect, test } from 'vitest'
import { formatKey, identify } from '../../src/advise/candidate.ts'
import { type Option } from '../../src/advise/choose.ts'
import { listDemands } from '../../src/advise/demands.ts'
import { propose, withSharedBeginnings } from '../../src/advise/propose.ts'
import { type BsonDocument } from '../../src/language/values/bson-types.ts'
import { type ProfiledCall } from '../../src/sources/init/profile/profiled-call.ts'
import { fields, readAggregate, readCall, readFind } from './calls-of-a-shop.ts'

const proposeFor = (call: ProfiledCall, constants: BsonDocument = {}): readonly Option[] =>
  listDemands(call).flatMap((demand) => propose({ ...demand, constants: new Map(Object.entries(constants)) }, fields))

const format = (options: readonly Option[]): readonly string[] =>
  options.map((option) =>
    option
      .map(({ key, options: { partialFilterExpression: where } }) =>
        where === undefined ? formatKey(key) : `${formatKey(key)} where ${JSON.stringify(where)}`,
      )
      .join(' and '),
  )

test.each<readonly [name: string, command: BsonDocument, proposed: readonly string[]]>([
  ['one value', { filter: { customer: 1 } }, ['{ customer: 1 }']],
  [
    'several values, the field with most of them first',
    { filter: { flag: true, city: 'c1', customer: 1 } },
    ['{ customer: 1, city: 1, flag: 1 }'],
  ],
  ['a value, then the order', { filter: { city: 'c1' }, sort: { at: -1 } }, ['{ city: 1, at: -1 }']],
  ['an order in two directions', { sort: { total: 1, at: -1 } }, ['{ total: 1, at: -1 }']],
  [
    'a value, the order, then a range; or one of both alone',
    { filter: { city: 'c1', total: { $gt: 5 } }, sort: { at: 1 } },
    ['{ city: 1, at: 1, total: 1 }', '{ city: 1, total: 1 }', '{ city: 1, at: 1 }'],
  ],
  [
    'a range in the place of an order',
    { filter: { total: { $gt: 5 } }, sort: { at: 1 } },
    ['{ at: 1, total: 1 }', '{ total: 1 }', '{ at: 1 }'],
  ],
  ['an order by a field of one value', { filter: { city: 'c1' }, sort: { city: 1, at: 1 } }, ['{ city: 1, at: 1 }']],
  [
    'a list as values, and as a range',
    { filter: { flag: true, city: { $in: ['c1', 'c2'] } }, sort: { at: 1 } },
    ['{ city: 1, flag: 1, at: 1 }', '{ flag: 1, at: 1, city: 1 }'],
  ],
  ['one list in an index', { filter: { tags: 't1', 'items.sku': 's1', city: 'c1' } }, ['{ "items.sku": 1, city: 1 }']],
  [
    'two fields of one list',
    { filter: { items: { $elemMatch: { sku: 's1', count: 1 } } } },
    ['{ "items.sku": 1, "items.count": 1 }'],
  ],
  [
    'the answer too',
    { filter: { city: 'c1' }, projection: { total: 1, _id: 0 } },
    ['{ city: 1 }', '{ city: 1, total: 1 }'],
  ],
  ['no long answer', { filter: { city: 'c1' }, projection: { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 } }, ['{ city: 1 }']],
  ['nothing for one _id', { filter: { _id: 1, city: 'c1' }, sort: { at: 1 } }, []],
  ['nothing for a list of _ids', { filter: { _id: { $in: [1, 2] } } }, []],
  ['nothing for all documents', { filter: {} }, []],
  ['nothing for what no index serves', { filter: { city: { $ne: 'c1' } } }, []],
  [
    'no more than 8 fields',
    { filter: Object.fromEntries('abcdefghij'.split('').map((name) => [name, 1])) },
    ['{ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1 }'],
  ],
])('%s', (_, command, proposed) => {
  expect(format(proposeFor(readFind(command)))).toEqual(proposed)
})

test('each alternative of an $or has an index, and all of them are one option', () => {
  expect(format(proposeFor(readFind({ filter: { $or: [{ customer: 1 }, { total: 1 }] } })))).toEqual([
    '{ customer: 1 }',
    '{ total: 1 }',
    '{ customer: 1 } and { total: 1 }',
  ])
})

test('an $or of which an alternative has no index has no option of all', () => {
  const $or = [{ customer: 1 }, { total: 1 }, { note: /x/ }]
  expect(format(proposeFor(readFind({ filter: { $or } })))).toEqual(['{ customer: 1 }', '{ total: 1 }'])
})

test('an $or within another has an index for each of the innermost alternatives', () => {
  const $or = [{ customer: 1 }, { $or: [{ total: 1 }, { city: 'c1' }] }]
  expect(format(proposeFor(readFind({ filter: { $or } }))).at(-1)).toBe(
    '{ customer: 1 } and { total: 1 } and { city: 1 }',
  )
})

test('a group and a distinct have an index with all that they read', () => {
  const group = readAggregate({ $match: { city: 'c1' } }, { $group: { _id: '$city', all: { $sum: '$total' } } })
  expect(format(proposeFor(group))).toEqual(['{ city: 1 }', '{ city: 1, total: 1 }'])
  expect(format(proposeFor(readCall('command', { distinct: 'orders', key: 'city', query: {} })))).toEqual([
    '{ city: 1 }',
  ])
})

test('an index has the collation of the call', () => {
  const collation = { locale: 'en', strength: 2 }
  expect(proposeFor(readFind({ filter: { city: 'C1' }, collation })).flat()).toMatchObject([{ options: { collation } }])
})

test('a constant that few documents have makes a partial index', () => {
  const call = readFind({ filter: { status: 'open', city: 'c1' }, sort: { at: 1 } })
  expect(format(proposeFor(call, { status: 'open' }))).toEqual([
    '{ city: 1, status: 1, at: 1 }',
    '{ city: 1, at: 1 } where {"status":"open"}',
  ])
  expect(proposeFor(call, { status: 'open' }).at(-1)).toMatchObject([{ share: 0.05 }])
})

test('a constant by itself is the key of its partial index', () => {
  expect(format(proposeFor(readFind({ filter: { status: 'open' } }), { status: 'open' }))).toEqual([
    '{ status: 1 }',
    '{ status: 1 } where {"status":"open"}',
  ])
})

test.each([
  ['most documents have it', { status: 'done' }, { status: 'done' }],
  ['no document has it', { status: 'lost' }, { status: 'lost' }],
  ['it is no single value', { status: null }, { status: null }],
  ['a call asks for one _id', { _id: 1, status: 'open' }, { status: 'open' }],
])('there is no partial index where %s', (_, filter, constants) => {
  expect(format(proposeFor(readFind({ filter }), constants)).join()).not.toContain('where')
})

test('fields of a shorter index come first in a longer one, so that one serves both', () => {
  const short = proposeFor(readFind({ filter: { city: 'c1' } })).flat()
  const long = proposeFor(readFind({ filter: { city: 'c1', customer: 1 }, sort: { at: 1 } })).flat()
  const all = withSharedBeginnings([...short, ...long])
  expect(all.map(({ key }) => formatKey(key))).toEqual([
    '{ city: 1 }',
    '{ customer: 1, city: 1, at: 1 }',
    '{ city: 1, customer: 1, at: 1 }',
  ])
  expect(new Set(all.map(identify)).size).toBe(3)
})

test('the order stays behind the fields of one value', () => {
  const short = proposeFor(readFind({ sort: { at: 1 } })).flat()
  const long = proposeFor(readFind({ filter: { city: 'c1' }, sort: { at: 1 } })).flat()
  expect(withSharedBeginnings([...short, ...long])).toEqual([...short, ...long])
})

test('an order behind a list that the index does not go through stays there too', () => {
  const short = proposeFor(readFind({ sort: { at: 1 } })).flat()
  const long = proposeFor(readFind({ filter: { tags: 't1', 'items.sku': 's1' }, sort: { at: 1 } })).flat()
  expect(withSharedBeginnings([...short, ...long])).toEqual([...short, ...long])
})

test('candidates come once', () => {
  const one = proposeFor(readFind({ filter: { city: 'c1' } })).flat()
  expect(withSharedBeginnings([...one, ...proposeFor(readFind({ filter: { city: 'c2' } })).flat()])).toEqual(one)
})
