import { readdirSync } from 'node:fs'
import { deserialize, ObjectId, serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { type CallSource, type PlannedCall } from '../../../src/load/plan/plan.ts'
import { createShares, wholePhase } from '../../../src/load/plan/share.ts'
import { encodeValue } from '../../../src/protocol/bson/encode-value.ts'
import { EncodedValue, headroomBytes } from '../../../src/protocol/bson/encoded.ts'
import { bsonType } from '../../../src/protocol/bson/types.ts'
import { BsonWriter } from '../../../src/protocol/bson/writer.ts'
import { type SpecRow } from '../../../src/spec/fold/read-rows.ts'
import { loadSpecFile } from '../../../src/spec/load-spec.ts'
import { lastPlanOf } from '../../fakes/a-plan.ts'
import { aPhase, oneRow } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

const folder = 'fixtures/examples/operations'

const rowOf = (...operations: readonly JsonObject[]): SpecRow => oneRow({ phases: [aPhase({ operations })] })

const sourceOf = (row: SpecRow, encodesInto?: BsonWriter, share = wholePhase): CallSource =>
  lastPlanOf(row).calls('measured', {}, share, encodesInto)

const bytesOf = ({ writer, start, end }: EncodedValue): Buffer => Buffer.from(writer.bytes.subarray(start, end))

/** What is sent, by type and bytes: the same for a value and for its encoding. Steps are made only when they are asked for. */
function asSent(value: unknown): unknown {
  if (value instanceof EncodedValue) return [value.type, bytesOf(value).toString('hex')]
  const { type, bytes } = encodeValue(value)
  return [type, Buffer.from(bytes).toString('hex')]
}

const isNew = (document: object): boolean => !('_id' in document)

/** Documents that are inserted without an `_id` get one where they are encoded. */
const withoutNewIds = (document: unknown, plain: object): unknown => {
  if (!(document instanceof EncodedValue) || !isNew(plain)) return asSent(document)
  const { _id: id, ...others } = deserialize(bytesOf(document), { promoteValues: false })
  expect(id).toBeInstanceOf(ObjectId)
  expect(document.type).toBe(bsonType.document)
  return [document.type, Buffer.from(serialize(others, { ignoreUndefined: false })).toString('hex')]
}

const fieldsAsSent = (fields: object): unknown =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, asSent(field)]))

/** All that an engine gets of a call, as it is sent. @param plain The same call in values. */
function allOf({ args, bytes, operation, documents }: PlannedCall, plain: PlannedCall): unknown {
  const { options, documents: batch = [], writes = [], content, document, ...values } = args
  return {
    operation,
    bytes,
    asked: documents,
    options: fieldsAsSent(options),
    values: fieldsAsSent(values),
    document: document === undefined ? undefined : withoutNewIds(document, plain.args.document as object),
    batch: batch.map((one, i) => withoutNewIds(one, plain.args.documents?.[i] as object)),
    writes: writes.map(({ kind, namespace, fields: { document: inserted, ...fields } }, i) => ({
      kind,
      namespace,
      fields: fieldsAsSent(fields),
      inserted:
        inserted === undefined
          ? undefined
          : withoutNewIds(inserted, plain.args.writes?.[i]?.fields['document'] as object),
    })),
    content: content?.map((piece) => piece.length),
  }
}

function compareCalls(row: SpecRow, count: number, share = wholePhase): void {
  const [inValues, encoded] = [sourceOf(row, undefined, share), sourceOf(row, new BsonWriter(128), share)]
  for (let i = 0; i < count; i++) {
    const plain = inValues.next()
    // What is encoded is read before the next call is built.
    expect(allOf(encoded.next(), plain)).toEqual(allOf(plain, plain))
  }
  expect(encoded.digest()).toBe(inValues.digest())
}

const kinds = readdirSync(folder).map((file) => file.replace('.json', ''))

