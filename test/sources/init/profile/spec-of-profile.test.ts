import { Decimal128, Double, Long, ObjectId, serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../../src/core/json.ts'
import { type CollectionProfile } from '../../../../src/sources/init/collection/collection-profile.ts'
import { decode } from '../../../../src/sources/init/collection/sample-collection.ts'
import { writeDraft } from '../../../../src/sources/init/draft.ts'
import { createGrouping } from '../../../../src/sources/init/profile/call-groups.ts'
import { specOfProfile } from '../../../../src/sources/init/profile/spec-of-profile.ts'
import { loadSpecText } from '../../../../src/spec/load-spec.ts'
import { printSpec } from '../../../../src/spec/parse/print-spec.ts'
import { fail } from '../../../fakes/fail.ts'
import { foundIndex, profileOf } from '../../../fakes/fake-collection-profile.ts'

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
    active: i % 2 === 0,
    state: i % 10 === 0 ? 'open' : 'done',
    place: { type: 'Point', coordinates: [i + 0.5, 1.5] },
  })),
  { indexes: [foundIndex({ _fts: 'text', _ftsx: 1 }, { name: 'words', weights: { customer: 1 } })] },
)

/** The spec of entries of a profile: a command and the other fields of the entry. */
function made(entries: readonly object[], collections: readonly CollectionProfile[] = [orders]) {
  const grouping = createGrouping('shop')
  for (const entry of entries) {
    grouping.add(decode(serialize({ op: 'command', ns: 'shop.orders', ...entry }, { ignoreUndefined: true })))
  }
  const draft = specOfProfile('shop', grouping.result(), collections, true)
  return draft && { ...writeDraft(draft), expected: draft.expected }
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
    ['find_customer', 3, { '@choice': { values: [5, 9], weights: [2, 1] } }],
    ['find_customer_qty', 1, undefined],
  ])
})

/** Mean of what is drawn, and how many values there are. */
const drawnFrom = (part: unknown) => {
  const { values, weights } = (part as { '@choice': { values: number[]; weights: number[] } })['@choice']
  const all = values.flatMap((value, i) => Array.from({ length: weights[i] ?? 0 }, () => value))
  return { values: values.length, mean: all.reduce((sum, value) => sum + value, 0) / all.length }
}

describe('arguments are drawn as calls had them', () => {
  const pages = Array.from({ length: 1000 }, (_, i) => 10 * Math.max(0, i - 499))
  test('in one operation, whatever their values are: 1000 pages of which half are the first', () => {
    const calls = [
      ...pages.map((skip) => find({ customer: 'a' }, { skip, limit: 10, maxTimeMS: 50 })),
      ...Array.from({ length: 500 }, () => update({ $set: { qty: 3 } })),
    ]
    const [paged, ...others] = operationsOf(calls)
    expect(paged).toMatchObject({ kind: 'find', weight: 1000, limit: 10, maxTimeMS: 50 })
    const { values, mean } = drawnFrom(paged?.['skip'])
    expect(values).toBeGreaterThan(4)
    expect(mean).toBeGreaterThan(1250 * 0.8)
    expect(mean).toBeLessThan(1250 * 1.2)
    expect(others).toMatchObject([{ kind: 'updateOne', weight: 500 }])
    const { notes, spec } = made(calls) ?? fail('no spec')
    expect(notes.join()).not.toContain('The mix')
    expect(loadSpecText(printSpec(spec), 'made.json').rows).toHaveLength(1)
  })

  test('also in pipelines, of batches, and as an int64', () => {
    const calls = pages.map((skip, i) => ({
      command: {
        aggregate: 'orders',
        pipeline: [
          { $match: { customer: 'a' } },
          { $skip: Long.fromNumber(skip) },
          { $facet: { few: [{ $limit: 1 + (i % 2) }] } },
        ],
        cursor: { batchSize: Long.fromNumber(20) },
      },
    }))
    const [operation, ...others] = operationsOf(calls)
    expect(others).toEqual([])
    expect(operation).toMatchObject({ weight: 1000, batchSize: 20 })
    const [, page, facet] = (operation?.['pipeline'] ?? []) as readonly JsonObject[]
    expect(drawnFrom(page?.['$skip']).values).toBeGreaterThan(4)
    expect(facet).toMatchObject({ $facet: { few: [{ $limit: { '@choice': { values: [1, 2] } } }] } })
    const { spec } = made(calls) ?? fail('no spec')
    expect(loadSpecText(printSpec(spec), 'made.json').rows).toHaveLength(1)
  })

  test('but not a limit that is none, and without comments', () => {
    const calls = Array.from({ length: 50 }, (_, i) => find({ qty: 1 }, { limit: 0, comment: `secret ${i}` }))
    const [operation] = operationsOf(calls)
    expect(operation).toMatchObject({ weight: 50 })
    expect(operation).not.toHaveProperty('comment')
    expect(operation).not.toHaveProperty('limit')
  })
})

