import { Decimal128, Double, Long, ObjectId, serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { createGrouping } from '../../src/init/call-groups.ts'
import { decode } from '../../src/init/sample-collection.ts'
import { type JsonObject } from '../../src/json.ts'
import { printSpec } from '../../src/schema/print-spec.ts'
import { loadSpecText } from '../../src/load-spec.ts'
import { type CollectionProfile } from '../../src/init/collection-profile.ts'
import { specOfProfile } from '../../src/init/spec-of-profile.ts'
import { fail } from '../fakes/fail.ts'
import { profileOf } from '../fakes/fake-collection-profile.ts'

const day = 24 * 3600 * 1000
const first = Date.UTC(2026, 0, 1)

const orders = profileOf(
  Array.from({ length: 100 }, (_, i) => ({
    _id: new ObjectId(),
    customer: `customer ${i}`,
    qty: i % 7,
    price: new Double(i / 4),
    at: new Date(first + i * day),
    lines: [{ sku: `sku ${i}`, n: i }],
    tags: [`tag ${i}`],
  })),
)

/** The spec of entries of a profile: a command and the other fields of the entry. */
function made(entries: readonly object[], collections: readonly CollectionProfile[] = [orders]) {
  const grouping = createGrouping('shop')
  for (const entry of entries) {
    grouping.add(decode(serialize({ op: 'command', ns: 'shop.orders', ...entry }, { ignoreUndefined: true })))
  }
  return specOfProfile('shop', grouping.result(), collections, true)
}

function operationsOf(entries: readonly object[], collections?: readonly CollectionProfile[]): readonly JsonObject[] {
  const { spec } = made(entries, collections) ?? fail('no spec')
  return (spec['phases'] as readonly JsonObject[])[0]?.['operations'] as readonly JsonObject[]
}

const find = (filter: object, more: object = {}): object => ({
  op: 'query',
  command: { find: 'orders', filter, ...more },
})
const update = (u: object, more: object = {}): object => ({
  op: 'update',
  command: { q: { _id: new ObjectId() }, u, multi: false, upsert: false, ...more },
})

/** The filter that a find of the profile becomes. */
const filterOf = (filter: object): unknown => operationsOf([find(filter)])[0]?.['filter']

test('calls that differ only in their values become one operation, weighted by their number', () => {
  const calls = [
    find({ customer: 'a' }, { limit: 5 }),
    find({ customer: 'b' }, { limit: 5 }),
    find({ customer: 'b' }, { limit: 9 }),
    find({ customer: 'c', qty: 1 }),
  ]
  expect(operationsOf(calls).map(({ name, weight, limit }) => [name, weight, limit])).toEqual([
    ['find_customer', 2, 5],
    ['find_customer_2', 1, 9],
    ['find_customer_qty', 1, undefined],
  ])
})

describe('each command becomes the operation that sends it', () => {
  test.each<readonly [entry: object, operation: object]>([
    [find({ qty: 1 }, { limit: 1, singleBatch: true }), { kind: 'findOne' }],
    [
      find({ qty: 1 }, { sort: { at: -1 }, projection: { at: 1 } }),
      { kind: 'find', sort: { at: -1 }, projection: { at: 1 } },
    ],
    [{ command: { count: 'orders' } }, { kind: 'estimatedDocumentCount' }],
    [{ command: { count: 'orders', query: { qty: 1 } } }, { kind: 'countDocuments', filter: { qty: {} } }],
    [
      { command: { aggregate: 'orders', pipeline: [{ $match: { qty: 1 } }, { $group: { _id: 1, n: { $sum: 1 } } }] } },
      { kind: 'countDocuments', filter: { qty: { '@var': 'like.qty' } } },
    ],
    [
      { command: { aggregate: 'orders', pipeline: [{ $match: { qty: 1 } }, { $group: { _id: '$at' } }] } },
      { kind: 'aggregate', pipeline: [{ $match: { qty: { '@var': 'like.qty' } } }, { $group: { _id: '$at' } }] },
    ],
    [{ command: { distinct: 'orders', key: 'qty', query: {} } }, { kind: 'distinct', key: 'qty' }],
    [{ op: 'insert', command: { insert: 'orders' }, ninserted: 1 }, { kind: 'insertOne' }],
    [
      { op: 'insert', command: { insert: 'orders' }, ninserted: 20 },
      { kind: 'insertMany', documentsPerCall: 20 },
    ],
    [update({ $set: { qty: 3 } }), { kind: 'updateOne', update: { $set: { qty: { '@int': { min: 0, max: 6 } } } } }],
    [
      update({ $inc: { qty: 3 } }, { multi: true, upsert: true }),
      { kind: 'updateMany', update: { $inc: { qty: 3 } }, upsert: true },
    ],
    [update({ qty: 3 }), { kind: 'replaceOne', replacement: { qty: {} } }],
    [
      { command: { findAndModify: 'orders', query: { qty: 1 }, update: { $inc: { qty: 1 } }, new: true } },
      { kind: 'findOneAndUpdate', returnDocument: 'after' },
    ],
  ])('%j', (entry, operation) => {
    expect(operationsOf([entry])).toMatchObject([operation])
    const { spec } = made([entry]) ?? fail('no spec')
    expect(loadSpecText(printSpec(spec), 'made.json').rows).toHaveLength(1)
  })
})

describe('values of filters', () => {
  test.each<readonly [filter: object, parameterized: object]>([
    [{ _id: new ObjectId() }, { _id: { '@key': {} } }],
    [{ customer: 'secret' }, { customer: { '@var': 'like.customer' } }],
    [{ qty: { $gt: 3 } }, { qty: { $gt: { '@var': 'like.qty' } } }],
    [
      { qty: null, at: { $exists: true } },
      { qty: null, at: { $exists: true } },
    ],
    [{ 'lines.sku': 'secret' }, { 'lines.sku': { '@var': 'like.lines.0.sku' } }],
    [{ tags: ['secret'] }, { tags: { '@var': 'like.tags' } }],
    [
      { $or: [{ customer: 'secret' }, { lines: { $elemMatch: { n: { $lt: 5 } } } }] },
      {
        $or: [
          { customer: { '@var': 'like.customer' } },
          { lines: { $elemMatch: { n: { $lt: { '@var': 'like.lines.0.n' } } } } },
        ],
      },
    ],
    [
      { _id: { $in: [new ObjectId(), new ObjectId()] } },
      { _id: { $in: { '@array': { size: 2, of: { '@key': {} } } } } },
    ],
    [
      { customer: { $in: ['secret', 'b', 'c'] } },
      {
        customer: {
          $in: {
            '@map': {
              input: { '@array': { size: 3, of: { '@document': { project: { customer: 1 } } } } },
              as: 'one',
              in: { '@var': 'one.customer' },
            },
          },
        },
      },
    ],
    [{ nowhere: 'secret' }, { nowhere: { '@string': { length: 6 } } }],
  ])('%j', (filter, parameterized) => {
    expect(filterOf(filter)).toEqual(parameterized)
  })

  test('of a range keep its width and its type, and stay where the sample has values', () => {
    const at = filterOf({ at: { $gte: new Date(first), $lt: new Date(first + day) } }) as { at: JsonObject }
    const { values } = at.at['@choice'] as { values: { $gte: { $date: string }; $lt: { $date: string } }[] }
    const widths = values.map(({ $gte, $lt }) => Date.parse($lt.$date) - Date.parse($gte.$date))
    expect(new Set(widths)).toEqual(new Set([day]))
    expect(values.at(-1)?.$lt.$date).toBe('2026-04-10T00:00:00Z')
    expect(filterOf({ price: { $gt: new Double(1), $lte: new Double(2) } })).toMatchObject({
      price: {
        '@choice': {
          values: [
            { $gt: { $numberDouble: '0.0' }, $lte: { $numberDouble: '1.0' } },
            {},
            {},
            {},
            {},
            {},
            {},
            {},
            {},
            {},
          ],
        },
      },
    })
  })

  test('are nowhere in the spec', () => {
    const calls = [
      find({ customer: 'secret', nowhere: 'secret' }),
      update({ $set: { customer: 'secret', other: 'secret', 'lines.$.sku': 'secret' } }),
      update({ $push: { tags: { $each: ['secret'], $slice: 5 } } }),
      { command: { aggregate: 'orders', pipeline: [{ $match: { customer: 'secret' } }, { $limit: 3 }] } },
    ]
    const { spec } = made(calls) ?? fail('no spec')
    expect(JSON.stringify(spec)).not.toContain('secret')
  })
})

test('values of optional fields are taken from documents that have them', () => {
  const some = profileOf(
    Array.from({ length: 100 }, (_, i) =>
      i % 2 === 0 ? { n: i } : { coupon: ['SPRING', 'FRIEND'][(i >> 1) % 2], code: `code ${i}` },
    ),
  )
  const [operation] = operationsOf([find({ coupon: 'SPRING', code: 'code 1' })], [some])
  expect(operation?.['filter']).toMatchObject({
    coupon: { '@choice': { values: ['SPRING', 'FRIEND'] } },
    code: { '@cond': [{ '@eq': [{ '@var': 'like.code' }, null] }, { '@string': {} }, { '@var': 'like.code' }] },
  })
})

describe('calls that a spec cannot run are left out, with the reason', () => {
  const kept = find({ qty: 1 })
  test.each<readonly [entry: object, reason: string]>([
    [{ op: 'remove', command: { q: {}, limit: 1 } }, 'they delete'],
    [{ command: { findAndModify: 'orders', query: {}, remove: true } }, 'they delete'],
    [find({ customer: /^a/ }), 'they use "$regex"'],
    [find({ $where: 'sleep(1)' }), 'they use the key "$where"'],
    [find({ $text: { $search: 'x' } }), 'they use "$text"'],
    [{ command: { aggregate: 'orders', pipeline: [{ $match: {} }, { $out: 'x' }] } }, 'they use the key "$out"'],
    [{ command: { aggregate: 'orders', pipeline: [{ $indexStats: {} }] } }, 'they read the server'],
    [update({ $set: { 'lines.$[l].n': 1 } }), 'they use array filters'],
    [{ command: { $truncated: '{ find: …' } }, 'the profile truncated them'],
    [{ ...find({ qty: 2 }), errCode: 50 }, 'they had failed'],
    [{ ...find({ qty: 2 }), ns: 'shop.gone' }, 'their collection no longer exists'],
  ])('%j', (entry, reason) => {
    const spec = made([kept, entry]) ?? fail('no spec')
    expect(spec.notes.join('\n')).toMatch(
      new RegExp(`Operations left out because .*${reason.replaceAll('$', '\\$')}.*: 1`),
    )
    expect(operationsOf([kept, entry])).toHaveLength(1)
  })

  test('and nothing at all makes no spec', () => {
    expect(made([])).toBeUndefined()
    expect(made([{ op: 'getmore', command: { getMore: Long.fromNumber(1) } }])).toBeUndefined()
  })
})

test('several collections are several data sets, each with its own number of documents', () => {
  const people = profileOf([{ _id: 1, age: Decimal128.fromString('1') }], { collection: 'people' })
  const lookup = { $lookup: { from: 'people', localField: 'customer', foreignField: '_id', as: 'who' } }
  const { spec } = made([{ command: { aggregate: 'orders', pipeline: [lookup] } }], [orders, people]) ?? fail('no spec')
  expect(spec).toMatchObject({
    parameters: { ordersDocuments: 100, peopleDocuments: 1 },
    data: [{ collection: 'orders' }, { collection: 'people' }],
    phases: [{ operations: [{ collection: 'orders', pipeline: [lookup] }] }],
  })
})