describe('encoded arguments are those of the calls in values, with the same bytes and digest', () => {
  test.each(kinds)('of the example of %s', async (kind) => {
    const { rows } = await loadSpecFile(`${folder}/${kind}.json`)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) compareCalls(row, 20)
  })

  test.each<[string, JsonObject]>([
    [
      'a find with all that is drawn',
      {
        kind: 'find',
        let: { low: { '@int': {} } },
        filter: { a: { '@var': 'low' }, $expr: { $gt: ['$n', '$$low'] } },
        sort: { a: 1 },
        projection: { a: 1 },
        hint: 'a_1',
        limit: { '@int': { min: 1, max: 5 } },
        skip: { '@long': { min: 0, max: 5 } },
        batchSize: 10,
        collation: { locale: 'en' },
      },
    ],
    ['rows of a data set', { kind: 'insertMany', documentsPerCall: 7 }],
    ['documents of their own', { kind: 'insertMany', documentsPerCall: 3, document: { a: { '@uuid': {} } } }],
    ['constant documents', { kind: 'insertMany', documentsPerCall: 3, document: { a: 1 } }],
    ['documents with an _id behind', { kind: 'insertOne', document: { a: [1], b: 'x', _id: { '@nextRow': {} } } }],
    [
      'an update in a pipeline',
      { kind: 'updateMany', filter: {}, update: [{ $set: { a: { '@double': {} } } }], upsert: true },
    ],
    [
      'a replacement',
      {
        kind: 'findOneAndReplace',
        filter: { _id: { '@key': {} } },
        replacement: { '@filler': { sizeKB: 1 } },
        returnDocument: 'after',
      },
    ],
    [
      'a bulk',
      {
        kind: 'bulkWrite',
        operations: [
          { insertOne: {} },
          { insertOne: { document: { n: { '@int': {} } } } },
          { replaceOne: { filter: { _id: { '@pickRow': {} } }, replacement: { n: { '@date': {} } } } },
          { updateOne: { filter: {}, update: { $set: { 'a.$[x]': 1 } }, arrayFilters: [{ x: { '@int': {} } }] } },
        ],
        operationsPerCall: 9,
      },
    ],
  ])('of %s', (_, operation) => {
    expect(operation).toHaveProperty('kind')
    compareCalls(rowOf(operation), 20)
  })

  test('of one of several units, which counts the calls of the others', () => {
    const operations: readonly JsonObject[] = [
      { kind: 'insertMany', documentsPerCall: 7 },
      { kind: 'insertOne', document: { _id: { '@nextRow': {} } } },
      { kind: 'deleteOne', filter: { _id: { '@key': { distribution: 'reverse' } } } },
    ]
    const [, second] = createShares(3)
    expect(second).toBeDefined()
    compareCalls(rowOf(...operations), 50, second)
  })
})

const encodedIn = (values: readonly unknown[]): readonly EncodedValue[] =>
  values.map((value) => (value instanceof EncodedValue ? value : fail(`${String(value)} is not encoded`)))

/** Of the second call. */
function documentsOf(operation: JsonObject, out: BsonWriter): readonly EncodedValue[] {
  const calls = sourceOf(rowOf({ kind: 'insertMany', documentsPerCall: 4, ...operation }), out)
  calls.next()
  return encodedIn(calls.next().args.documents ?? [])
}

describe('what is encoded', () => {
  test.each<[string, JsonObject]>([
    ['rows', {}],
    ['constants', { document: { a: 1 } }],
    ['documents of their own', { document: { a: { '@string': {} } } }],
  ])('stands behind the headroom, documents back to back: %s', (_, operation) => {
    const out = new BsonWriter()
    const documents = documentsOf(operation, out)
    expect(documents.map(({ start }) => start)).toEqual([
      headroomBytes,
      ...documents.slice(0, -1).map(({ end }) => end),
    ])
    expect(documents.at(-1)?.end).toBe(out.at)
    for (const document of documents) expect(deserialize(bytesOf(document))).toHaveProperty('_id')
  })

  test('has another _id in the place of a null', () => {
    const document = { a: 1, _id: null, b: { '@int': {} } }
    const [first, second] = documentsOf({ kind: 'insertMany', documentsPerCall: 2, document }, new BsonWriter())
    for (const one of [first, second]) {
      const read = deserialize(bytesOf(one ?? fail('no document')))
      expect(read).toEqual({ a: 1, b: expect.any(Number), _id: expect.any(ObjectId) })
    }
  })

  test('has no _id where the server is to make it, but its bytes count', () => {
    const operation = { kind: 'insertMany', documentsPerCall: 4, document: { a: 1 }, forceServerObjectId: true }
    const { args, bytes } = sourceOf(rowOf(operation), new BsonWriter()).next()
    expect(encodedIn(args.documents ?? []).map((one) => deserialize(bytesOf(one)))).toEqual(
      [1, 2, 3, 4].map(() => ({ a: 1 })),
    )
    expect(bytes).toBe(4 * (12 + 17))
  })

  test('is written once where it is the same in all calls', () => {
    const out = new BsonWriter()
    const calls = sourceOf(rowOf({ kind: 'find', filter: { a: 1 }, sort: { a: 1 } }), out)
    const [first, second] = [calls.next().args, calls.next().args]
    expect(first.filter).toBeInstanceOf(EncodedValue)
    expect(second.filter).toBe(first.filter)
    expect(second.options).toBe(first.options)
    expect(out.at).toBe(headroomBytes)
  })

  test('is not what engines and operations compute with', () => {
    const operation = {
      kind: 'find',
      filter: { a: { '@int': {} } },
      limit: { '@int': { min: 2, max: 3 } },
      allowDiskUse: true,
    }
    const { options } = sourceOf(rowOf(operation), new BsonWriter()).next().args
    expect(options).toEqual({ limit: expect.any(Number), allowDiskUse: true })
  })

  test('is nothing of steps, nor of the calls that are explained', () => {
    const read: JsonObject = { kind: 'findOne', filter: { _id: { '@key': {} } } }
    const out = new BsonWriter()
    const { steps = [] } = sourceOf(rowOf({ kind: 'steps', steps: [read] }), out).next()
    expect(steps.map((step) => step([])?.args)).toEqual([{ filter: { _id: expect.any(Number) }, options: {} }])
    const plan = lastPlanOf(rowOf(read))
    plan.calls('measured', {}, wholePhase, out)
    expect(plan.firstCalls(0, 1).map(({ args }) => args.filter)).toEqual([{ _id: expect.any(Number) }])
  })
})
