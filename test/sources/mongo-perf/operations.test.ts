import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { type PlannedCall } from '../../../src/load/plan/plan.ts'
import { findCommonWriteConcern } from '../../../src/sources/mongo-perf/calls.ts'
import { measuredOperation } from '../../../src/sources/mongo-perf/operations.ts'
import { compilePhase } from '../../../src/spec/plan/compile-phase.ts'
import { createDataSet } from '../../../src/spec/plan/data-set.ts'
import { aPhase, oneRow } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

const operationOf = (...ops: readonly JsonObject[]): JsonObject => measuredOperation(ops, 'T0')

/** The first calls of a test, as workers send them in turn. */
function callsOf(operation: JsonObject, workers: number, count: number): readonly PlannedCall[] {
  const { spec } = oneRow({
    parameters: { workers },
    data: { collection: 'T0' },
    phases: [
      aPhase({
        load: { kind: 'closed', workers: { '@param': 'workers' } },
        stopAfter: { operations: count },
        operations: [operation],
      }),
    ],
  })
  const context = { seed: spec.seed, report: (_: unknown, reason: string) => fail(reason) }
  const dataSets = spec.data.map((dataSet, i) => createDataSet(dataSet, ['data', i], context))
  const [phase] = spec.phases
  const calls = compilePhase(phase ?? fail('no phase'), ['phases', 0], dataSets, context).calls('measured')
  return Array.from({ length: count }, () => calls.next())
}

type Document = Readonly<Record<string, unknown>>

/** The documents that a test inserts whose operation inserts one of them. */
const drawn = (doc: JsonObject, { workers = 1, count = 6 } = {}): readonly Document[] =>
  callsOf(operationOf({ op: 'insert', doc }), workers, count).map(
    ({ args }) => args.documents?.[0] ?? args.document,
  ) as readonly Document[]

const valuesOf = (
  template: JsonObject,
  given?: { readonly workers?: number; readonly count?: number },
): readonly unknown[] => drawn({ a: template }, given).map(({ a }) => a)

const writtenAs = (ms: number): unknown => operationOf({ op: 'insert', doc: { a: { '#CUR_DATE': ms } } })['document']

