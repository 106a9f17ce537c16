import { readdirSync } from 'node:fs'
import { calculateObjectSize } from 'bson'
import { describe, expect, test } from 'vitest'
import { type Call } from '../../src/engines/engine.ts'
import { type Json, type JsonObject } from '../../src/json.ts'
import { loadSpecFile } from '../../src/load-spec.ts'
import { operations } from '../../src/operations/index.ts'
import { compilePhase } from '../../src/plan/compile-phase.ts'
import { createDataSet } from '../../src/plan/data-set.ts'
import { type PlannedCall } from '../../src/plan/plan.ts'
import { type SpecRow } from '../../src/spec/read-rows.ts'
import { aPhase, oneRow, problemsOf } from '../fakes/a-spec.ts'
import { fail } from '../fakes/fail.ts'

const folder = 'fixtures/examples/operations'

/** The first calls of the first phase of a row. */
function callsOf({ spec }: SpecRow, count: number, documentsLeft = Infinity): readonly PlannedCall[] {
  const context = { seed: spec.seed, report: (_: unknown, reason: string) => fail(reason) }
  const dataSets = spec.data.map((dataSet, i) => createDataSet(dataSet, ['data', i], context))
  const source = spec.phases.map((phase, i) =>
    compilePhase(phase, ['phases', i], dataSets, context).calls('measured'),
  )[0]
  return Array.from({ length: count }, () => source?.next(documentsLeft) ?? fail('no phase'))
}

const calls = (operation: JsonObject, count = 1, documentsLeft = Infinity): readonly PlannedCall[] =>
  callsOf(oneRow({ phases: [aPhase({ operations: [operation] })] }), count, documentsLeft)

const argsOf = (operation: JsonObject): readonly unknown[] => calls(operation)[0]?.args ?? []

describe.each([...operations])('$kind', ({ kind, positional, spec }) => {
  test('has an example, which is right and makes calls', async () => {
    const { rows } = await loadSpecFile(`${folder}/${kind}.json`)
    const [call] = rows.flatMap((row) => callsOf(row, 1))
    expect(rows[0]?.spec.phases[0]?.operations[0]?.kind).toBe(kind)
    expect(call?.args).toHaveLength(Object.keys(positional).length + 1)
  })

  test('has only arguments that its spec has', () => {
    expect(Object.keys(spec.shape)).toEqual(expect.arrayContaining(Object.keys(positional)))
  })

  test('passes nothing for options that are not given', async () => {
    const { rows } = await loadSpecFile(`${folder}/${kind}.json`)
    const [call] = rows.flatMap((row) => callsOf(row, 1))
    expect(Object.keys(call?.args.at(-1) as object)).toEqual(
      kind === 'find' ? ['limit'] : kind === 'insertMany' ? ['ordered'] : [],
    )
  })
})

test('every example is of an operation', () => {
  expect(readdirSync(folder).toSorted()).toEqual(operations.map(({ kind }) => `${kind}.json`).toSorted())
})

describe('arguments', () => {
  test('are the positional ones, then the options under their own names', () => {
    expect(
      argsOf({ kind: 'findOne', filter: { a: 1 }, projection: { b: 1 }, sort: { c: -1 }, skip: 2, raw: true }),
    ).toEqual([{ a: 1 }, { projection: { b: 1 }, sort: { c: -1 }, skip: 2, raw: true }])
    expect(
      argsOf({ kind: 'updateOne', filter: { a: 1 }, update: { $inc: { n: 1 } }, upsert: true, hint: 'a_1' }),
    ).toEqual([{ a: 1 }, { $inc: { n: 1 } }, { upsert: true, hint: 'a_1' }])
  })

  test('may be drawn, options too', () => {
    const drawn = calls({ kind: 'find', filter: {}, sort: { a: { '@choice': { values: [1, -1] } } } }, 20)
    expect(new Set(drawn.map(({ args }) => (args[1] as { sort: { a: number } }).sort.a))).toEqual(new Set([1, -1]))
  })

  test('keep the nulls of their values', () => {
    expect(
      argsOf({ kind: 'updateOne', filter: { a: null }, update: { $set: { b: null } }, arrayFilters: [{ c: null }] }),
    ).toEqual([{ a: null }, { $set: { b: null } }, { arrayFilters: [{ c: null }] }])
  })

  test('have a filter of everything by default', () => {
    expect(argsOf({ kind: 'deleteOne' })).toEqual([{}, {}])
  })
})

