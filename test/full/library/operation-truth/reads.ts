import { type Document } from 'mongodb'
import { always, type Counts, filtered, none, some, type Truth, type TruthCase } from './truth.ts'

const counted = (matched: number): Counts => ({ ...none, documents: null, matched })
/** Raw documents are counted as they came. */
const read = (documents: readonly Document[]): Counts => ({
  ...none,
  documents: documents.length,
  bytes: documents.reduce((sum, document) => sum + document['byteLength'], 0),
})
const raw = (options: Document): Document => ({ ...options, raw: true })

const finds = {
  ...filtered,
  projection: { given: { text: 1 } },
  sort: { given: { _id: -1 } },
  skip: { given: 4 },
  allowDiskUse: { given: false },
} satisfies Record<string, TruthCase>

export const reads = {
  findOne: {
    args: { filter: some },
    async byHand(collection, { filter }, options) {
      const found = await collection.findOne(filter, raw(options))
      return read(found ? [found] : [])
    },
    options: finds,
  },

  find: {
    args: { filter: some },
    byHand: async (collection, { filter }, options) => read(await collection.find(filter, raw(options)).toArray()),
    options: {
      ...finds,
      limit: { given: 3 },
      batchSize: { given: 0 },
    },
  },

  aggregate: {
    args: { pipeline: [{ $match: some }, { $project: { list: 0 } }] },
    byHand: async (collection, { pipeline }, options) =>
      read(await collection.aggregate(pipeline, raw(options)).toArray()),
    options: {
      ...filtered,
      collation: { ...filtered.collation, args: { pipeline: [{ $match: { text: 'a' } }] } },
      let: { given: { x: 3 }, args: { pipeline: [{ $set: { seen: '$$x' } }] } },
      allowDiskUse: { given: false },
      batchSize: { given: 2 },
    },
  },

  countDocuments: {
    args: { filter: some },
    byHand: async (collection, { filter }, options) => counted(await collection.countDocuments(filter, options)),
    options: { ...filtered, skip: { given: 4 }, limit: { given: 2 }, allowDiskUse: { given: false } },
  },

  estimatedDocumentCount: {
    args: {},
    byHand: async (collection, _, options) => counted(await collection.estimatedDocumentCount(options)),
    options: always,
  },

  distinct: {
    args: { key: 'text', filter: some },
    byHand: async (collection, { key, filter }, options) =>
      counted((await collection.distinct(key, filter, options)).length),
    // Servers before 7.1 refuse the hint, with us as without us.
    options: { ...always, hint: { given: 'n_1' }, collation: { given: { locale: 'en', strength: 2 } } },
    refused: counted(0),
  },

  command: {
    args: { command: { count: 'command_', query: some } },
    async byHand(collection, { command }) {
      await collection.db.command(command)
      return { ...none, documents: null }
    },
    options: {},
  },
} as const satisfies Record<string, Truth>
