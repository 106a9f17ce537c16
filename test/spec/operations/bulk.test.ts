import { calculateObjectSize } from 'bson'
import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { type Write } from '../../../src/load/engines/intent.ts'
import { type PlannedCall } from '../../../src/load/plan/plan.ts'
import { aPlan } from '../../fakes/a-plan.ts'
import { aPhase, problemsOf } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

function calls(
  operation: JsonObject,
  count = 1,
  documentsPerCall = Infinity,
  parts: JsonObject = {},
): readonly PlannedCall[] {
  const plan = aPlan({ phases: [aPhase({ operations: [operation] })], ...parts })
  const source = plan.calls('measured', { documentsPerCall })
  return Array.from({ length: count }, source.next)
}

const writesOf = ({ args }: PlannedCall): readonly Write[] => args.writes ?? []
const writes = (operation: JsonObject, count = 1, documentsLeft = Infinity) =>
  calls(operation, count, documentsLeft).map(writesOf)

const drawn: JsonObject = { '@int': { min: 0, max: 1_000_000 } }
const update = { updateOne: { filter: { _id: drawn }, update: { $set: { n: drawn } } } }
const insert = { insertOne: {} }
const removal = { deleteMany: { filter: { n: drawn } } }

/** Documents and writes of a call of ten writes, when four documents are left. */
const askedWithFourLeft = (operations: readonly object[]): readonly (readonly number[])[] =>
  calls({ kind: 'bulkWrite', operations, operationsPerCall: 10 } as JsonObject, 1, 4).map((call) => [
    call.documents,
    writesOf(call).length,
  ])

describe('the writes of a bulk', () => {
  test('are the listed ones', () => {
    const listed = [
      { insertOne: { document: { a: 1 } } },
      { updateOne: { filter: { a: 1 }, update: { $set: { b: 1 } }, upsert: true, hint: 'a_1' } },
      { updateMany: { filter: { a: 1 }, update: [{ $set: { b: '$a' } }], collation: { locale: 'en' } } },
      { replaceOne: { filter: { a: null }, replacement: { b: null }, sort: { a: 1 } } },
      { deleteOne: { filter: { a: 1 } } },
      { deleteMany: {} },
    ]
    const [made] = writes({ kind: 'bulkWrite', operations: listed })
    expect(made?.map(({ kind, fields }) => ({ [kind]: fields }))).toEqual([
      ...listed.slice(0, -1),
      { deleteMany: { filter: {} } },
    ])
  })

  test('of the client have their namespaces', () => {
    const operations = [{ deleteOne: { filter: { a: 1 } } }, { insertOne: { collection: 'other', document: { b: 1 } } }]
    const data = ['things', 'other'].map((collection) => ({ collection, rows: 5, document: { _id: { '@row': {} } } }))
    const [call = fail('no call')] = calls({ kind: 'clientBulkWrite', collection: 'things', operations }, 1, Infinity, {
      data,
    })
    expect(writesOf(call)).toEqual([
      { kind: 'deleteOne', namespace: { database: undefined, collection: 'things' }, fields: { filter: { a: 1 } } },
      { kind: 'insertOne', namespace: { database: undefined, collection: 'other' }, fields: { document: { b: 1 } } },
    ])
  })

  test('are drawn anew for each place in the batch', () => {
    const [made = []] = writes({ kind: 'bulkWrite', operations: [update], operationsPerCall: 100 })
    expect(made).toHaveLength(100)
    expect(new Set(made.map((write) => JSON.stringify(write))).size).toBe(100)
  })

  test('are the same whenever they are made', () => {
    const operation = { kind: 'bulkWrite', operations: [update, removal], operationsPerCall: 7 }
    expect(writes(operation, 5)).toEqual(writes(operation, 5))
  })

  test('go round the list, also from call to call', () => {
    const made = writes({ kind: 'bulkWrite', operations: [update, insert, removal], operationsPerCall: 2 }, 3)
    expect(made.map((batch) => batch.map(({ kind }) => kind))).toEqual([
      ['updateOne', 'insertOne'],
      ['deleteMany', 'updateOne'],
      ['insertOne', 'deleteMany'],
    ])
  })

  test('take the next rows where they say no document, each once, and a fresh object', () => {
    const made = writes({ kind: 'bulkWrite', operations: [insert], operationsPerCall: 3 }, 2).flat()
    const documents = made.map(({ fields }) => fields['document'])
    expect(documents).toMatchObject([10, 11, 12, 13, 14, 15].map((row) => ({ _id: row })))
    const literal = writes({
      kind: 'bulkWrite',
      operations: [{ insertOne: { document: { a: 1 } } }],
      operationsPerCall: 3,
    })
    expect(new Set(literal.flat().map(({ fields }) => fields['document'])).size).toBe(3)
  })

  test('end with the documents that are left, where each asks for one', () => {
    expect(askedWithFourLeft([update, insert])).toEqual([[4, 4]])
    expect(askedWithFourLeft([update, removal])).toEqual([[0, 10]])
  })

  test('count the bytes of the documents that they carry, and no others', () => {
    const replace = { replaceOne: { filter: { text: { '@string': {} } }, replacement: { text: { '@string': {} } } } }
    const operations = [update, insert, replace, { insertOne: { document: { _id: drawn, a: 'text' } } }]
    for (const call of calls({ kind: 'bulkWrite', operations, operationsPerCall: 9 }, 4)) {
      const carried = writesOf(call).flatMap(({ fields }) => [fields['document'] ?? [], fields['replacement'] ?? []])
      const bytes = carried.flat().reduce<number>((sum, document) => sum + calculateObjectSize(document as object), 0)
      expect(call.bytes).toBe(bytes)
    }
  })
})

