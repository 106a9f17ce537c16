import { serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { type BsonDocument } from '../../../src/language/values/bson-types.ts'
import { compilePhase } from '../../../src/spec/plan/compile-phase.ts'
import { createDataSet } from '../../../src/spec/plan/data-set.ts'
import { oneRow, problemsOf } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'
import { makeDocuments, toHex, writeDocuments } from '../../fakes/made-documents.ts'

const shop = [
  { collection: 'countries', rows: 4, document: { _id: { '@concat': ['C', { '@row': {} }] } } },
  {
    collection: 'customers',
    rows: 20,
    let: { n: { '@int': { max: 1000 } } },
    document: {
      _id: { '@objectId': {} },
      country: { '@ref': { collection: 'countries' } },
      name: { last: { '@concat': ['N', { '@var': 'n' }] } },
      where: { '@choice': { values: [{ city: 'Oslo' }, { city: 'Bergen' }] } },
      boss: { '@ref': { collection: 'customers' } },
    },
  },
  {
    collection: 'orders',
    rows: 50,
    document: {
      _id: { '@row': {} },
      customer: { '@ref': { collection: 'customers', distribution: 'zipfian' } },
      name: { '@ref': { collection: 'customers', field: 'name.last' } },
      city: { '@ref': { collection: 'customers', field: 'where.city' } },
      country: { '@ref': { collection: 'customers', field: 'country' } },
      ship: { '@ref': { collection: 'countries', row: 3 } },
    },
  },
]

const operations = [
  { kind: 'find', collection: 'orders', filter: { customer: { '@ref': { collection: 'customers' } } } },
  {
    kind: 'find',
    name: 'named',
    collection: 'customers',
    filter: { 'name.last': { '@ref': { collection: 'customers', field: 'name.last' } } },
  },
]
const none = () => fail('not there')

const refused = (data: readonly object[]) =>
  problemsOf({
    data,
    phases: [{ name: 'r', stopAfter: { operations: 1 }, operations: [{ kind: 'find', collection: 'a' }] }],
  })
const a = (document: object, more: object = {}) => ({ collection: 'a', rows: 1, document, ...more })

describe('references', () => {
  const { spec } = oneRow({ data: shop, phases: [{ name: 'r', stopAfter: { operations: 1 }, operations }] })
  const context = { seed: 1, data: spec.data, report: (_: unknown, reason: string) => fail(reason) }
  const dataSets = spec.data.map((one, i) => createDataSet(one, ['data', i], context))
  const [countries = none(), customers = none(), orders = none()] = dataSets

  test.each([
    ['customer', customers, (one: BsonDocument) => one['_id']],
    ['name', customers, (one: BsonDocument) => (one['name'] as BsonDocument)['last']],
    ['city', customers, (one: BsonDocument) => (one['where'] as BsonDocument)['city']],
    ['country', customers, (one: BsonDocument) => one['country']],
    ['ship', countries, (one: BsonDocument) => one['_id']],
  ])('hold values of documents that are there, also by way of a third collection: %s', (field, target, read) => {
    const there = new Set(makeDocuments(target, target.spec.rows).map((one) => String(read(one))))
    const held = makeDocuments(orders, 50).map((one) => String(one[field]))
    expect(held.filter((one) => !there.has(one))).toEqual([])
    expect(new Set(held).size).toBeGreaterThanOrEqual(Math.min(there.size, field === 'ship' ? 1 : 2))
  })

  test('lead into the own collection too, and are written as they are drawn', () => {
    const ids = new Set(makeDocuments(customers, 20).map(({ _id }) => String(_id)))
    expect(makeDocuments(customers, 20).every(({ boss }) => ids.has(String(boss)))).toBe(true)
    for (const one of [customers, orders])
      expect(writeDocuments(one, 20)).toEqual(makeDocuments(one, 20).map((each) => toHex(serialize(each))))
  })

  test('that lead back to themselves are refused, and so are fields that are not there', () => {
    const toB = { '@ref': { collection: 'b', field: 'x' } }
    const b = { collection: 'b', rows: 1, document: { _id: 1, x: { '@ref': { collection: 'a', field: 'x' } } } }
    expect(refused([a({ _id: 1, x: toB }), b])).toSay('ref-in-circle')
    expect(refused([a({ _id: { '@ref': { collection: 'a' } } })])).toSay('ref-to-itself')
    const inLet = { let: { v: { '@ref': { collection: 'a' } } } }
    expect(refused([a({ _id: { '@var': 'v' } }, inLet)])).toSay('ref-let-in-circle')
    expect(refused([a({ x: { '@ref': { collection: 'b', field: 'y' } } }), b])).toSay('ref-field-missing')
    expect(refused([a({ x: { '@ref': { collection: 'c' } } }), b])).toSay('ref-collection-missing')
  })

  test('of operations hold values of documents that are there, the same in every run', () => {
    const phase = spec.phases[0] ?? none()
    const calls = () => Array.from({ length: 40 }, compilePhase(phase, [], dataSets, context).calls('measured').next)
    const ids = new Set(
      makeDocuments(customers, 20).flatMap(({ _id, name }) => [String(_id), String((name as BsonDocument)['last'])]),
    )
    const values = calls().map(({ args }) => String(Object.values(args.filter as object)[0]))
    expect(values.filter((one) => !ids.has(one))).toEqual([])
    expect(calls().map(({ args }) => String(Object.values(args.filter as object)[0]))).toEqual(values)
  })
})
