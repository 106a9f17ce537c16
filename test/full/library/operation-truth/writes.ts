import { type Collection, type DeleteResult, type Document, type ModifyResult, type UpdateResult } from 'mongodb'
import { type JsonObject } from '../../../../src/core/json.ts'
import { always, bytesOf, type Counts, filtered, none, some, storedBytes, type Truth, type TruthCase } from './truth.ts'

const inserted = (documents: readonly Document[]): Counts => ({
  ...none,
  documents: documents.length,
  inserted: documents.length,
  bytes: storedBytes(documents),
})

const updated = ({ matchedCount, modifiedCount, upsertedCount }: UpdateResult): Counts => ({
  ...none,
  documents: modifiedCount + upsertedCount,
  matched: matchedCount,
  modified: modifiedCount,
  upserted: upsertedCount,
})

const deleted = ({ deletedCount }: DeleteResult): Counts => ({
  ...none,
  documents: deletedCount,
  deleted: deletedCount,
})

function changed({ lastErrorObject = {} }: ModifyResult): Counts {
  const matched = lastErrorObject['updatedExisting'] === true ? 1 : 0
  const upserted = 'upserted' in lastErrorObject ? 1 : 0
  return { ...none, documents: matched + upserted, matched, modified: matched, upserted }
}

const metadata = { includeResultMetadata: true } as const

const seen: JsonObject = { $set: { seen: true } }
const replacement: JsonObject = { n: 4, text: 'new' }
const matchesNone: JsonObject = { filter: { _id: 100 } }

export const updates = {
  ...filtered,
  let: { given: { x: 3 }, args: { update: [{ $set: { seen: '$$x' } }] } },
  upsert: { given: true, args: matchesNone },
  arrayFilters: { given: [{ 'e.k': 1 }], args: { update: { $set: { 'list.$[e].v': -1 } } } },
} satisfies Record<string, TruthCase>

export const replacements = {
  ...filtered,
  upsert: { given: true, args: matchesNone },
} satisfies Record<string, TruthCase>

/** Servers before 8.0 refuse it where nothing comes back, with us as without us. */
export const sort: TruthCase = { given: { _id: -1 } }

const comesBack = { sort, projection: { given: { _id: 0, list: 1 } } } satisfies Record<string, TruthCase>

export const inserts = {
  ...always,
  forceServerObjectId: { given: true, args: { document: { n: 1 } } },
} satisfies Record<string, TruthCase>

async function insertMany(collection: Collection, args: Document, options: Document): Promise<Counts> {
  const documents: Document[] = args['documents'] ?? Array.from({ length: 3 }, () => ({ ...args['document'] }))
  await collection.insertMany(documents, options)
  return inserted(documents)
}

export const writes = {
  insertOne: {
    args: { document: { _id: 50, n: 1 } },
    async byHand(collection, args, options) {
      const document = { ...args['document'] }
      await collection.insertOne(document, options)
      return inserted([document])
    },
    options: inserts,
  },

  insertMany: {
    args: { document: { n: 1 }, documentsPerCall: 3 },
    byHand: insertMany,
    options: {
      ...inserts,
      ordered: {
        given: false,
        args: { document: { _id: { '@subtract': [{ '@nextRow': {} }, 1] } } },
        drawn: { documents: [{ _id: 19 }, { _id: 20 }, { _id: 21 }] },
      },
    },
  },

  updateOne: {
    args: { filter: some, update: seen },
    byHand: async (collection, { filter, update }, options) =>
      updated(await collection.updateOne(filter, update, options)),
    options: { ...updates, sort },
  },

  updateMany: {
    args: { filter: some, update: seen },
    byHand: async (collection, { filter, update }, options) =>
      updated(await collection.updateMany(filter, update, options)),
    options: updates,
  },

  replaceOne: {
    args: { filter: some, replacement },
    byHand: async (collection, args, options) => ({
      ...updated((await collection.replaceOne(args['filter'], args['replacement'], options)) as UpdateResult),
      bytes: bytesOf([args['replacement']]),
    }),
    options: { ...replacements, sort },
  },

  deleteOne: {
    args: { filter: some },
    byHand: async (collection, { filter }, options) => deleted(await collection.deleteOne(filter, options)),
    options: filtered,
  },

  deleteMany: {
    args: { filter: some },
    byHand: async (collection, { filter }, options) => deleted(await collection.deleteMany(filter, options)),
    options: filtered,
  },

  findOneAndUpdate: {
    args: { filter: some, update: seen },
    byHand: async (collection, { filter, update }, options) =>
      changed(await collection.findOneAndUpdate(filter, update, { ...options, ...metadata })),
    options: { ...updates, ...comesBack, returnDocument: { given: 'after' } },
  },

  findOneAndReplace: {
    args: { filter: some, replacement },
    byHand: async (collection, args, options) => ({
      ...changed(await collection.findOneAndReplace(args['filter'], args['replacement'], { ...options, ...metadata })),
      bytes: bytesOf([args['replacement']]),
    }),
    options: { ...replacements, ...comesBack, returnDocument: { given: 'after' } },
  },

  findOneAndDelete: {
    args: { filter: some },
    async byHand(collection, { filter }, options) {
      const { value } = await collection.findOneAndDelete(filter, { ...options, ...metadata })
      const documents = value === null ? 0 : 1
      return { ...none, documents, deleted: documents }
    },
    options: { ...filtered, ...comesBack },
  },
} as const satisfies Record<string, Truth>