describe('a template', () => {
  test('#RAND_INT draws from its first number up to and without its second, times its third', () => {
    const values = valuesOf({ '#RAND_INT': [10, 13] }, { count: 200 })
    expect(new Set(values)).toEqual(new Set([10, 11, 12]))
    expect(new Set(valuesOf({ '#RAND_INT': [0, 3, 7] }, { count: 200 }))).toEqual(new Set([0, 7, 14]))
  })

  test('#RAND_INT_PLUS_THREAD gives each worker a range of its own', () => {
    const values = valuesOf({ '#RAND_INT_PLUS_THREAD': [5, 15] }, { workers: 3, count: 300 }) as readonly number[]
    const rangeOf = (worker: number): readonly number[] => {
      const own = values.filter((_, i) => i % 3 === worker)
      return [Math.min(...own), Math.max(...own)]
    }
    expect([0, 1, 2].map(rangeOf)).toEqual([
      [5, 14],
      [15, 24],
      [25, 34],
    ])
  })

  test('#SEQ_INT counts for each worker from the start, as an int64', () => {
    const sequence = { '#SEQ_INT': { seq_id: 0, start: 100, step: -2 } }
    expect(valuesOf(sequence, { workers: 2, count: 6 })).toEqual([100n, 100n, 98n, 98n, 96n, 96n])
  })

  test('#SEQ_INT that is unique has the number of the worker in its highest byte', () => {
    const sequence = { '#SEQ_INT': { seq_id: 0, start: 3, step: 1, unique: true } }
    expect(valuesOf(sequence, { workers: 2, count: 4 })).toEqual([3n, 2n ** 56n + 3n, 4n, 2n ** 56n + 4n])
  })

  test('#SEQ_INT with "mod" begins anew, also where it is unique', () => {
    const sequence = { seq_id: 0, start: 1, step: 2, mod: 5 }
    expect(valuesOf({ '#SEQ_INT': sequence })).toEqual([1n, 3n, 0n, 2n, 4n, 1n])
    const ofSecond = (2n ** 56n + 1n) % 5n
    expect(valuesOf({ '#SEQ_INT': { ...sequence, unique: true } }, { workers: 2, count: 2 })).toEqual([1n, ofSecond])
  })

  test('#SEQ_INT advances with each use of its id', () => {
    const next = { '#SEQ_INT': { seq_id: 7, start: 0, step: 1 } }
    const other = { '#SEQ_INT': { seq_id: 8, start: 0, step: 10 } }
    expect(drawn({ a: next, b: { c: [next] }, d: other }, { workers: 2, count: 4 })).toMatchObject([
      { a: 0n, b: { c: [1n] }, d: 0n },
      { a: 0n, b: { c: [1n] }, d: 0n },
      { a: 2n, b: { c: [3n] }, d: 10n },
      { a: 2n, b: { c: [3n] }, d: 10n },
    ])
  })

  test('#RAND_STRING has as many letters, digits, plus signs and slashes', () => {
    const text = valuesOf({ '#RAND_STRING': [3000] }, { count: 1 }).join('')
    expect(text).toMatch(/^[A-Za-z0-9+/]{3000}$/)
    expect(new Set(text).size).toBe(64)
  })

  test('#CONCAT joins texts and draws', () => {
    const [text] = valuesOf({ '#CONCAT': ['a', { '#RAND_INT': [5, 6] }, { '#RAND_STRING': [2] }] })
    expect(text).toMatch(/^a5[A-Za-z0-9+/]{2}$/)
  })

  test('#OID draws a new id for _id', () => {
    const ids = drawn({ _id: { '#OID': 1 } }).map(({ _id }) => String(_id))
    expect(new Set(ids).size).toBe(6)
    expect(ids[0]).toMatch(/^[0-9a-f]{24}$/)
  })

  test('#CUR_DATE is the time, and its number is added to it', () => {
    expect([writtenAs(0), writtenAs(60_000)]).toEqual([{ a: { '@now': {} } }, { a: { '@now': { offsetMs: 60_000 } } }])
  })

  test('#VARIABLE reads the last let of its name, and is the same in all operations of a round', () => {
    const read = { '#VARIABLE': 'X-1' }
    const operation = operationOf(
      { op: 'let', target: 'X-1', value: { '#RAND_INT': [0, 1_000_000] } },
      { op: 'findOne', query: { _id: read } },
      { op: 'find', query: { _id: read } },
      { op: 'let', target: 'X-1', value: [read, 'again'] },
      { op: 'remove', query: { _id: read } },
    )
    const [call] = callsOf(operation, 1, 1)
    const ids = (call?.steps ?? []).map((step) => (step([])?.args.filter as Document | undefined)?.['_id'])
    expect(ids).toEqual([expect.any(Number), ids[0], [ids[0], 'again']])
  })

  test('names of the test are put in', () => {
    const [document] = drawn({ a: '#B_COLL', b: '#B_COLL_more', c: '#B_NS', d: ['#B_DB'], e: 'not #B_DB' })
    expect(document).toMatchObject({ a: 'T0', b: 'T0_more', c: 'test0.T0', d: ['test0'], e: 'not #B_DB' })
  })
})

test('numbers of values are doubles, and those of options are not', () => {
  expect(operationOf({ op: 'find', query: { a: { $gt: 5, $lt: 7.5 } }, limit: 5, skip: { $numberInt: '2' } })).toEqual({
    kind: 'find',
    collection: 'T0',
    limit: 5,
    skip: 2,
    filter: { a: { $gt: { $numberDouble: '5.0' }, $lt: 7.5 } },
  })
})