const problems = (...operations: readonly unknown[]): readonly string[] =>
  problemsOf({ phases: [aPhase({ operations: [{ kind: 'bulkWrite', operations }] })] })

describe('a bulk is refused', () => {
  test.each<[string, readonly unknown[], string]>([
    ['with no write', [], 'bulk-empty'],
    ['with a write that nothing knows', [{ updateOnce: {} }], 'bulk-write-unknown'],
    ['with two writes in one', [{ ...update, ...insert }], 'bulk-write-of-two'],
    ['with an empty one', [{}], 'bulk-write-empty'],
    ['with a misspelt field', [{ deleteOne: { fliter: {} } }], 'bulk-field-misspelt'],
    ['with an option that its write has not', [{ deleteOne: { upsert: true } }], 'bulk-option-of-another'],
    ['with a collection of its own', [{ insertOne: { collection: 'x' } }], 'bulk-collection'],
    ['without an update', [{ updateMany: { filter: {} } }], 'bulk-without-update'],
    ['with a filter that is none', [insert, { deleteOne: { filter: 5 } }], 'bulk-filter-number'],
    ['with an update that is none', [insert, insert, { updateOne: { update: { a: 1 } } }], 'bulk-update-no-operators'],
    ['with operators in a replacement', [{ replaceOne: { replacement: { $set: {} } } }], 'bulk-replacement-operators'],
    ['with a document that is none', [{ insertOne: { document: [1] } }], 'bulk-document-list'],
  ])('%s', (_, operations, code) => expect(problems(...operations)).toSay(code))

  test('of the client where a write names a collection that is not there', () => {
    const operations = [
      { kind: 'clientBulkWrite', operations: [{ insertOne: { collection: 'thinsg', document: {} } }] },
    ]
    expect(problemsOf({ phases: [aPhase({ operations })] })).toSay('bulk-collection-misspelt')
  })
})

const problemsAfter = (operation: JsonObject): readonly string[] =>
  problemsOf({
    data: { collection: 'things', document: { _id: { '@row': {} } } },
    phases: [aPhase({ name: 'first', operations: [operation] }), aPhase()],
  })

test('a bulk that inserts gives rows to later phases, one that does not gives none', () => {
  expect(problemsAfter({ kind: 'bulkWrite', operations: [insert] })).toEqual([])
  expect(problemsAfter({ kind: 'bulkWrite', operations: [{ insertOne: { document: {} } }, removal] })).toSay(
    'rows-none-after',
  )
  expect(problemsAfter({ kind: 'replaceOne', replacement: {} })).toSay('rows-none-after')
})
