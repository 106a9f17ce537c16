import {
  type BSONSerializeOptions,
  type Collection,
  type DeleteResult,
  type FindCursor,
  type InsertManyResult,
  type UpdateResult,
} from 'mongodb'
import { type EngineOperation, type Reply, type ReplyKind } from '../engine.ts'
import { type Flight } from './deadlines.ts'
import { nothing } from './outcomes.ts'
import { createReader, type Deserialize } from './reader.ts'

/** Runs one call of an operation and reads its reply. */
export type Runner = (args: readonly unknown[], flight: Flight) => Promise<Reply>

/** The driver's method, bound to its collection. */
type Method = (...args: unknown[]) => unknown

const inserted = (documents: number): Reply => ({ ...nothing, documents, inserted: documents })

/** How to read a reply: one entry per kind. Made once per operation, so that a call looks nothing up. */
const runners: Readonly<Record<ReplyKind, (method: Method, read: ReturnType<typeof createReader>) => Runner>> = {
  document: (findOne, read) => async (args) => {
    const { options, size } = read(args[1])
    const document = (await findOne(args[0], options)) as Uint8Array | null
    return document ? { ...nothing, documents: 1, bytes: size(document) } : nothing
  },

  // Batch by batch: nothing is kept, and a cursor of any length needs the memory of one batch.
  cursor: (find, read) => async (args, flight) => {
    const { options, size } = read(args[1])
    const cursor = find(args[0], options) as FindCursor<Uint8Array>
    let documents = 0
    let bytes = 0
    while (await cursor.hasNext()) {
      for (const document of cursor.readBufferedDocuments()) {
        documents += 1
        bytes += size(document)
      }
      if (flight.abandoned) await cursor.close()
    }
    return { ...nothing, documents, bytes }
  },

  insert: (insertOne) => async (args) => {
    await insertOne(...args)
    return inserted(1)
  },

  // An unacknowledged insert is counted as sent: there is nothing else to count.
  insertMany: (insertMany) => async (args) => {
    const { acknowledged, insertedCount } = (await insertMany(...args)) as InsertManyResult
    return inserted(acknowledged || !Array.isArray(args[0]) ? insertedCount : args[0].length)
  },

  update: (update) => async (args) => {
    const result = (await update(...args)) as UpdateResult
    if (!result.acknowledged) return nothing
    const { matchedCount: matched, modifiedCount: modified, upsertedCount: upserted } = result
    return { ...nothing, documents: modified + upserted, matched, modified, upserted }
  },

  delete: (remove) => async (args) => {
    const { acknowledged, deletedCount } = (await remove(...args)) as DeleteResult
    return acknowledged ? { ...nothing, documents: deletedCount, deleted: deletedCount } : nothing
  },
}

export function createRunner(
  { name, method, reply }: EngineOperation,
  collection: Collection & { readonly bsonOptions: BSONSerializeOptions },
  deserialize: Deserialize,
): Runner {
  const found: unknown = Reflect.get(collection, method)
  if (typeof found !== 'function') throw new Error(`Operation ${name} needs a method ${method}, which the driver lacks`)
  return runners[reply](found.bind(collection), createReader(collection.bsonOptions, deserialize))
}
