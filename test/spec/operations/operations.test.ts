import { readdirSync } from 'node:fs'
import { calculateObjectSize } from 'bson'
import { describe, expect, test } from 'vitest'
import { type Json, type JsonObject } from '../../../src/core/json.ts'
import { driverMethods } from '../../../src/load/engines/driver/owners.ts'
import { type Call } from '../../../src/load/engines/engine.ts'
import { type NamedArguments } from '../../../src/load/engines/intent.ts'
import { type PlannedCall } from '../../../src/load/plan/plan.ts'
import { type SpecRow } from '../../../src/spec/fold/read-rows.ts'
import { loadSpecFile } from '../../../src/spec/load-spec.ts'
import { operations } from '../../../src/spec/operations/index.ts'
import { lastPlanOf } from '../../fakes/a-plan.ts'
import { aPhase, oneRow, problemsOf } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

const folder = 'fixtures/examples/operations'

/** Words of a spec that are no options of the driver. */
const ownWords: ReadonlySet<string> = new Set(
  'kind name weight share collection let bucketName documentsPerCall operationsPerCall expectDocuments function'.split(
    ' ',
  ),
)
const argumentFields: ReadonlySet<string> = new Set(
  'filter update replacement document pipeline key command operations filename sizeKB with'.split(' '),
)
const isOurs = (word: string): boolean => ownWords.has(word)

/** The first calls of the last phase of a row. */
const callsOf = (row: SpecRow, count: number, documentsPerCall = Infinity): readonly PlannedCall[] =>
  Array.from({ length: count }, lastPlanOf(row).calls('measured', { documentsPerCall }).next)

const calls = (operation: JsonObject, count = 1, documentsPerCall = Infinity): readonly PlannedCall[] =>
  callsOf(oneRow({ phases: [aPhase({ operations: [operation] })] }), count, documentsPerCall)

const argsOf = (operation: JsonObject): NamedArguments | undefined => calls(operation)[0]?.args

describe.each([...operations])('$kind', ({ kind }) => {
  test('has an example, which is right and makes calls', async () => {
    const { rows } = await loadSpecFile(`${folder}/${kind}.json`)
    const [call] = rows.flatMap((row) => callsOf(row, 1))
    expect(rows[0]?.spec.phases.at(-1)?.operations[0]?.kind).toBe(kind)
    // The bytes of a file are written into a stream.
    const { content: _, options: __, ...args } = call?.args ?? fail('no call')
    expect(Object.keys(args).toSorted()).toEqual(driverMethods[kind].takes.toSorted())
  })

  test('passes the options that are given, and no others', async () => {
    const { rows } = await loadSpecFile(`${folder}/${kind}.json`)
    const [call] = rows.flatMap((row) => callsOf(row, 1))
    const given = Object.entries(rows[0]?.spec.phases.at(-1)?.operations[0] ?? {})
    const options = given.flatMap(([name, said]) =>
      said === undefined || isOurs(name) || argumentFields.has(name) ? [] : name,
    )
    expect(Object.keys(call?.args.options ?? fail('no call')).toSorted()).toEqual(options.toSorted())
  })
})

test('every example is of an operation', () =>
  expect(readdirSync(folder).toSorted()).toEqual(
    [...operations.map(({ kind }) => kind), 'changeStream', 'steps', 'transaction']
      .map((kind) => `${kind}.json`)
      .toSorted(),
  ))

describe('arguments', () => {
  test('have their names, and so have the options', () => {
    expect(
      argsOf({ kind: 'findOne', filter: { a: 1 }, projection: { b: 1 }, sort: { c: -1 }, skip: 2, allowDiskUse: true }),
    ).toEqual({ filter: { a: 1 }, options: { projection: { b: 1 }, sort: { c: -1 }, skip: 2, allowDiskUse: true } })
    expect(
      argsOf({ kind: 'updateOne', filter: { a: 1 }, update: { $inc: { n: 1 } }, upsert: true, hint: 'a_1' }),
    ).toEqual({ filter: { a: 1 }, update: { $inc: { n: 1 } }, options: { upsert: true, hint: 'a_1' } })
  })

  test('may be drawn, options too', () => {
    const drawn = calls({ kind: 'find', filter: {}, sort: { a: { '@choice': { values: [1, -1] } } } }, 20)
    expect(new Set(drawn.map(({ args }) => (args.options as { sort: { a: number } }).sort.a))).toEqual(new Set([1, -1]))
  })

  test('keep the nulls of their values', () =>
    expect(
      argsOf({ kind: 'updateOne', filter: { a: null }, update: { $set: { b: null } }, arrayFilters: [{ c: null }] }),
    ).toEqual({ filter: { a: null }, update: { $set: { b: null } }, options: { arrayFilters: [{ c: null }] } }))

  test('have a filter of everything by default', () =>
    expect(argsOf({ kind: 'deleteOne' })).toEqual({ filter: {}, options: {} }))
})