test.each<[string, JsonObject, JsonObject]>([
  [
    'find',
    { op: 'query', query: {}, filter: { a: 1 }, sort: { a: -1 }, batchSize: 10, expected: 3, readCmd: true },
    { kind: 'find', projection: { a: 1 }, sort: { a: -1 }, batchSize: 10, expectDocuments: 3, filter: {} },
  ],
  ['findOne', { op: 'findOne', query: { a: 'x' } }, { kind: 'findOne', filter: { a: 'x' } }],
  ['insert', { op: 'insert', doc: {}, writeConcern: { w: 1 } }, { kind: 'insertOne', document: {} }],
  [
    'insert of the same documents',
    { op: 'insert', doc: [{ a: 'x' }, { a: 'x' }] },
    { kind: 'insertMany', documentsPerCall: 2, document: { a: 'x' } },
  ],
  [
    'insert of different documents',
    { op: 'insert', doc: [{ a: 'x' }, { a: 'y' }] },
    {
      kind: 'bulkWrite',
      operations: [{ insertOne: { document: { a: 'x' } } }, { insertOne: { document: { a: 'y' } } }],
    },
  ],
  [
    'update',
    { op: 'update', query: {}, update: { $set: { a: 'x' } }, upsert: true, multi: false },
    { kind: 'updateOne', upsert: true, filter: {}, update: { $set: { a: 'x' } } },
  ],
  [
    'update of many',
    { op: 'update', query: {}, update: [{ $set: { a: 'x' } }], multi: true },
    { kind: 'updateMany', filter: {}, update: [{ $set: { a: 'x' } }] },
  ],
  ['replacement', { op: 'update', query: {}, update: {} }, { kind: 'replaceOne', filter: {}, replacement: {} }],
  ['remove', { op: 'remove', query: {} }, { kind: 'deleteOne', filter: {} }],
  ['delete', { op: 'delete', query: {}, multi: true }, { kind: 'deleteMany', filter: {} }],
])('%s is an operation of a spec', (_what, op, operation) => {
  expect(operationOf(op)).toEqual({ collection: 'T0', ...operation })
})

test.each<[string, JsonObject, JsonObject]>([
  ['count', { count: '#B_COLL', query: {} }, { kind: 'command', command: { count: 'T0', query: {} } }],
  [
    'aggregate',
    { aggregate: '#B_COLL', pipeline: [{ $match: {} }], cursor: { batchSize: 5 }, allowDiskUse: true },
    { kind: 'aggregate', collection: 'T0', batchSize: 5, allowDiskUse: true, pipeline: [{ $match: {} }] },
  ],
  [
    'findAndModify',
    { findAndModify: '#B_COLL', query: {}, update: { $set: { a: 'x' } }, new: true, upsert: true, fields: { a: 1 } },
    {
      kind: 'findOneAndUpdate',
      collection: 'T0',
      projection: { a: 1 },
      returnDocument: 'after',
      upsert: true,
      filter: {},
      update: { $set: { a: 'x' } },
    },
  ],
  [
    'findAndModify that removes',
    { findandmodify: '#B_COLL', query: {}, remove: true, sort: { a: 1 } },
    { kind: 'findOneAndDelete', collection: 'T0', sort: { a: 1 }, filter: {} },
  ],
  [
    'findAndModify that replaces',
    { findAndModify: '#B_COLL', update: { a: 'x' } },
    { kind: 'findOneAndReplace', collection: 'T0', filter: {}, replacement: { a: 'x' } },
  ],
  ['find', { find: '#B_COLL', filter: {}, limit: 3 }, { kind: 'find', collection: 'T0', limit: 3, filter: {} }],
  [
    'insert',
    { insert: '#B_COLL', documents: [{ a: 'x' }], ordered: false },
    { kind: 'insertMany', collection: 'T0', documentsPerCall: 1, ordered: false, document: { a: 'x' } },
  ],
])('the command %s is an operation of a spec', (_what, command, operation) => {
  expect(operationOf({ op: 'command', ns: '#B_DB', command })).toEqual(operation)
})

describe('several operations', () => {
  test('of one shape with fixed values are taken in turn by each worker', () => {
    const ops = ['a', 'b', 'c'].map((x) => ({ op: 'find', query: { x }, limit: 1 }))
    const filters = callsOf(operationOf(...ops), 2, 8).map(({ args }) => (args.filter as { readonly x: string }).x)
    expect(filters.join('')).toBe('aabbccaa')
  })

  test('that are all the same are one', () => {
    const op = { op: 'findOne', query: { _id: 'x' } }
    expect(operationOf(op, op)).toEqual(operationOf(op))
  })

  test('of different shapes are steps', () => {
    const operation = operationOf(
      { op: 'findOne', query: {} },
      { op: 'findOne', query: {}, sort: { a: 1 } },
      { op: 'insert', doc: { a: { '#SEQ_INT': { seq_id: 0, start: 0, step: 1 } } } },
    )
    expect(operation).toMatchObject({
      kind: 'steps',
      steps: [{ kind: 'findOne' }, { kind: 'findOne', name: 'findOne2' }, { kind: 'insertOne' }],
    })
    const inserted = callsOf(operation, 1, 2).map((call) => call.steps?.[2]?.([])?.args)
    expect(inserted).toMatchObject([{ document: { a: 0n } }, { document: { a: 1n } }])
  })
})

