import {
  Binary,
  calculateObjectSize,
  Code,
  DBRef,
  Decimal128,
  Double,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'bson'
import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../../src/core/json.ts'
import { type CollectionProfile } from '../../../../src/sources/init/collection/collection-profile.ts'
import { specOfCollection, specOfExisting } from '../../../../src/sources/init/collection/spec-of-collection.ts'
import { type MadeSpec, writeDraft } from '../../../../src/sources/init/draft.ts'
import { loadSpecText } from '../../../../src/spec/load-spec.ts'
import { printSpec } from '../../../../src/spec/parse/print-spec.ts'
import { createDataSet } from '../../../../src/spec/plan/data-set.ts'
import { type DataSetSpec } from '../../../../src/spec/schema/data-schema.ts'
import { fail } from '../../../fakes/fail.ts'
import { foundIndex, inOrder, profileOf } from '../../../fakes/fake-collection-profile.ts'

const madeOf = (documents: readonly object[], changes: Partial<CollectionProfile> = {}, keepValues = true): MadeSpec =>
  writeDraft(specOfCollection(profileOf(documents, changes), keepValues))

const load = ({ spec }: MadeSpec) => loadSpecText(printSpec(spec), 'made.json')

function dataOf(made: MadeSpec): DataSetSpec {
  const data = load(made).rows[0]?.spec.data[0]
  return data ?? fail('no data')
}

/** Finds operations of the loaded spec by their names. */
function namedOperations(made: MadeSpec): (name: string) => unknown {
  const operations = load(made).rows[0]?.spec.phases[0]?.operations ?? []
  return (name) => operations.find((operation) => operation.name === name)
}

const report = (path: unknown, reason: string): never => fail(`${JSON.stringify(path)}: ${reason}`)

/** Rows as the spec makes them. */
function rowsOf(made: MadeSpec, count = 200): readonly Record<string, unknown>[] {
  const { documentOf } = createDataSet(dataOf(made), ['data', 0], { seed: 1, report })
  return Array.from({ length: count }, (_, i) => documentOf?.(i).document ?? {})
}

const operationsOf = ({ spec }: MadeSpec): readonly JsonObject[] =>
  (spec['phases'] as readonly { operations: readonly JsonObject[] }[])[0]?.operations ?? fail('no phase')

const generatorsOf = ({ spec }: MadeSpec): JsonObject => (spec['data'] as JsonObject)['document'] as JsonObject

const times = <Item>(count: number, make: (i: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => make(i))

const letter = (i: number): string => String.fromCodePoint(97 + i)

const at = (day: number): Date => new Date(Date.UTC(1960, 0, day))

const dateOf = (year: string) =>
  generatorsOf(madeOf(times(50, (i) => ({ at: new Date(Date.parse(`${year}-03-01T00:00:00Z`) + i * 1000) }))))['at']

const meanOf = (all: readonly object[]) => all.reduce((sum, one) => sum + calculateObjectSize(one), 0) / all.length

const visitsOf = (i: number) =>
  Object.fromEntries(times(12, (k) => [`67${String(i * 12 + k).padStart(22, 'a0f')}`, { n: k, name: `name ${k}` }]))

test.each([
  ['below a field', (i: number) => ({ visits: visitsOf(i) }), 'visits.*'],
  ['at the top level', visitsOf, '*'],
  ['beside common fields', (i: number) => ({ visits: { owner: i, ...visitsOf(i) } }), 'visits.*'],
])('a map by id %s keeps its bytes: as many keys of the same form', (_where, document, path) => {
  const documents = times(100, (i) => ({ _id: i, ...document(i) }))
  const made = madeOf(documents, inOrder(documents))
  const ratio = meanOf(rowsOf(made)) / meanOf(documents)
  expect(ratio).toBeGreaterThan(0.9)
  expect(ratio).toBeLessThan(1.1)
  expect(made.notes).toHaveLine('init-keys-are-data', { path })
  expect(made.notes.join()).not.toContain('are made with')
  expect(JSON.stringify(made)).not.toContain('67a0f')
})

test('documents that are made smaller have that as their first note', () => {
  const made = madeOf(times(100, (i) => ({ _id: i, [`rare${i % 5}`]: 'x'.repeat(500) })))
  expect(made.notes[0]).toBe('Documents of orders are made with 14 bytes instead of 526.')
})

test('dates keep their centuries, and are limited to what ISO 8601 can represent', () => {
  expect(dateOf('1712')).toEqual({ '@date': { min: '1712-03-01T00:00:00.000Z', max: '1712-03-01T00:00:49.000Z' } })
  expect(dateOf('0090')).toMatchObject({ '@date': { min: '0090-03-01T00:00:00.000Z' } })
  expect(dateOf('-000005')).toMatchObject({ '@date': { max: '0000-01-01T00:00:00.000Z' } })
  expect(dateOf('+010001')).toMatchObject({ '@date': { min: '9999-12-31T23:59:59.999Z' } })
})

describe('the fields of a document', () => {
  const made = madeOf(
    times(100, (i) => ({
      _id: new ObjectId(),
      int: i - 50,
      long: Long.fromString('9007199254740993').add(i),
      double: i / 8 + 0.3,
      wholeDouble: new Double(i * 2),
      decimal: Decimal128.fromString(`${i}.25`),
      at: at(i + 1),
      status: ['open', 'paid'][i % 4 === 0 ? 0 : 1],
      name: `${'x'.repeat(i % 5)}${letter(i % 26)}${letter(Math.floor(i / 26))}z`,
      zip: String(10_000 + i * 7),
      uuid: new UUID(),
      flag: i % 2 === 0,
      tags: times(i % 5, (n) => `t${n}${i}`),
      address: { city: `City${i}`, geo: { lat: i + 0.5 } },
      often: i % 10 === 0 ? undefined : i,
      rare: i % 10 === 0 ? 'rare' : undefined,
    })),
  )

  test('keep their types, ranges and lengths', () => {
    expect(generatorsOf(made)).toMatchObject({
      _id: { '@objectId': {} },
      int: { '@int': { min: -50, max: 49 } },
      long: { '@long': { min: { $numberLong: '9007199254740993' }, max: { $numberLong: '9007199254741092' } } },
      double: { '@double': { min: 0.3, max: 12.675 } },
      wholeDouble: { '@toDouble': { '@int': { min: 0, max: 198 } } },
      decimal: { '@decimal': { min: '0.25', max: '99.25', digits: 2 } },
      at: { '@date': { min: '1960-01-01T00:00:00.000Z', max: at(100).toISOString() } },
      name: { '@string': { length: { min: 3, max: 7 } } },
      zip: { '@string': { length: 5, alphabet: '0123456789' } },
      uuid: { '@uuid': {} },
      flag: { '@choice': { values: [true, false], weights: [50, 50] } },
      tags: { '@array': { size: { min: 0, max: 4 }, of: { '@string': {} } } },
      address: { city: { '@string': {} }, geo: { lat: { '@double': { min: 0.5, max: 99.5 } } } },
    })
  })

  test('are drawn as a few values with their weights where there are few', () => {
    expect(generatorsOf(made)['status']).toEqual({ '@choice': { values: ['open', 'paid'], weights: [25, 75] } })
    expect(made.copied).toEqual(['status: "open", "paid"'])
  })

  test('are null where they are missing now and then, and left out where they are rare', () => {
    expect(generatorsOf(made)['often']).toMatchObject({ '@choice': { values: [{}, null], weights: [90, 10] } })
    expect(generatorsOf(made)).not.toHaveProperty('rare')
    expect(made.notes).toHaveLine('init-note-rare-fields', { fields: 'rare' })
  })

  test('come out as BSON of those types', () => {
    const [row] = rowsOf(made, 1)
    expect(row?.['wholeDouble']).toBeInstanceOf(Double)
    expect(row?.['decimal']).toBeInstanceOf(Decimal128)
    expect(typeof row?.['long']).toBe('bigint')
    expect(row?.['at']).toBeInstanceOf(Date)
    expect(row?.['uuid']).toBeInstanceOf(Binary)
  })
})

test('integers among doubles are doubles with as many decimals, not integers drawn from the whole range', () => {
  const made = madeOf(times(400, (i) => ({ price: i % 4 === 0 ? i : i + 0.25, size: i % 2 === 0 ? i : 2 ** 40 + i })))
  expect(generatorsOf(made)).toMatchObject({
    price: { '@toDouble': { '@divide': [{ '@long': { min: 0, max: 39925 } }, 100] } },
    size: { '@toDouble': { '@long': { min: 0, max: 2 ** 40 + 399 } } },
  })
  const prices = rowsOf(made).map(({ price }) => (price instanceof Double ? price.value : (price as number)))
  expect(prices.every((price) => Math.round(price * 100) / 100 === price)).toBe(true)
  expect(rowsOf(made).filter(({ price }) => Number.isInteger(price))).toEqual([])
})

const partial = (condition: object) => [foundIndex({ code: 1 }, { partialFilterExpression: condition })]

describe('real values', () => {
  const secret = times(100, (i) => ({
    email: `ann${i}@example.com`,
    plan: ['gold', 'tin'][i % 2],
    code: [404, 200][i % 2],
  }))

  test('are copied only where few of them repeat', () => {
    const text = JSON.stringify(madeOf(secret).spec)
    expect(text).toContain('gold')
    expect(text).not.toContain('example.com')
  })

  test('are replaced by placeholders of the same length if they must not be copied', () => {
    const made = madeOf(secret, {}, false)
    expect(made.copied).toEqual([])
    expect(generatorsOf(made)['plan']).toEqual({ '@choice': { values: ['aaaa', 'bbb'], weights: [50, 50] } })
    expect(JSON.stringify(made.spec)).not.toMatch(/gold|tin"/)
  })

  test('of the condition of a partial index are not copied either: without them the index would be empty', () => {
    const made = madeOf(secret, { indexes: partial({ plan: { $in: ['gold'] } }) }, false)
    expect(JSON.stringify(made.spec)).not.toContain('gold')
    expect(made.notes).toHaveLine('init-note-index-with-values', { index: 'code_1' })
    const { data } = madeOf(secret, { indexes: partial({ code: { $gt: 300, $type: 'int' } }) }, false).spec
    expect(data).toMatchObject({ indexes: [{ key: { code: 1 } }] })
  })

  test('are not copied when they hardly repeat', () => {
    const made = madeOf(times(8, (i) => ({ owner: `owner ${i % 4}` })))
    expect(JSON.stringify(made.spec)).not.toContain('owner 1')
  })
})

describe('the _id', () => {
  test.each([
    ['ObjectIds', () => new ObjectId(), { '@objectId': {} }],
    ['numbers', (i: number) => i, { '@row': {} }],
    ['int64', (i: number) => Long.fromNumber(i), { '@toLong': { '@row': {} } }],
    ['doubles', (i: number) => new Double(i), { '@toDouble': { '@row': {} } }],
    ['UUIDs', () => new UUID(), { '@uuid': {} }],
    ['texts', (i: number) => `order-${100 + i}`, { '@concat': [{ '@string': { length: 3 } }, { '@row': {} }] }],
    ['short texts', (i: number) => `${i % 10}`, { '@toString': { '@row': {} } }],
    ['documents', (i: number) => ({ a: true, b: i }), { b: { '@row': {} } }],
    ['dates', (i: number) => new Date(i), { '@objectId': {} }],
  ])('of %s never repeats', (_what, id, expected) => {
    const made = madeOf(times(50, (i) => ({ _id: id(i), n: i })))
    expect(generatorsOf(made)['_id']).toMatchObject(expected)
    expect(new Set(rowsOf(made).map(({ _id }) => JSON.stringify(_id, bigints))).size).toBe(200)
  })
})

const bigints = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

const rising = (values: readonly number[]): boolean => values.every((value, i) => value >= (values[i - 1] ?? -Infinity))

describe('the order of insertion', () => {
  const start = Date.UTC(2026, 0, 1)
  const orders = times(1000, (i) => ({
    createdAt: new Date(start + i * 60_000 + ((i * 7919) % 40_000)),
    orderNo: 5000 + i,
    reversed: new Double(-2 * i),
    code: `NO-${100_000 + i}`,
    day: new Date(start + Math.floor(i / 100) * 86_400_000),
    status: i >= 950 ? 'open' : ['paid', 'sent'][(i * 7919) % 2],
    customer: new ObjectId(`65f000000000000000${String((i * 7919) % 1000).padStart(6, '0')}`),
    total: (i * 7919) % 997,
  }))
  const indexes = [foundIndex({ createdAt: 1 }), foundIndex({ day: 1 }), foundIndex({ customer: 1 })]
  const made = madeOf(orders, { indexes, ...inOrder(orders) })
  const rows = rowsOf(made, 1000)
  const numbers = (field: string): readonly number[] => rows.map((row) => Number(row[field]))

  test('is that of the original for dates, counters and texts that grow with it', () => {
    expect(generatorsOf(made)).toMatchObject({ orderNo: { '@add': [5000, { '@row': {} }] } })
    expect(rising(numbers('createdAt'))).toBe(true)
    expect(rows.map(({ createdAt }) => createdAt).at(-1)).toBeInstanceOf(Date)
    expect(Math.abs((numbers('createdAt').at(-1) ?? 0) - Number(orders.at(-1)?.createdAt))).toBeLessThan(120_000)
    expect(rising(numbers('reversed').map((value) => -value))).toBe(true)
    const codes = rows.map(({ code }) => String(code))
    expect(codes).toEqual(codes.toSorted())
    expect(new Set(codes.map(({ length }) => length))).toEqual(new Set([9]))
  })

  test('keeps values that repeat, and leaves others at random', () => {
    expect(rising(numbers('day'))).toBe(true)
    expect(new Set(numbers('day')).size).toBe(10)
    expect(rising(numbers('total'))).toBe(false)
    const customers = rows.map(({ customer }) => String(customer))
    expect(customers).not.toEqual(customers.toSorted())
  })

  test('decides about labels whose shares change with it', () => {
    const openAt = rows.flatMap(({ status }, i) => (status === 'open' ? [i] : []))
    expect(openAt).toEqual(times(50, (i) => 950 + i))
  })

  test('does not get into calls, which have no row', () => {
    expect(JSON.stringify(operationsOf(made))).not.toContain('@row')
  })

  test('is named where a unique number does not follow it, and related fields are where they are drawn apart', () => {
    const some = times(300, (i) => ({ code: (i * 7919) % 1009, a: (i * 31) % 7, b: ((i * 31) % 7) * 2 }))
    const { notes } = madeOf(some, { indexes: [foundIndex({ code: 1 }, { unique: true })], ...inOrder(some) })
    expect(notes).toHaveLine('init-note-unique-in-order', { fields: 'code' })
    expect(notes).toHaveLine('init-note-related-fields', { fields: 'a and b' })
  })
})

/** Different values that an indexed field gets, of which the sample has seen these. */
function countOf(values: readonly number[]): unknown {
  const sample = values.map((value) => ({ n: value * 1000 }))
  const made = madeOf(sample, { indexes: [foundIndex({ n: 1 })], documents: 20_000 })
  return (generatorsOf(made)['n'] as { '@pickValue': JsonObject })['@pickValue']['count']
}

describe('indexes', () => {
  const documents = times(200, (i) => ({
    customer: new ObjectId(`65f0000000000000000000${10 + (i % 20)}`),
    at: new Date(Date.UTC(2026, 0, 1 + i)),
    email: `ann${i}@example.com`,
    state: ['on', 'off'][i % 2],
    tags: ['a', `b${i}`],
    lines: [{ sku: `s${i}` }],
    loc: { type: 'Point', coordinates: [i - 99.5, i / 3 - 30.1] },
    area: { type: 'Polygon', coordinates: [[[0.5, 1.5]]] },
    title: `word${i}`,
  }))
  const indexes = [
    foundIndex({ customer: 1, at: -1 }),
    foundIndex({ at: 1 }),
    foundIndex({ email: 1 }, { unique: true }),
    foundIndex({ tags: new Double(1) }),
    foundIndex({ 'lines.sku': 1 }, { sparse: true }),
    foundIndex({ state: 1 }, { partialFilterExpression: { at: { $gt: new Date(0) } } }),
    foundIndex({ title: 1 }, { collation: { locale: 'de', strength: 2, caseLevel: false, version: '57.1' } }),
    foundIndex({ _fts: 'text', _ftsx: 1 }, { name: 'words', weights: { title: 3 }, default_language: 'english' }),
    foundIndex({ loc: '2dsphere' }),
    foundIndex({ area: '2dsphere' }),
    foundIndex({ missing: 1 }),
    foundIndex({ '$**': 1 }),
    foundIndex({ email: 'hashed' }, { expireAfterSeconds: 60 }),
    foundIndex({ at: -1 }, { unique: true, name: 'unique at' }),
  ]
  const made = madeOf(documents, { indexes })
  const operation = namedOperations(made)

  test('stand in the spec with their options, as far as generated data allows', () => {
    expect(dataOf(made).indexes).toMatchObject([
      { key: { customer: 1, at: -1 } },
      { key: { at: 1 } },
      { key: { email: 1 }, unique: true },
      { key: { tags: 1 } },
      { key: { 'lines.sku': 1 }, sparse: true },
      { key: { state: 1 } },
      { key: { title: 1 }, collation: { locale: 'de', strength: 2 } },
      { key: { title: 'text' }, name: 'words', weights: { title: 3 } },
      { key: { loc: '2dsphere' } },
      { key: { '$**': 1 } },
      { key: { email: 'hashed' } },
      { key: { at: -1 }, name: 'unique at' },
    ])
    expect(dataOf(made).indexes.at(-1)).not.toHaveProperty('unique')
    expect(dataOf(made).indexes.at(-2)).not.toHaveProperty('expireAfterSeconds')
    expect(made.notes).toSay('init-notes-of-indexes')
  })

  test('are each queried by their first field, in their order, with a value that a document has', () => {
    const like = { let: { like: { '@document': {} } } }
    expect(operation('customer_1_at_-1')).toMatchObject({
      ...like,
      kind: 'find',
      filter: { customer: { '@var': 'like.customer' } },
      sort: { at: -1 },
      limit: 20,
    })
    expect(operation('at_1')).toMatchObject({ filter: { at: { $gte: { '@var': 'like.at' } } }, sort: { at: 1 } })
    expect(operation('email_1')).toMatchObject({ kind: 'findOne', filter: { email: { '@var': 'like.email' } } })
    expect(operation('tags_1')).toMatchObject({ filter: { tags: { '@var': 'like.tags.0' } } })
    expect(operation('lines_sku_1')).toMatchObject({ filter: { 'lines.sku': { '@var': 'like.lines.0.sku' } } })
    expect(operation('state_1')).toMatchObject({ filter: { state: { '@var': 'like.state' }, at: { $gt: {} } } })
    expect(operation('title_1')).toMatchObject({ collation: { locale: 'de', strength: 2 } })
    expect(operation('words')).toMatchObject({ filter: { $text: { $search: { '@var': 'like.title' } } } })
    expect(operation('loc_2dsphere')).toMatchObject({ filter: { loc: { $near: { $geometry: {} } } } })
  })

  test('that are sparse have a note that they are larger', () => {
    const some = times(100, (i) => (i % 2 === 0 ? { code: `c${i}` } : { n: i }))
    const { notes } = madeOf(some, { indexes: [foundIndex({ code: 1 }, { sparse: true })] })
    expect(notes).toHaveLine('init-note-sparse-index', { index: 'code_1' })
    expect(notes).toHaveLine('init-note-null-fields', { fields: 'code, n' })
  })

  test('have as many different values as the collection, where values repeat', () => {
    const drawn = new Set(rowsOf(made, 1000).map(({ customer }) => String(customer)))
    expect(drawn.size).toBe(20)
  })

  test('keep that number for more documents if the sample has all of them, and grow with the documents if not', () => {
    expect(countOf(times(200, (i) => i % 40))).toBe(40)
    // 150 values, of which 100 were seen once: sqrt(20,000 / 200) * 100 + 50 of them in all, 19 documents each.
    const grown = { '@ceil': { '@divide': [{ '@param': 'documents' }, 19] } }
    expect(countOf([...times(150, (i) => i), ...times(50, (i) => i)])).toEqual(grown)
  })

  test('that are unique can be built', () => {
    const rows = rowsOf(made, 2000)
    expect(new Set(rows.map(({ email }) => email)).size).toBe(2000)
  })
})

const orElse = (name: string, drawn: object): object => ({
  '@cond': [{ '@eq': [{ '@var': name }, null] }, drawn, { '@var': name }],
})

describe('an index on a field that many documents do not have', () => {
  const documents = times(200, (i) =>
    i % 2 === 0
      ? { n: i }
      : {
          coupon: ['SPRING', 'FRIEND'][(i >> 1) % 2],
          bio: `text ${i}`,
          at: new Date(i * 1e9),
          loc: { type: 'Point', coordinates: [i + 0.5, 1.5] },
          parent: { id: new ObjectId() },
        },
  )
  const indexes = [
    foundIndex({ coupon: 1 }, { sparse: true }),
    foundIndex({ at: 1 }),
    foundIndex({ loc: '2dsphere' }),
    foundIndex({ _fts: 'text', _ftsx: 1 }, { name: 'words', weights: { bio: 1 }, default_language: 'english' }),
    foundIndex({ 'parent.id': 1 }),
  ]
  const made = madeOf(documents, { indexes })
  const operationOf = namedOperations(made)

  test('is queried with newly drawn values like those it holds', () => {
    expect(operationOf('coupon_1')).toMatchObject({
      filter: { coupon: { '@choice': { values: ['SPRING', 'FRIEND'] } } },
    })
    expect(operationOf('coupon_1')).not.toHaveProperty('let')
    expect(operationOf('at_1')).toMatchObject({ filter: { at: { $gte: { '@date': {} } } } })
    expect(operationOf('loc_2dsphere')).toMatchObject({ filter: { loc: { $near: { $geometry: { type: 'Point' } } } } })
  })

  test('is queried with the value of a document, if a newly drawn value would not be found', () => {
    const like = { let: { like: { '@document': {} } } }
    expect(operationOf('words')).toMatchObject({
      ...like,
      filter: { $text: { $search: orElse('like.bio', { '@string': {} }) } },
    })
    expect(operationOf('parent_id_1')).toMatchObject({
      ...like,
      filter: { 'parent.id': orElse('like.parent.id', { '@objectId': {} }) },
    })
  })
})

describe('the kind of a collection', () => {
  const documents = times(100, (i) => ({
    _id: i,
    ts: new Date(i * 1000),
    meta: `m${i % 5}`,
    v: i / 8,
    state: ['a', 'b'][i % 2],
  }))
  const madeAs = (changes: Partial<CollectionProfile>, keepValues = true): MadeSpec =>
    madeOf(documents, changes, keepValues)

  test('is kept where a spec has it: clustered, with a validator, a compressor and a collation', () => {
    const options = {
      clusteredIndex: { v: 2, key: { _id: 1 }, unique: true, name: 'byId' },
      validator: { v: { $type: 'double' } },
      validationAction: 'warn',
      storageEngine: { wiredTiger: { configString: 'block_compressor=zstd' } },
      collation: { locale: 'de', strength: 2, version: '57.1' },
    }
    const indexes = [
      { ...foundIndex({ _id: 1 }, { clustered: true, unique: true }), name: 'byId' },
      foundIndex({ meta: 1 }, { collation: options.collation }),
      foundIndex({ v: 1 }),
    ]
    const made = madeAs({ options, indexes })
    expect(dataOf(made)).toMatchObject({
      options: {
        ...options,
        clusteredIndex: { key: { _id: 1 }, unique: true, name: 'byId' },
        collation: { locale: 'de', strength: 2 },
      },
      indexes: [
        { key: { meta: 1 }, collation: { locale: 'de', strength: 2 } },
        { key: { v: 1 }, collation: { locale: 'simple' } },
      ],
    })
    expect(made.notes.join()).not.toContain('does not have')
    expect(operationsOf(made)).toContainEqual(expect.objectContaining({ name: 'v_1', collation: { locale: 'simple' } }))
  })

  test('is named where a spec does not have it, with every option that is lost', () => {
    const changes = {
      options: { expireAfterSeconds: 60, changeStreamPreAndPostImages: { enabled: true } },
      indexes: [foundIndex({ v: 1 }, { storageEngine: {} })],
    }
    expect(madeAs(changes).notes).toSay('init-notes-lost-options')
    const { notes } = madeAs({ options: { validator: { state: 'a' } } }, false)
    expect(notes).toHaveLine('init-note-validator-left-out')
    expect(madeAs({ kind: 'view', options: { viewOn: 'b' } }).notes).toHaveLine('init-note-view', { of: 'b' })
  })

  test('of a time series keeps its indexes and its order, and nothing of it is updated', () => {
    const options = { timeseries: { timeField: 'ts', metaField: 'meta', granularity: 'seconds' } }
    const made = madeAs({ kind: 'timeseries', options, indexes: [foundIndex({ v: 1 })], ...inOrder(documents) })
    expect(dataOf(made).indexes).toMatchObject([{ key: { v: 1 } }, { key: { meta: 1, ts: 1 } }])
    expect(operationsOf(made).map(({ name, kind }) => name ?? kind)).toEqual(['v_1', 'meta_1_ts_1', 'insertOne'])
    expect(generatorsOf(made)['ts']).toHaveProperty('@toDate')
    expect(made.notes).toHaveLine('init-note-time-series')
  })

  test('of a view is kept on its collection: reads go through the view, writes do not', () => {
    const base = profileOf(documents, { indexes: [foundIndex({ meta: 1 }), foundIndex({ v: 1 })] })
    const shown = documents
      .filter(({ state }) => state === 'a')
      .map(({ _id, ts, meta, state }) => ({ _id, ts, meta, state }))
    const pipeline = [{ $match: { state: 'a' } }, { $project: { v: 0 } }]
    const view = profileOf(shown, { collection: 'open', kind: 'view', options: { viewOn: 'orders', pipeline } })
    const made = writeDraft(specOfCollection(base, true, { view }))
    expect(made.spec['data']).toMatchObject([
      { collection: 'orders' },
      { collection: 'open', options: { viewOn: 'orders', pipeline } },
    ])
    expect(operationsOf(made)).toMatchObject([
      { name: 'byId', collection: 'open', filter: { _id: { '@key': { of: 'orders' } } } },
      { name: 'meta_1', collection: 'open', let: { like: { '@document': { of: 'orders' } } } },
      { kind: 'insertOne', collection: 'orders' },
      { kind: 'updateOne', collection: 'orders' },
    ])
    expect(made.notes).toHaveLine('init-note-share-of-view', { percent: 50 })
    expect(load(made).rows).toHaveLength(1)
  })
})

type OddCollection = [what: string, documents: readonly object[], changes?: Partial<CollectionProfile>]

describe('odd collections', () => {
  const deep = (levels: number): object => (levels === 0 ? { end: 1 } : { down: [deep(levels - 1), null] })
  const others = { code: new Code('x'), min: new MinKey(), max: new MaxKey(), ref: new DBRef('a', new ObjectId()) }

  test.each<OddCollection>([
    ['an empty collection', []],
    ['an empty collection with indexes', [], { indexes: [foundIndex({ a: 1 }, { unique: true })] }],
    ['a view without _id', [{ n: 1 }, { n: 2 }], { kind: 'view', indexes: [] }],
    ['a capped collection', [{ n: 1 }], { options: { capped: true, size: 4096, max: 10 } }],
    ['documents of one field', [{ _id: 1 }, { _id: 2 }]],
    [
      'names of the language',
      [{ '@int': 1, $set: 2, $where: 'x', sub: { '@row': {} }, wrapped: { $oid: null }, when: null, label: 'x' }],
    ],
    ['names that mean something to JavaScript', [JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}')]],
    ['names with dots, spaces, unicode, or none', [{ 'a.b': 1, ' ': 2, größe: 3, 名: { '☃': 'x' }, '': 4 }]],
    [
      'types that no generator draws',
      [{ ...others, at: new Timestamp({ t: 1, i: 2 }), re: /a/, bin: new Binary(Buffer.alloc(9)) }],
    ],
    [
      'values that have no range',
      [{ a: NaN, b: Infinity, c: Decimal128.fromString('NaN'), d: new Date(8e15), e: 1e300 }],
    ],
    ['mixed types', times(30, (i) => ({ x: [1, 'a', null, { y: 1 }, [1], true, new Date(0)][i % 7] }))],
    ['documents that are too deep', [deep(60)]],
    ['huge nested arrays', [{ list: times(300, () => times(300, (i) => [i])) }]],
    ['lists that are empty', [{ list: [] }, { list: [] }]],
    ['more fields than anybody wrote', [Object.fromEntries(times(2000, (i) => [`field ${i}`, i]))]],
    ['a name that no spec may have', [{ n: 1 }], { collection: '2024 orders/ü', database: 'Ärger' }],
    ['large documents', [{ n: 1 }], { meanBytes: 16e6, documents: 1e9 }],
  ])('%s', (_what, documents, changes = {}) => {
    const made = madeOf(documents, changes)
    expect(load(made).rows).toHaveLength(1)
    expect(rowsOf(made, 3)).toHaveLength(3)
  })

  test('make no more than 256 MB by default, and all with a profile', () => {
    expect(madeOf([{ n: 1 }], { meanBytes: 1024, documents: 1e6 }).spec).toMatchObject({
      parameters: { documents: 262_144 },
      profiles: { full: { documents: 1e6 } },
    })
  })

  test('a field with a name that the language reserves is listed as left out', () => {
    expect(madeOf([{ '@int': 1, n: 1 }]).notes).toHaveLine('init-note-reserved-names')
  })
})

test('a spec of the collection itself only reads, with values of a sample', () => {
  const documents = times(30, (i) => ({ a: `a${i}`, tags: [i], spot: [i + 0.5, 1.5], at: new Date(i) }))
  const indexes = [foundIndex({ a: 1, at: 1 }, { unique: true }), foundIndex({ tags: 1 }), foundIndex({ spot: '2d' })]
  const profile = profileOf(documents, { indexes: [...indexes, foundIndex({ b: 1 })] })
  const made = writeDraft(specOfExisting(profile, true))
  expect(operationsOf(made)).toMatchObject([
    { kind: 'findOne', filter: { _id: { '@sample': { path: '_id' } } } },
    { kind: 'find', filter: { a: { '@sample': { path: 'a' } } }, sort: { at: 1 } },
    { kind: 'find', filter: { tags: { '@sample': { path: 'tags' } } } },
  ])
  expect(made.notes).toSay('init-notes-existing-indexes')
  expect(made.copied).toEqual([])
  expect(load(made).rows).toHaveLength(1)
})