const documentsOf = ({ args }: Call): readonly object[] => (args.documents ?? [args.document]) as object[]

test.each<[string]>([['replaceOne'], ['findOneAndReplace']])(
  'documents that take the place of others are counted in bytes, their filters are not: %s',
  (kind) => {
    const filter = { text: { '@string': { length: 50 } } }
    const replacement = { text: { '@string': {} }, n: { '@int': {} } }
    for (const call of calls({ kind, filter, replacement }, 3))
      expect(call.bytes).toBe(calculateObjectSize(call.args.replacement as object))
  },
)

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
    [{ kind: 'insertOne', document: { _id: { '@uuid': {} }, text: { '@string': {} } } }],
  ])('are counted in bytes: %j', (operation) => {
    for (const call of calls(operation, 3))
      expect(call.bytes).toBe(documentsOf(call).reduce((sum, document) => sum + calculateObjectSize(document), 0))
  })

  test('count the _id that the driver adds', () => {
    const [call] = calls({ kind: 'insertOne', document: { a: 1 } })
    expect(call?.bytes).toBe(calculateObjectSize({ a: 1 }) + 17)
  })
})

test.each(['@int', '@long', '@double'])(
  'limit and skip may be drawn for every call: the driver gets numbers (%s)',
  (word) => {
    const whole = word === '@double' ? { min: 3, max: 3 } : { min: 1, max: 3 }
    const drawn = calls({ kind: 'find', limit: { [word]: whole }, skip: { '@int': { max: 9 } } }, 50)
    const options = drawn.map(({ args }) => args.options as { readonly limit: unknown; readonly skip: unknown })
    const allowed: readonly unknown[] = word === '@double' ? [3] : [1, 2, 3]
    expect(new Set(options.map(({ limit }) => limit))).toEqual(new Set(allowed))
    expect(new Set(options.map(({ skip }) => skip)).size).toBeGreaterThan(5)
    expect(drawn.map(({ documents }) => documents)).toEqual(options.map(() => 0))
  },
)

test('a find without a limit asks for an unknown number of documents', () =>
  expect([calls({ kind: 'find' })[0]?.documents, calls({ kind: 'find', limit: 0 })[0]?.documents]).toEqual([0, 0]))

const problems = (operation: JsonObject) => problemsOf({ phases: [aPhase({ operations: [operation] })] })

describe('arguments that the driver would not take are refused', () => {
  test.each<[JsonObject, string]>([
    [{ kind: 'findOne', filter: 5 }, 'filter'],
    [{ kind: 'find', filter: [] }, 'filter'],
    [{ kind: 'deleteOne', filter: { $oid: '0123456789abcdef01234567' } }, 'filter'],
    [{ kind: 'distinct', key: 'n', filter: 5 }, 'filter'],
    [{ kind: 'insertOne', document: 'x' }, 'document'],
    [{ kind: 'insertMany', documentsPerCall: 2, document: [1] }, 'document'],
    [{ kind: 'function', function: 'findOrders', with: [5] }, 'with'],
  ])('%j', (operation, place) => expect(problems(operation)).toSay('argument-no-object', { place }))

  test.each<[Json]>([[{ a: 1 }], [{}], [5], [[]], [{ $set: { a: 1 }, b: 1 }]])('as an update: %j', (update) =>
    expect(problems({ kind: 'updateOne', update })).toSay('update-no-operators'),
  )

  test.each<[JsonObject, string]>([
    [{ kind: 'replaceOne', replacement: { $set: { a: 1 } } }, 'replacement-with-operators'],
    [{ kind: 'findOneAndReplace', replacement: 5 }, 'replacement-with-operators'],
    [{ kind: 'aggregate', pipeline: { $match: {} } }, 'pipeline-no-stages'],
    [{ kind: 'aggregate', pipeline: [5] }, 'pipeline-no-stages'],
    [{ kind: 'aggregate' }, 'pipeline-missing'],
    [{ kind: 'updateMany' }, 'update-missing'],
    [{ kind: 'replaceOne' }, 'replacement-missing'],
    [{ kind: 'distinct' }, 'distinct-without-key'],
  ])('%j', (operation, code) => expect(problems(operation)).toSay(code))

  test('a pipeline is an update', () =>
    expect(problems({ kind: 'updateOne', update: [{ $set: { a: '$b' } }] })).toEqual([]))
})