const insert = (a: JsonObject): JsonObject => ({ op: 'insert', doc: { a } })
const sequence = (arguments_: JsonObject): JsonObject => insert({ '#SEQ_INT': arguments_ })

test.each<[string, readonly JsonObject[], string]>([
  ['nothing', [], 'no operation of the server'],
  ['nop', [{ op: 'nop' }], 'the operation nop'],
  ['cpuload', [{ op: 'cpuload', cpuFactor: 2 }], 'the operation cpuload'],
  ['createIndex', [{ op: 'createIndex', key: { a: 1 } }], 'the operation createIndex'],
  ['sql', [{ op: 'sql', sqlQuery: 'select' }], 'the operation sql'],
  ['a sort of old servers', [{ op: 'find', query: { $query: {}, $orderby: {} } }], '$query in a query'],
  ['a delay', [{ op: 'find', delay: 5 }], '"delay" of the operation find'],
  ['a command that writes elsewhere', [{ op: 'command', command: { dropIndexes: 'T0' } }], 'the command dropIndexes'],
  ['another database', [{ op: 'find', ns: 'admin.system' }], 'the namespace admin.system'],
  ['an unknown template', [insert({ '#RAND_FLOAT': [0, 1] })], 'the template #RAND_FLOAT'],
  ['an empty range', [insert({ '#RAND_INT': [5, 5] })], '#RAND_INT with [5,5]'],
  ['numbers beyond 2^31', [insert({ '#RAND_INT': [0, 100_000, 100_000] })], '#RAND_INT beyond 2^31'],
  ['an id elsewhere', [insert({ '#OID': 1 })], '#OID in a field that is not _id (a)'],
  ['a variable without a let', [insert({ '#VARIABLE': 'x' })], '#VARIABLE x without a let before it'],
  ['a text of a number', [insert({ '#CONCAT': ['a', 1] })], '#CONCAT of 1'],
  [
    'a sequence that goes down in a circle',
    [sequence({ seq_id: 0, start: 5, step: -1, mod: 3 })],
    '#SEQ_INT with "mod"',
  ],
  [
    'one sequence in two ways',
    [sequence({ seq_id: 0, start: 0, step: 1 }), sequence({ seq_id: 0, start: 0, step: 2 })],
    '#SEQ_INT 0 with different arguments',
  ],
  ['a field that looks like an expression', [{ op: 'insert', doc: { '@a': 1 } }], 'a field whose name begins with "@"'],
  ['a replacement of many', [{ op: 'update', update: { a: 1 }, multi: true }], 'a replacement of many documents'],
])('%s is refused by name', (_what, ops, reason) => {
  expect(() => operationOf(...ops)).toThrow(reason)
})

const writing = (op: string, writeConcern?: JsonObject): JsonObject => ({ op, ...(writeConcern && { writeConcern }) })

test.each<[string, readonly JsonObject[], JsonObject]>([
  ['none', [writing('insert'), writing('find')], {}],
  ['that of a read, which benchRun does not send', [writing('find', { w: 0 }), writing('remove')], {}],
  [
    'one of all writes',
    [
      writing('insert', { w: { $numberInt: '2' }, wtimeout: 50 }),
      writing('update', { w: { $numberInt: '2' }, wtimeout: 50 }),
    ],
    { writeConcern: { w: 2, wtimeoutMS: 50 } },
  ],
  ['without a number of members', [writing('delete', { j: true })], { writeConcern: { w: 1, j: true } }],
])('the write concern of a phase is that of its test: %s', (_what, ops, phase) => {
  expect(findCommonWriteConcern(ops)).toEqual(phase)
})

test('different write concerns in one test are refused', () => {
  const operations = [writing('insert', { w: 1 }), writing('update')]
  expect(() => findCommonWriteConcern(operations)).toSay('import-write-concerns-differ')
})