test('where the mix cannot be that of the profile, it is noted by how much, and options that operations do not have', () => {
  const calls = [
    ...Array.from({ length: 60 }, () => find({ qty: 1 }, { min: { qty: 1 }, $db: 'shop', tailable: false })),
    ...Array.from({ length: 40 }, () => ({ command: { mapReduce: 'orders', map: 'f' } })),
  ]
  const { notes } = made(calls) ?? fail('no spec')
  expect(notes).toHaveLine('profile-mix-differs', { here: 100, profile: 60 })
  expect(notes).toHaveLine('profile-option-dropped', { option: 'min', calls: 60 })
})

test('documents are picked as often as calls ask for their values', () => {
  const calls = Array.from({ length: 400 }, (_, i) => find({ customer: `customer ${i % 2 === 0 ? 7 : i}` }))
  const { spec, notes } = made(calls) ?? fail('no spec')
  const [phase] = spec['phases'] as readonly { readonly operations: readonly JsonObject[] }[]
  expect(phase?.operations).toMatchObject([
    {
      let: { like: { '@document': { distribution: { kind: 'hotspot', hotSet: 0.01, hotTraffic: 0.5 } } } },
      filter: { customer: { '@var': 'like.customer' } },
    },
  ])
  expect(notes.join()).toContain('some of them often ("hotspot"): find_customer')
  expect(loadSpecText(printSpec(spec), 'a.json')).toBeDefined()
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
      update({ $set: { 'lines.$[l].n': 3 } }, { arrayFilters: [{ 'l.sku': 'secret' }] }),
      {
        kind: 'updateOne',
        let: { like: { '@document': {} } },
        filter: { _id: { '@var': 'like._id' } },
        update: { $set: { 'lines.$[l].n': {} } },
        arrayFilters: [{ 'l.sku': { '@var': 'like.lines.0.sku' } }],
      },
    ],
    [
      { command: { findAndModify: 'orders', query: { qty: 1 }, update: { $inc: { qty: 1 } }, new: true } },
      { kind: 'findOneAndUpdate', returnDocument: 'after' },
    ],
    [
      { command: { findandmodify: 'orders', query: { qty: 1 }, update: { qty: 3 }, fields: { at: 1 }, sort: {} } },
      { kind: 'findOneAndReplace', projection: { at: 1 } },
    ],
    [
      {
        command: {
          aggregate: 'orders',
          pipeline: [{ $match: { qty: 1 } }, { $skip: 3 }, { $limit: 7 }, { $group: { _id: 1, n: { $sum: 1 } } }],
          collation: { locale: 'en', strength: 2 },
        },
      },
      { kind: 'countDocuments', skip: 3, limit: 7, collation: { locale: 'en', strength: 2 } },
    ],
    [
      { command: { count: 'orders', query: { qty: 1 }, limit: -5, collation: { locale: 'en' } } },
      { kind: 'countDocuments', limit: 5, collation: { locale: 'en' } },
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
    [{ qty: { $gt: 3 } }, { qty: { $gt: 3 } }],
    [{ at: { $lt: new Date(first) } }, { at: { $lt: { $date: '2026-01-01T00:00:00Z' } } }],
    [{ customer: { $gt: 'secret' } }, { customer: { $gt: { '@var': 'like.customer' } } }],
    [{ active: true }, { active: true }],
    [
      { _id: new ObjectId(), customer: 'secret' },
      { _id: { '@var': 'like._id' }, customer: { '@var': 'like.customer' } },
    ],
    [
      { customer: /^secret 1/i },
      {
        customer: { $regex: { '@concat': ['^', { '@substrCP': [{ '@var': 'like.customer' }, 0, 8] }] }, $options: 'i' },
      },
    ],
    [{ customer: { $regex: 'ecr.*' } }, { customer: { $regex: { '@substrCP': [{ '@var': 'like.customer' }, 0, 3] } } }],
    [
      { place: { $near: { $geometry: { type: 'Point', coordinates: [7, 8] }, $maxDistance: 50 } } },
      { place: { $near: { $geometry: { '@var': 'like.place' }, $maxDistance: 50 } } },
    ],
    [
      { place: { $geoWithin: { $centerSphere: [[7, 8], 0.5] } } },
      { place: { $geoWithin: { $centerSphere: [{ '@var': 'like.place.coordinates' }, 0.5] } } },
    ],
    [
      { $text: { $search: 'secret', $caseSensitive: true } },
      { $text: { $search: { '@var': 'like.customer' }, $caseSensitive: true } },
    ],
    [
      { qty: null, at: { $exists: true } },
      { qty: null, at: { $exists: true } },
    ],
    [{ 'lines.sku': 'secret' }, { 'lines.sku': { '@var': 'like.lines.0.sku' } }],
    [{ tags: ['secret'] }, { tags: { '@var': 'like.tags' } }],
    [
      { $or: [{ customer: 'secret' }, { lines: { $elemMatch: { n: 5 } } }] },
      {
        $or: [
          { customer: { '@var': 'like.customer' } },
          { lines: { $elemMatch: { n: { '@var': 'like.lines.0.n' } } } },
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
            ...Array.from({ length: 9 }, () => ({})),
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

test('labels and ranges are those that the calls have, as often as they have them', () => {
  const calls = [find({ state: 'open' }), find({ state: 'open' }), find({ state: 'done' })]
  expect(operationsOf(calls)[0]?.['filter']).toEqual({
    state: { '@choice': { values: ['open', 'done'], weights: [2, 1] } },
  })
  const spec = made([find({ qty: { $gte: 1, $lt: 3 } }), find({ qty: { $gte: 1, $lt: 3 } })]) ?? fail('no spec')
  expect(JSON.stringify(spec.spec)).toContain('{"qty":{"$gte":1,"$lt":3}}')
  expect(spec.copied).toContain('qty in filters: {"$gte":1,"$lt":3}')
})

test('what was found is counted per call, with the documents of later replies', () => {
  const filter = { state: 'open' }
  const more = { op: 'getmore', command: { getMore: 5 }, originatingCommand: { find: 'orders', filter }, nreturned: 49 }
  const { expected } =
    made([{ ...find(filter), nreturned: 101 }, more, { ...find(filter), nreturned: 50 }]) ?? fail('no spec')
  expect(expected).toMatchObject([{ perCall: 100, operation: { name: 'find_state' } }])
})

const remove = (q: object, limit: number): object => ({ op: 'remove', command: { q, limit }, ndeleted: 1 })

test('deletes delete, and inserts make up for them', () => {
  const gone = { command: { findAndModify: 'orders', query: { customer: 'secret' }, remove: true }, ndeleted: 1 }
  const calls = [
    remove({ _id: 1 }, 1),
    remove({ qty: { $lt: 2 } }, 0),
    gone,
    { op: 'insert', command: {}, ninserted: 1 },
  ]
  expect(operationsOf(calls)).toMatchObject([
    { kind: 'deleteOne', filter: { _id: { '@key': {} } } },
    { kind: 'deleteMany', filter: { qty: { $lt: 2 } } },
    { kind: 'findOneAndDelete', filter: { customer: { '@var': 'like.customer' } } },
    { kind: 'insertOne', weight: 1 },
    { kind: 'insertOne', name: 'refill_orders', weight: 2 },
  ])
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
  test.each<[entry: object, code: string, key?: string]>([
    [find({ qty: /^a/ }), 'profile-regex-on-no-text'],
    [find({ $where: 'sleep(1)' }), 'profile-uses-key', '$where'],
    [{ command: { aggregate: 'orders', pipeline: [{ $match: {} }, { $out: 'x' }] } }, 'profile-uses-key', '$out'],
    [{ command: { aggregate: 'orders', pipeline: [{ $indexStats: {} }] } }, 'profile-reads-server'],
    [
      update({ $set: { 'lines.$[l].n': 1 } }, { arrayFilters: [{ $or: [{ 'l.n': 1 }] }] }),
      'profile-operator-in-array-filters',
    ],
    [{ command: { $truncated: '{ find: …' } }, 'profile-truncated'],
    [{ command: { aggregate: 'orders', pipeline: [], let: { a: 1 } } }, 'profile-uses-let'],
    [{ op: 'update', command: { update: 0, filter: {}, updateMods: {} } }, 'profile-bulk-write'],
    [{ command: { constructor: 'orders' } }, 'profile-operation-missing', 'constructor'],
    [{ ...find({ qty: 2 }), errCode: 50 }, 'profile-failed'],
    [{ ...find({ qty: 2 }), ns: 'shop.gone' }, 'profile-collection-gone'],
  ])('%j', (entry, code, key?) => {
    const { notes } = made([kept, entry]) ?? fail('no spec')
    expect(notes).toHaveLine(code, key === undefined ? {} : { key })
    expect(operationsOf([kept, entry])).toHaveLength(1)
  })

  test('and nothing at all makes no spec', () => {
    expect(made([])).toBeUndefined()
    expect(made([{ op: 'getmore', command: { getMore: Long.fromNumber(1) } }])).toBeUndefined()
  })
})

test('fields that point into another collection hold its keys', () => {
  const people = profileOf([{ _id: 'ann', age: 1 }], { collection: 'people' })
  const pointing = { ...orders, references: new Map([['customer', { collection: 'people', share: 1 }]]) }
  const { spec } = made([find({ customer: 'secret' })], [pointing, people]) ?? fail('no spec')
  expect(spec['data']).toMatchObject([{ document: { customer: { '@ref': { collection: 'people' } } } }, {}])
  expect(loadSpecText(printSpec(spec), 'made.json').rows).toHaveLength(1)
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