describe('a pipeline', () => {
  test.each(['$out', '$merge', '$function', '$accumulator', '$where'])('may not say %s, at any depth', (word) => {
    const plain = { kind: 'aggregate', pipeline: [{ $match: {} }, { [word]: 'x' }] }
    const deep = { kind: 'aggregate', pipeline: [{ $facet: { all: [{ $group: { _id: null, a: { [word]: {} } } }] } }] }
    const literal = { kind: 'aggregate', pipeline: [{ '@literal': { [word]: 'x' } }] }
    for (const operation of [plain, deep, literal]) expect(problems(operation).join()).toContain(`"${word}" is refused`)
  })

  test('may be drawn, and made of nothing', () => {
    const limit = { $limit: { '@int': { min: 1, max: 1000 } } }
    const drawn = calls({ kind: 'aggregate', pipeline: [{ '@cond': [true, limit, limit] }] }, 5)
    expect(new Set(drawn.map(({ args }) => JSON.stringify(args.pipeline))).size).toBeGreaterThan(1)
    expect(argsOf({ kind: 'aggregate', pipeline: [] })).toEqual({ pipeline: [], options: {} })
  })
})

describe('a command', () => {
  test.each<[Json]>([
    [{ ping: 1 }],
    [{ collStats: 'things', scale: 1024 }],
    [{ count: 'things', query: { n: { '@int': {} } } }],
  ])('may be %j', (command) => expect(problems({ kind: 'command', command })).toEqual([]))

  test.each<[Json, string]>([
    [{ drop: 'things' }, 'spec-command-not-allowed'],
    [{ shutdown: 1 }, 'spec-command-not-allowed'],
    [{ '@literal': { ping: 1 } }, 'spec-command-not-allowed'],
    [{ '@choice': { values: [{ ping: 1 }, { drop: 'things' }] } }, 'spec-command-not-allowed'],
    [{ comment: 'x', ping: 1 }, 'spec-command-not-allowed'],
    [{ constructor: 1 }, 'spec-command-not-allowed'],
    [{}, 'spec-command-not-allowed'],
    ['ping', 'spec-command-not-allowed'],
    [['ping'], 'spec-command-not-allowed'],
  ])('may not be %j', (command, code) => expect(problems({ kind: 'command', command })).toSay(code))

  test('may not be a parameter that turns out to be another one', () => {
    const called = [{ kind: 'command', command: { '@param': 'which' } }]
    const parts = { variants: { which: [{ ping: 1 }, { drop: 'things' }] }, phases: [aPhase({ operations: called })] }
    expect(problemsOf(parts)).toHaveLength(1)
  })

  test('needs no collection', () => {
    const data = ['a', 'b'].map((collection) => ({ collection }))
    const called = [{ kind: 'command', command: { ping: 1 } }]
    expect(problemsOf({ data, phases: [aPhase({ operations: called })] })).toEqual([])
    expect(problemsOf({ data, phases: [aPhase({ operations: [{ ...called[0], collection: 'c' }] })] })).toHaveLength(1)
  })
})

const given = (values: Json, count = 1): readonly unknown[] =>
  calls({ kind: 'function', function: 'findOrders', with: values }, count).map(({ args }) => args.with)

describe('a function', () => {
  test('gets values as a driver reads them, in objects of its own', () => {
    const values = {
      int: 5,
      date: { $date: '2026-01-02T03:04:05Z' },
      milliseconds: 1_700_000_000_000,
      long: { '@long': { min: 7, max: 7 } },
      beyond: { $numberLong: '9007199254740993' },
      double: { '@double': { min: 3, max: 3 } },
      list: [{ deep: { $numberLong: '4' } }],
    }
    const [first, second] = given(values, 2)
    expect(first).toEqual({
      int: 5,
      date: new Date('2026-01-02T03:04:05Z'),
      milliseconds: 1_700_000_000_000,
      long: 7,
      beyond: 9007199254740993n,
      double: 3,
      list: [{ deep: 4 }],
    })
    expect(second).toEqual(first)
    expect(second).not.toBe(first)
    expect(() => Object.assign(first as object, { int: 6 })).not.toThrow()
  })

  test('gets other values in each call, the same in each run', () => {
    const customer = { '@int': { max: 1000 } }
    const drawn = given({ customer }, 50)
    expect(given({ customer }, 50)).toEqual(drawn)
    expect(new Set(drawn.map((value) => JSON.stringify(value))).size).toBeGreaterThan(30)
  })
})
