import { ObjectId } from 'bson'
import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../../src/core/json.ts'
import { type CollectionProfile } from '../../../../src/sources/init/collection/collection-profile.ts'
import { specOfExisting, specOfQuery } from '../../../../src/sources/init/collection/spec-of-collection.ts'
import { readComparison, specOfComparison } from '../../../../src/sources/init/comparison/spec-of-comparison.ts'
import { specOfExistingIndexes } from '../../../../src/sources/init/comparison/spec-of-existing-indexes.ts'
import { writeDraft } from '../../../../src/sources/init/draft.ts'
import { type QueryFlags, readOwnQuery } from '../../../../src/sources/init/query/read-query.ts'
import { detectTopology } from '../../../../src/sources/init/topology.ts'
import { loadSpecText } from '../../../../src/spec/load-spec.ts'
import { printSpec } from '../../../../src/spec/parse/print-spec.ts'
import { fail } from '../../../fakes/fail.ts'
import { foundIndex, profileOf } from '../../../fakes/fake-collection-profile.ts'

const documents = Array.from({ length: 200 }, (_, i) => ({
  _id: new ObjectId(),
  customer: `customer ${i % 40}`,
  status: ['open', 'paid', 'sent', 'sent'][i % 4],
  total: i,
  at: new Date(1.7e12 + i * 60_000),
  isGift: i % 5 === 0,
  lines: [{ sku: `sku${i}` }],
}))
const indexes = [foundIndex({ status: 1, at: -1 }), foundIndex({ total: 1 }, { sparse: true })]
const orders = profileOf(documents, { indexes })

const read = (flags: QueryFlags) => readOwnQuery(flags) ?? fail('no query')
const load = (spec: JsonObject) => loadSpecText(printSpec(spec), 'made.json')
const operationOf = (spec: JsonObject): JsonObject =>
  (spec['phases'] as readonly { readonly operations: readonly JsonObject[] }[])[0]?.operations[0] ??
  fail('no operation')

function made(flags: QueryFlags, keepValues = true) {
  const { spec, notes } = writeDraft(specOfQuery(orders, read(flags), keepValues))
  expect(load(spec).rows).toHaveLength(1)
  return { operation: operationOf(spec), notes }
}

function existing(flags: QueryFlags) {
  const { spec, notes } = writeDraft(specOfExisting(orders, true, read(flags)))
  expect(load(spec).rows).toHaveLength(1)
  return { operation: operationOf(spec), notes }
}

const compareExisting = (keys: readonly string[], flags?: QueryFlags, profile: CollectionProfile = orders) => {
  const { indexes: wanted } = readComparison(keys, undefined) ?? fail('nothing is compared')
  return load(writeDraft(specOfExistingIndexes(profile, wanted, flags && read(flags))).spec)
}

const compare = (flags: QueryFlags) => {
  const comparison =
    readComparison(['{"customer":1}', '{"status":1,"at":-1}'], undefined) ?? fail('nothing is compared')
  const options = { keepValues: true, server: detectTopology({}), query: read(flags) }
  return load(writeDraft(specOfComparison(orders, comparison, options)).spec)
}

describe('constants of a query become draws of what the collection has', () => {
  test('of one document, which the query then finds, and the notes name each', () => {
    const { operation, notes } = made({
      query: '{"status":"open","customer":"customer 1","isGift":true,"gone":{"$exists":false}}',
      sort: '{"at":-1}',
      limit: 20,
    })
    expect(operation).toEqual({
      kind: 'find',
      name: 'find_status_customer_isGift_gone',
      let: { like: { '@document': {} } },
      filter: {
        status: { '@var': 'like.status' },
        customer: { '@var': 'like.customer' },
        isGift: true,
        gone: { $exists: false },
      },
      sort: { at: -1 },
      limit: 20,
    })
    expect(notes).toHaveLine('query-note-drawn', { fields: 'status, customer' })
    expect(notes).toHaveLine('query-note-kept', { fields: 'isGift, gone' })
  })

  test('except where they say what is never asked for, and where a range begins', () => {
    const { operation, notes } = made({
      query:
        '{"status":{"$ne":"sent"},"total":{"$gte":150},"at":{"$gte":{"$date":"2023-11-14T22:13:20Z"},"$lt":{"$date":"2023-11-14T22:23:20Z"}}}',
    })
    expect(operation['filter']).toMatchObject({ status: { $ne: 'sent' }, total: { $gte: 150 }, at: { '@choice': {} } })
    expect(notes).toHaveLine('query-note-kept', { fields: 'status, total' })
    expect(notes).toHaveLine('query-note-ranges', { fields: 'at' })
  })

  test('and those of kept fields stay, as the made-up data writes them', () => {
    const flags = { query: '{"status":"open","customer":"customer 1"}', keep: ['status'] }
    expect(made(flags).operation['filter']).toEqual({ status: 'open', customer: { '@var': 'like.customer' } })
    expect(made(flags).notes).toHaveLine('query-note-kept-value')
    // No real value: the placeholder of a status of four letters.
    expect(JSON.stringify(made(flags, false).operation)).not.toMatch(/open/)
  })

  test('also in the first stages of a pipeline and in an update', () => {
    const pipeline = made({ pipeline: '[{"$match":{"status":"open"}},{"$group":{"_id":"$customer"}}]' })
    expect(pipeline.operation).toMatchObject({
      kind: 'aggregate',
      pipeline: [{ $match: { status: { '@var': 'like.status' } } }, { $group: { _id: '$customer' } }],
    })
    const update = made({ query: '{"customer":"customer 1"}', update: '{"$set":{"status":"sent"},"$inc":{"total":1}}' })
    expect(update.operation).toMatchObject({
      kind: 'updateOne',
      update: {
        $set: { status: { '@choice': { values: ['open', 'paid', 'sent'], weights: [50, 50, 100] } } },
        $inc: { total: 1 },
      },
    })
    expect(update.notes).toHaveLine('query-note-update')
  })

  test('a field that no document has is an error, with the nearest one', () => {
    const unknown = (flags: QueryFlags, given: string, nearest: string) =>
      expect(() => made(flags)).toSay('query-field-unknown', { given, nearest })
    unknown({ query: '{"statsu":"open"}' }, 'statsu', '"status"')
    unknown({ query: '{}', sort: '{"aat":1}' }, 'aat', '"at"')
    expect(made({ query: '{"statsu":"open"}', keep: ['statsu'] }).operation['filter']).toEqual({ statsu: 'open' })
    const query = '{"$expr":{"$gt":["$total",5]}}'
    expect(() => made({ query })).toSay('query-with-expr')
    expect(made({ query, keep: ['$expr'] }).notes).toHaveLine('query-note-kept', { fields: '$expr' })
  })
})

