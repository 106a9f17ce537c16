import { describe, expect, test } from 'vitest'
import { type Json } from '../../../src/core/json.ts'
import { type PlannedCall } from '../../../src/load/plan/plan.ts'
import { createShares, type Share, wholePhase } from '../../../src/load/plan/share.ts'
import { type Addressed, listNames } from '../../../src/spec/plan/addressed.ts'
import { lastPlanOf } from '../../fakes/a-plan.ts'
import { aPhase, oneRow } from '../../fakes/a-spec.ts'

const int = (min: number, max: number) => ({ '@int': { min, max } })
const tenants = { collection: 'tenant', rows: 5, document: { _id: { '@row': {} } } }
const tenant = (number: Json) => ({ '@concat': ['tenant', number] })

const rowOf = (data: Json, ...operations: readonly object[]) =>
  oneRow({ data, phases: [aPhase({ operations: operations as never })] })

const numbered = (start: string, count: number): Json => ({
  '@map': { input: { '@range': [0, count] }, as: 'n', in: { '@concat': [start, { '@var': 'n' }] } },
})

const listCollections = (collections: Json): readonly string[] | undefined =>
  rowOf({ ...tenants, collections }, { kind: 'command', command: { ping: 1 } }).spec.data[0]?.collections

test('names are made of a range', () =>
  expect(listCollections(numbered('tenant', 3))).toEqual(['tenant0', 'tenant1', 'tenant2']))

test('ten thousand names fit into the budget of a file, more are refused', () => {
  expect(listCollections(numbered('tenant', 10_000))?.at(-1)).toBe('tenant9999')
  expect(() => listCollections(numbered('tenant', 10_001))).toThrow('must have at most 10000 items')
})

function calls(count: number, share: Share, ...operations: readonly object[]): readonly PlannedCall[] {
  const { next } = lastPlanOf(rowOf({ ...tenants, collections: numbered('tenant', 4) }, ...operations)).calls(
    'measured',
    {},
    share,
  )
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

test('inserts into all collections share the numbers of their rows', () => {
  const inserts = calls(20, wholePhase, { kind: 'insertOne', collection: tenant(int(0, 3)) })
  expect(inserts.map(({ args }) => args.document)).toEqual(Array.from({ length: 20 }, (_, n) => ({ _id: n + 5 })))
  expect(inserts.map(({ bytes }) => bytes)).toEqual(inserts.map(() => 14))
})

test('a collection that is named is the collection of all calls', () => {
  const plan = lastPlanOf(
    rowOf({ ...tenants, collections: numbered('tenant', 4) }, { kind: 'findOne', collection: 'tenant2' }),
  )
  expect(plan.operations).toMatchObject([{ collection: 'tenant2' }])
  expect(plan.calls('measured').next().args).not.toHaveProperty('namespace')
})

test('a collection that is drawn at last and is none of the data ends the run with its name', () => {
  const text = { '@string': { length: 1, alphabet: '34' } }
  const read = () => calls(50, wholePhase, { kind: 'findOne', collection: tenant(text) })
  expect(read).toThrow('"tenant4" was drawn')
})

describe('the data set that an operation works on', () => {
  const { spec } = rowOf(
    [
      { ...tenants, collections: numbered('tenant', 20) },
      { ...tenants, collection: 'order.', collections: numbered('order.', 20) },
      { ...tenants, collection: 'users' },
    ],
    { kind: 'command', command: { ping: 1 } },
  )
  test.each<[string, Addressed, readonly string[]]>([
    ['by the name of one of several', { collection: 'tenant19' }, ['tenant']],
    ['none beyond the last', { collection: 'tenant20' }, ['tenant20']],
    ['by its only one', { collection: 'users' }, ['users']],
    ['by the text with which names begin', { collection: { '@concat': ['order.', int(0, 5)] } }, ['order.']],
    ['by the first name of a choice', { collection: { '@choice': { values: ['order.1', 'order.2'] } } }, ['order.']],
    ['by a value of let', { let: { t: tenant(int(0, 1)) }, collection: { '@var': 't' } }, ['tenant']],
    ['by nothing where the name is read from elsewhere', { collection: { '@var': 'reply' } }, ['tenant']],
    ['none where names begin otherwise', { collection: { '@concat': ['users', int(0, 5)] } }, []],
  ])('%s', (_, addressed, names) => expect(listNames(addressed, spec.data)).toEqual(names))
})
