import { describe, expect, test } from 'vitest'
import { type Json, type JsonObject } from '../../../src/core/json.ts'
import { type PhasePlan } from '../../../src/load/plan/plan.ts'
import { compilePhase } from '../../../src/spec/plan/compile-phase.ts'
import { createDataSet } from '../../../src/spec/plan/data-set.ts'
import { aPhase, oneRow, problemsOf } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

/** Compiles the phases of a spec one after the other, each after so many calls of the one before. */
function plansOf(parts: JsonObject, callsPerPhase = 0): readonly PhasePlan[] {
  const { spec } = oneRow(parts)
  const context = { seed: spec.seed, report: (_: unknown, reason: string) => fail(reason) }
  const dataSets = spec.data.map((dataSet, i) => createDataSet(dataSet, ['data', i], context))
  return spec.phases.map((phase, i) => {
    const plan = compilePhase(phase, ['phases', i], dataSets, context)
    const calls = plan.calls('measured')
    for (let n = 0; n < callsPerPhase; n++) calls.next()
    return plan
  })
}

const plan = (phase: JsonObject): PhasePlan => plansOf({ phases: [phase] })[0] ?? fail('no phase')

/** Filters of the first calls. */
function filters(of: PhasePlan, count: number, pass: 'measured' | 'warm-up' = 'measured'): unknown[] {
  const calls = of.calls(pass)
  return Array.from({ length: count }, () => calls.next().args.filter)
}

const idOf = (filter: unknown): number => (filter as Record<'_id', number>)['_id']

test('what is not said is sent explicitly: majority with a wtimeout, local, primary', () =>
  expect(plan(aPhase())).toMatchObject({
    workers: 1,
    measured: true,
    settle: false,
    deadlineMs: 30_000,
    warmup: undefined,
    writeConcern: { w: 'majority', wtimeoutMS: 10_000 },
    readConcern: { level: 'local' },
    readPreference: { mode: 'primary' },
  }))

test('operations carry what an engine needs', () => {
  const operations = [{ kind: 'insertOne' }, { kind: 'find', name: 'all', expectDocuments: 3 }]
  expect(plan(aPhase({ operations })).operations).toEqual([
    {
      name: 'insertOne',
      kind: 'insertOne',
      database: undefined,
      reply: 'insert',
      carriesDocuments: true,
      documentsPerCall: 1,
      collection: 'things',
    },
    expect.objectContaining({
      name: 'all',
      kind: 'find',
      reply: 'cursor',
      carriesDocuments: false,
      expectDocuments: 3,
    }),
  ])
})

test.each<[boolean | number | undefined, number]>([
  [undefined, 0],
  [true, 100_000],
  [200, 200],
])('"keepSamples": %s keeps %i timings of each operation', (keepSamples, kept) =>
  expect(plan(aPhase({ ...(keepSamples !== undefined && { keepSamples }) })).keepSamples).toBe(kept),
)

test('operations are drawn by their weights', () => {
  const operations = [
    { kind: 'find', name: 'often', weight: 9 },
    { kind: 'find', name: 'rarely' },
  ]
  const calls = plan(aPhase({ operations })).calls('measured')
  const drawn = Array.from({ length: 10_000 }, () => calls.next().operation)
  expect(drawn.filter((operation) => operation === 1).length / 10_000).toBeCloseTo(0.1, 1)
})

test.each<[Json]>([
  [{ '@row': {} }],
  [{ '@uuid': {} }],
  [{ '@objectId': {} }],
  [{ '@concat': ['ACC', { '@row': {} }] }],
])('keys are those of documents that are there: _id %j', (id) => {
  const data = { collection: 'things', rows: 20, document: { _id: id, n: 1 } }
  const { spec } = oneRow({ data })
  const set = spec.data.map((one) => createDataSet(one, ['data', 0], { seed: 42, report: () => {} }))[0]
  const ids = Array.from({ length: 20 }, (_, row) => String(set?.documentOf?.(row).document['_id']))
  const [read] = plansOf({ data, phases: [aPhase()] })
  const asked = filters(read ?? fail('no phase'), 200).map((filter) => String(idOf(filter)))
  expect(new Set(asked)).toEqual(new Set(ids))
})

describe('rows given out', () => {
  const insert = aPhase({ name: 'insert', stopAfter: { operations: 30 }, operations: [{ kind: 'insertOne' }] })

  test('count those of the phases before', () => {
    const read = aPhase({ operations: [{ kind: 'findOne', filter: { _id: { '@key': { first: 10 } } } }] })
    const [, second] = plansOf({ phases: [insert, read] }, 30)
    const asked = filters(second ?? fail('no phase'), 500).map(idOf)
    expect([Math.min(...asked), Math.max(...asked)]).toEqual([10, 39])
  })

  test('do not count those of the phase itself, nor of its warm-up', () => {
    const both = aPhase({ operations: [{ kind: 'insertOne' }, { kind: 'findOne', filter: { _id: { '@key': {} } } }] })
    const mixed = plan(both)
    const warmUp = mixed.calls('warm-up')
    for (let n = 0; n < 100; n++) warmUp.next()
    const calls = mixed.calls('measured')
    const asked = Array.from({ length: 400 }, () => calls.next()).filter(({ operation }) => operation === 1)
    const ids = asked.map(({ args }) => idOf(args.filter))
    expect(Math.max(...ids)).toBe(9)
  })

  test('may be counted on when a phase before inserts for a time', () => {
    const timed = { ...insert, stopAfter: { seconds: 5 } }
    const read = aPhase({ operations: [{ kind: 'findOne', filter: { _id: { '@key': { first: 1_000_000 } } } }] })
    expect(problemsOf({ phases: [timed, read] })).toEqual([])
    expect(problemsOf({ phases: [read] })).toSay('rows-none-from')
  })
})