describe('on the collection itself', () => {
  test('values come from one sampled document', () => {
    expect(
      existing({ query: '{"status":"open","lines.sku":"a","_id":{"$oid":"5f5f5f5f5f5f5f5f5f5f5f5f"}}' }).operation,
    ).toMatchObject({
      let: { like: { '@sample': { path: ['status', 'lines.sku', '_id'] } } },
      filter: {
        status: { '@var': 'like.status' },
        'lines.sku': { '@var': 'like.lines.0.sku' },
        _id: { '@var': 'like._id' },
      },
    })
    const single = existing({ query: '{"customer":"a"}' }).operation
    expect(single).toEqual({ kind: 'find', filter: { customer: { '@sample': { path: 'customer' } } } })
    expect(existing({ query: '{"_id":1}' }).operation['filter']).toEqual({ _id: { '@sample': { path: '_id' } } })
    expect(existing({ query: '{"customer":{"$in":["a","b"]}}' }).operation['filter']).toMatchObject({
      customer: { $in: { '@map': { input: { '@array': { size: 2, of: { '@sample': { path: ['customer'] } } } } } } },
    })
  })

  test('an index is compared with reading it whole, by a hint', () => {
    for (const flags of [undefined, { query: '{"status":"open"}', sort: '{"at":-1}' }]) {
      const { rows } = compareExisting(['{"status":1,"at":-1}'], flags)
      expect(rows.map(({ label, spec }) => [label, spec.phases[0]?.operations[0]])).toMatchObject([
        ['index scan', { kind: 'find', sort: { at: -1 }, hint: { $natural: 1 } }],
        ['index status_1_at_-1', { kind: 'find', sort: { at: -1 }, hint: 'status_1_at_-1' }],
      ])
    }
  })

  test('an index that a hint cannot choose without changing what is found is refused', () => {
    const sku = profileOf(documents, { indexes: [foundIndex({ customer: 1 }, { hidden: true }), ...indexes] })
    expect(() => compareExisting(['{"customer":1}'])).toSay('existing-index-missing')
    expect(() => compareExisting(['{"customer":1}'], undefined, sku)).toSay('existing-index-hidden')
    expect(() => compareExisting(['{"total":1}'])).toSay('existing-index-sparse')
    expect(() => compareExisting(['{"status":1,"at":-1}', '{"_id":1}'])).toSay('existing-indexes-without-query')
  })
})

describe('an index is compared by the query of the user', () => {
  test('which each of them is measured by, beside writes', () => {
    const { rows } = compare({ query: '{"customer":"customer 1","status":"open"}', sort: '{"at":-1}' })
    expect(rows.map(({ spec }) => spec.phases.map(({ name }) => name))).toEqual(
      Array.from({ length: 3 }, () => ['find_customer_status', 'write']),
    )
  })

  test('and an update takes the place of the writes', () => {
    const [row] = compare({ query: '{"customer":"customer 1"}', update: '{"$set":{"status":"sent"}}' }).rows
    const write = row?.spec.phases.find(({ name }) => name === 'write')
    expect(write?.operations).toMatchObject([{ kind: 'updateOne', filter: { customer: {} } }])
    expect(JSON.stringify(row?.spec.report?.tables)).toContain('write.updateOne.p50Ms')
  })
})