const documentsOf = ({ args }: Call): readonly object[] => (Array.isArray(args[0]) ? args[0] : [args[0]]) as object[]

describe('documents that are inserted', () => {
  test('are the next rows of the data set, each once', () => {
    const inserted = calls({ kind: 'insertMany', documentsPerCall: 3 }, 3).flatMap(documentsOf) as { _id: number }[]
    expect(inserted.map(({ _id }) => _id)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18])
  })

  test.each<[Json]>([
    [{ a: 1 }],
    [{ '@literal': { a: 1 } }],
    [{ '@choice': { values: [{ a: 1 }] } }],
    [{ a: { '@int': {} } }],
  ])('are objects of their own, for the driver writes into them: %j', (document) => {
    const inserted = calls({ kind: 'insertMany', documentsPerCall: 3, document }, 2).flatMap(documentsOf)
    expect(new Set(inserted).size).toBe(6)
    for (const [i, one] of inserted.entries()) Object.assign(one, { number: i })
    expect(inserted.map((one) => (one as { number: number }).number)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('are drawn anew for each place in a batch', () => {
    const [first] = calls({ kind: 'insertMany', documentsPerCall: 100, document: { a: { '@int': {} } } })
    expect(new Set(first && (documentsOf(first) as { a: number }[]).map(({ a }) => a)).size).toBe(100)
  })

  test.each<[JsonObject]>([
    [{ kind: 'insertOne' }],
    [{ kind: 'insertMany', documentsPerCall: 5 }],
    [{ kind: 'insertOne', document: { _id: { '@uuid': {} }, text: { '@string': {} } }, comment: 'not counted' }],
  ])('are counted in bytes: %j', (operation) => {
    for (const call of calls(operation, 3))
      expect(call.bytes).toBe(documentsOf(call).reduce((sum, document) => sum + calculateObjectSize(document), 0))
  })

  test('count the _id that the driver adds', () => {
    const [call] = calls({ kind: 'insertOne', document: { a: 1 } })
    expect(call?.bytes).toBe(calculateObjectSize({ a: 1 }) + 17)
  })
})

test('a find without a limit asks for an unknown number of documents', () => {
  expect([calls({ kind: 'find' })[0]?.documents, calls({ kind: 'find', limit: 0 })[0]?.documents]).toEqual([0, 0])
})

const problems = (operation: JsonObject) => problemsOf({ phases: [aPhase({ operations: [operation] })] })

describe('arguments that the driver would not take are refused', () => {
  test.each<[JsonObject, string]>([
    [{ kind: 'findOne', filter: 5 }, 'phases[0].operations[0].filter: must be an object'],
    [{ kind: 'find', filter: [] }, 'phases[0].operations[0].filter: must be an object'],
    [
      { kind: 'deleteOne', filter: { $oid: '0123456789abcdef01234567' } },
      'phases[0].operations[0].filter: must be an object',
    ],
    [{ kind: 'insertOne', document: 'x' }, 'phases[0].operations[0].document: must be an object'],
    [{ kind: 'insertMany', documentsPerCall: 2, document: [1] }, 'phases[0].operations[0].document: must be an object'],
  ])('%j', (operation, problem) => {
    expect(problems(operation)).toEqual([problem])
  })

  test.each<[Json]>([[{ a: 1 }], [{}], [5], [[]], [{ $set: { a: 1 }, b: 1 }]])('as an update: %j', (update) => {
    expect(problems({ kind: 'updateOne', update })).toEqual([
      'phases[0].operations[0].update: must be update operators, such as {"$set": …}, or a pipeline',
    ])
  })

  test('a pipeline is an update', () => {
    expect(problems({ kind: 'updateOne', update: [{ $set: { a: '$b' } }] })).toEqual([])
  })
})
