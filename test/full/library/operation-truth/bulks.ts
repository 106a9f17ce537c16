import { type BulkWriteResult, type Document } from 'mongodb'
import { type JsonObject } from '../../../../src/core/json.ts'
import { always, bytesOf, type Counts, filtered, some, storedBytes, type Truth, type TruthCase } from './truth.ts'
import { replacements, sort, updates } from './writes.ts'

/** @param operations What the bulk was made of. */
export const bulkCounts = (result: BulkWriteResult, operations: readonly Document[] = []): Counts => ({
  documents: result.insertedCount + result.modifiedCount + result.upsertedCount + result.deletedCount,
  matched: result.matchedCount,
  modified: result.modifiedCount,
  upserted: result.upsertedCount,
  inserted: result.insertedCount,
  deleted: result.deletedCount,
  bytes:
    storedBytes(operations.flatMap(({ insertOne }) => insertOne?.document ?? [])) +
    bytesOf(operations.flatMap(({ replaceOne }) => replaceOne?.replacement ?? [])),
})

/** One of each, so that the counts are all different. */
const allKinds: readonly JsonObject[] = [
  { insertOne: { document: { _id: 50, n: 1 } } },
  { insertOne: { document: { _id: 51, n: 1 } } },
  { updateOne: { filter: { _id: 3 }, update: { $set: { seen: true } } } },
  { updateMany: { filter: some, update: [{ $set: { text: 'b' } }] } },
  { replaceOne: { filter: { _id: 4 }, replacement: { n: 4 } } },
  { replaceOne: { filter: { _id: 60 }, replacement: { n: 4 }, upsert: true } },
  { deleteOne: { filter: { n: 0 } } },
  { deleteMany: { filter: { n: 1 } } },
]

const repeated = [{ insertOne: { document: { _id: 5 } } }, { insertOne: { document: { _id: 50 } } }]

const bulkOptions = {
  ...always,
  ordered: { given: false, args: { operations: repeated } },
  let: { given: { x: 3 }, args: { operations: [{ deleteMany: { filter: { $expr: { $eq: ['$n', '$$x'] } } } }] } },
} satisfies Record<string, TruthCase>

const { hint, collation } = filtered
const { upsert, arrayFilters } = updates
const seen: JsonObject = { $set: { seen: true } }

/** The writes of a bulk: their arguments, and a case for each of their options. */
const models: Readonly<Record<string, Omit<Truth, 'byHand'>>> = {
  updateOne: { args: { filter: some, update: seen }, options: { hint, collation, upsert, arrayFilters, sort } },
  updateMany: { args: { filter: some, update: seen }, options: { hint, collation, upsert, arrayFilters } },
  replaceOne: {
    args: { filter: some, replacement: { n: 4, text: 'new' } },
    options: { hint, collation, upsert: replacements.upsert, sort },
  },
  deleteOne: { args: { filter: some }, options: { hint, collation } },
  deleteMany: { args: { filter: some }, options: { hint, collation } },
}

/** The option of a write is one of the bulk's arguments. */
function modelCase(kind: string, option: string, { given, args, beside }: TruthCase): TruthCase {
  const plain = { ...models[kind]?.args, ...args, ...beside }
  return {
    given: null,
    args: { operations: [{ [kind]: { ...plain, [option]: given } }] },
    without: { operations: [{ [kind]: plain }] },
  }
}

const modelCases: Readonly<Record<string, TruthCase>> = Object.fromEntries(
  Object.entries(models).flatMap(([kind, { options }]) =>
    Object.entries(options).map(([option, each]) => [`${kind}.${option}`, modelCase(kind, option, each)]),
  ),
)

export const bulks = {
  bulkWrite: {
    args: { operations: allKinds },
    async byHand(collection, { operations }, options) {
      const own = structuredClone(operations)
      return bulkCounts(await collection.bulkWrite(own, options), own)
    },
    options: {
      ...bulkOptions,
      forceServerObjectId: { given: true, args: { operations: [{ insertOne: { document: { n: 1 } } }] } },
      ...modelCases,
    },
  },
} as const satisfies Record<string, Truth>

export const clientBulk = {
  args: { operations: allKinds },
  options: { ...bulkOptions, ...modelCases },
}
