import { describe, expect, test } from 'vitest'
import { type Json } from '../../../src/core/json.ts'
import { type PlannedCall } from '../../../src/load/plan/plan.ts'
import { createShares, type Share, wholePhase } from '../../../src/load/plan/share.ts'
import { type Addressed, listEdges, listNames, mapCopies } from '../../../src/spec/plan/copies.ts'
import { lastPlanOf } from '../../fakes/a-plan.ts'
import { aPhase, oneRow } from '../../fakes/a-spec.ts'

const int = (min: number, max: number) => ({ '@int': { min, max } })
const tenants = { collection: 'tenant', rows: 5, document: { _id: { '@row': {} } } }
const tenant = (number: Json) => ({ '@concat': ['tenant', number] })

const rowOf = (data: Json, ...operations: readonly object[]) =>
  oneRow({ data, phases: [aPhase({ operations: operations as never })] })

const namesOf = (copies: Json): readonly string[] => {
  const { spec } = rowOf({ ...tenants, copies }, { kind: 'command', command: { ping: 1 } })
  const [dataSet] = spec.data
  return [...((dataSet && mapCopies(dataSet)?.keys()) ?? [])]
}

test('copies are numbered, or named by an expression over their number', () => {
  expect(namesOf(3)).toEqual(['tenant0', 'tenant1', 'tenant2'])
  expect(namesOf({ count: 2, collection: { '@concat': ['of', { '@add': [{ '@var': 'copy' }, 7] }] } })).toEqual([
    'of7',
    'of8',
  ])
  expect(namesOf({ count: 2, database: { '@concat': ['shop', { '@var': 'copy' }] } })).toEqual([
    'shop0/tenant',
    'shop1/tenant',
  ])
})

function calls(count: number, share: Share, ...operations: readonly object[]): readonly PlannedCall[] {
  const { next } = lastPlanOf(rowOf({ ...tenants, copies: 4 }, ...operations)).calls('measured', {}, share)
  return Array.from({ length: count }, next)
}
const drawn = (all: readonly PlannedCall[]) => all.map(({ args }) => args.namespace?.collection)
const findOne = { kind: 'findOne', collection: tenant(int(0, 3)), filter: { _id: { '@key': {} } } }

test('every call draws its collection, and a repetition draws the same ones', () => {
  const all = drawn(calls(200, wholePhase, findOne))
  expect(new Set(all)).toEqual(new Set(['tenant0', 'tenant1', 'tenant2', 'tenant3']))
  expect(drawn(calls(200, wholePhase, findOne))).toEqual(all)
})

test('units draw together what one draws alone', () => {
  const [even = wholePhase, odd = wholePhase] = createShares(2)
  const alone = drawn(calls(20, wholePhase, findOne))
  expect(drawn(calls(10, even, findOne))).toEqual(alone.filter((_, n) => n % 2 === 0))
  expect(drawn(calls(10, odd, findOne))).toEqual(alone.filter((_, n) => n % 2 === 1))
})

test('inserts of all copies share the numbers of their rows', () => {
  const inserts = calls(20, wholePhase, { kind: 'insertOne', collection: tenant(int(0, 3)) })
  expect(inserts.map(({ args }) => args.document)).toEqual(Array.from({ length: 20 }, (_, n) => ({ _id: n + 5 })))
  expect(inserts.map(({ bytes }) => bytes)).toEqual(inserts.map(() => 14))
})

test('a copy that is named is the collection of all calls', () => {
  const plan = lastPlanOf(rowOf({ ...tenants, copies: 4 }, { kind: 'findOne', collection: 'tenant2' }))
  expect(plan.operations).toMatchObject([{ collection: 'tenant2' }])
  expect(plan.calls('measured').next().args).not.toHaveProperty('namespace')
})

test('a collection that is drawn at last and is none of the data ends the run with its name', () => {
  const text = { '@string': { length: 1, alphabet: '34' } }
  const read = () => calls(50, wholePhase, { kind: 'findOne', collection: tenant(text) })
  expect(read).toThrow('"tenant4" was drawn')
})

describe('what may be drawn is known without drawing', () => {
  const given = { n: int(2, 5) }
  test.each<[string, Json, readonly string[] | undefined]>([
    ['a text', 'tenant1', ['tenant1']],
    ['the ends of a range', tenant(int(0, 9)), ['tenant0', 'tenant9']],
    ['each choice', { '@choice': { values: ['a', tenant(int(0, 1))] } }, ['a', 'tenant0', 'tenant1']],
    ['a value of let', tenant({ '@var': 'n' }), ['tenant2', 'tenant5']],
    ['not a text that is drawn', tenant({ '@string': { length: 2 } }), undefined],
    ['not a range without an end', tenant({ '@int': { min: 1 } }), undefined],
    ['not a reply', tenant({ '@var': 'reply' }), undefined],
  ])('%s', (_, node, edges) => {
    expect(listEdges(node, given)).toEqual(edges)
  })
})

describe('the data sets that an operation may work on', () => {
  const { spec } = rowOf(
    [
      { ...tenants, copies: 20 },
      { ...tenants, collection: 'order.', copies: 20 },
      { ...tenants, collection: 'bills', copies: { count: 2, database: { '@concat': ['shop', { '@var': 'copy' }] } } },
      { ...tenants, collection: 'users' },
    ],
    { kind: 'command', command: { ping: 1 } },
  )
  test.each<[string, Addressed, readonly string[]]>([
    ['a copy by its name', { collection: 'tenant19' }, ['tenant']],
    ['no copy beyond the last', { collection: 'tenant20' }, ['tenant20']],
    ['a collection without copies', { collection: 'users' }, ['users']],
    ['by what a name begins with', { collection: tenant({ '@string': { length: 2 } }) }, ['tenant']],
    ['with a dot as it is', { collection: { '@concat': ['order.', int(0, 5)] } }, ['order.']],
    ['by database', { collection: 'bills', database: { '@concat': ['shop', int(0, 1)] } }, ['bills']],
    ['all that match', { collection: { '@choice': { values: ['tenant1', 'order.1'] } } }, ['tenant', 'order.']],
  ])('%s', (_, addressed, names) => {
    expect(listNames(addressed, spec.data)).toEqual(names)
  })
})