describe('one operation changes nothing of another', () => {
  const read = { kind: 'findOne', filter: { n: { '@int': {} } } }

  test('a field more draws no other values', () => {
    const more = { kind: 'findOne', filter: { m: { '@int': {} }, n: { '@int': {} } } }
    const before = filters(plan(aPhase({ operations: [read] })), 20) as { n: number }[]
    const after = filters(plan(aPhase({ operations: [more] })), 20) as { n: number }[]
    expect(after.map(({ n }) => n)).toEqual(before.map(({ n }) => n))
  })

  test('an operation in front of it draws no other values', () => {
    const other = { kind: 'deleteOne', weight: 1e-9, filter: { n: -1 } }
    expect(filters(plan(aPhase({ operations: [other, read] })), 20)).toEqual(
      filters(plan(aPhase({ operations: [read] })), 20),
    )
  })

  test('a phase in front of it draws no other values', () => {
    const phase = aPhase({ operations: [read] })
    const [, second] = plansOf({ phases: [aPhase({ name: 'first' }), phase] }, 10)
    expect(filters(second ?? fail('no phase'), 20)).toEqual(filters(plan(phase), 20))
  })
})

describe('collections', () => {
  const two = [
    { collection: 'orders', rows: 1, document: { _id: { '@row': {} } } },
    { collection: 'users', rows: 1, document: { _id: { '@row': {} } } },
  ]
  const problems = (operation: JsonObject) => problemsOf({ data: two, phases: [aPhase({ operations: [operation] })] })

  test('that keys are of and that are not there are refused, with the nearest that is', () =>
    expect(problems({ kind: 'find', collection: 'users', filter: { _id: { '@key': { of: 'ordres' } } } })).toSay(
      'spec-collection-of-key-misspelt',
    ))

  test('are those of the operation for its keys', () =>
    expect(problems({ kind: 'find', collection: 'users', filter: { _id: { '@key': {} } } })).toEqual([]))
})

const bytesOf = (operation: JsonObject): number =>
  plan(aPhase({ operations: [operation] }))
    .calls('measured')
    .next().bytes

test('the bytes of a call are those of its documents: filters and updates do not count', () => {
  expect(bytesOf({ kind: 'findOne', filter: { _id: { '@key': {} } } })).toBe(0)
  expect(bytesOf({ kind: 'updateOne', filter: { _id: { '@key': {} } }, update: { $set: { n: 1 } } })).toBe(0)
  // {_id: int32, n: int32}
  expect(bytesOf({ kind: 'insertOne' })).toBe(5 + (2 + 3 + 4) + (2 + 1 + 4))
})

test('options that do not vary are one object for all calls', () => {
  const calls = plan(aPhase({ operations: [{ kind: 'findOne', projection: { n: 1 } }] })).calls('measured')
  expect(calls.next().args.options).toBe(calls.next().args.options)
})

test('the first calls of an operation can be drawn again, and take no rows', () => {
  const operations = [
    { kind: 'findOne', filter: { _id: { '@key': {} } } },
    { kind: 'updateOne', filter: { _id: { '@nextRow': {} } }, update: { $set: { n: 1 } }, upsert: true },
  ]
  const [alone = fail('no phase')] = plansOf({ phases: [aPhase({ operations: operations.slice(0, 1) })] })
  const both = plan(aPhase({ operations }))
  const filtersOf = (operation: number): unknown[] => both.firstCalls(operation, 3).map(({ args }) => args.filter)
  expect(filtersOf(0)).toEqual(filters(alone, 3))
  expect(filtersOf(1)).toEqual([10, 11, 12].map((_id) => ({ _id })))
  expect(filtersOf(1)).toEqual([10, 11, 12].map((_id) => ({ _id })))
  const next = both.calls('measured')
  const taken = Array.from({ length: 20 }, () => next.next()).find(({ operation }) => operation === 1)
  expect(taken?.args.filter).toEqual({ _id: 10 })
})

test.each([
  [{ filter: { _id: { '@key': {} } } }, true],
  [{ filter: { text: { '@sample': { path: 'text' } } } }, true],
  [{ kind: 'aggregate', pipeline: [{ $match: { _id: { $gte: { '@key': {} } } } }, { $limit: 5 }] }, true],
  [{ filter: { _id: { '@int': { max: 9 } } } }, undefined],
  [{ filter: { _id: { '@key': { of: 'things' } } } }, undefined],
  [{ filter: { _id: { '@key': {} }, state: 'open' } }, undefined],
  [{ filter: {} }, undefined],
])('keys of %j come from the data: %s', (parts, keysFromData) => {
  const [operation] = plan(aPhase({ operations: [{ kind: 'find', ...parts }] })).operations
  expect(operation).toMatchObject({ kind: 'kind' in parts ? 'aggregate' : 'find' })
  expect(operation && 'keysFromData' in operation ? operation.keysFromData : undefined).toBe(keysFromData)
})
