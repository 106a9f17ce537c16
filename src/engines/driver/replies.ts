import {
  type AggregationCursor,
  type BSONSerializeOptions,
  type BulkWriteResult,
  type ClientBulkWriteResult,
  type DeleteResult,
  type FindCursor,
  type GridFSBucketReadStream,
  type GridFSBucketWriteStream,
  type InsertManyResult,
  type ModifyResult,
  type UpdateResult,
} from 'mongodb'
import { emptyReply, type EngineMethod, type Reply, type ReplyKind } from '../engine.ts'
import { readFile, storeFile } from './bucket.ts'
import { type Flight } from './deadlines.ts'
import { partOfBulk } from './outcomes.ts'
import { createReader, type Deserialize } from './reader.ts'

/** Runs one call of an operation and reads its reply. */
export type Runner = (args: readonly unknown[], flight: Flight) => Promise<Reply>

/** A collection, a database, a client or a bucket of files. */
export type Owner = object & { readonly bsonOptions: BSONSerializeOptions }

/** The driver's method, bound to its collection. */
type Method = (...args: unknown[]) => unknown

/** How a document is kept that the driver has decoded: as it came, if a later step reads it. */
type Keep = {
  /** Options with which the types of its numbers survive the decoding. */
  readonly options: object
  readonly document: (decoded: unknown) => Uint8Array | null
}

const keepNothing: Keep = { options: {}, document: () => null }

const keepTypes = ({ serialize }: Bson): Keep => ({
  options: { promoteValues: false },
  document: (decoded) => (decoded ? serialize(decoded) : null),
})

/** The part of a driver's BSON that replies need. */
export type Bson = { readonly deserialize: Deserialize; readonly serialize: (document: object) => Uint8Array }

type CreateRunner = (method: Method, read: ReturnType<typeof createReader>, keep: Keep) => Runner

/** What the server tells of a `findAndModify`; one that deletes has no `updatedExisting`. */
type LastChange = { readonly n?: unknown; readonly updatedExisting?: boolean; readonly upserted?: unknown }

const inserted = (documents: number): Reply => ({ ...emptyReply, documents, inserted: documents })

/** How to read a reply: one entry per kind. Made once per operation, so that a call looks nothing up. */
const runners: Readonly<Record<ReplyKind, CreateRunner>> = {
  document: (findOne, read) => async (args) => {
    const { options, decode } = read(args[1])
    const found = (await findOne(args[0], options)) as Uint8Array | null
    if (!found) return emptyReply
    decode(found)
    return { ...emptyReply, documents: 1, bytes: found.byteLength, document: found }
  },

  // Batch by batch: nothing is kept, and a cursor of any length needs the memory of one batch.
  cursor: (find, read) => async (args, flight) => {
    const { options, decode } = read(args[1])
    const cursor = find(args[0], options) as FindCursor<Uint8Array>
    let documents = 0
    let bytes = 0
    let first: Uint8Array | null = null
    while (await cursor.hasNext()) {
      for (const found of cursor.readBufferedDocuments()) {
        decode(found)
        first ??= found
        documents += 1
        bytes += found.byteLength
      }
      if (flight.abandoned) await cursor.close()
    }
    return { ...emptyReply, documents, bytes, document: first }
  },

  // The server answers when the last document has been written.
  output: (aggregate) => async (args) => {
    await (aggregate(...args) as AggregationCursor).toArray()
    return emptyReply
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
    if (!result.acknowledged) return emptyReply
    const { matchedCount: matched, modifiedCount: modified, upsertedCount: upserted } = result
    return { ...emptyReply, documents: modified + upserted, matched, modified, upserted }
  },

  delete: (remove) => async (args) => {
    const { acknowledged, deletedCount } = (await remove(...args)) as DeleteResult
    return acknowledged ? { ...emptyReply, documents: deletedCount, deleted: deletedCount } : emptyReply
  },

  // What the server tells of such a change is whether it found a document, not whether that is another one now.
  findAndModify: (change, _read, keep) => async (args) => {
    const options = { ...(args.at(-1) as object), ...keep.options, includeResultMetadata: true }
    const { value, lastErrorObject = {} } = (await change(...args.slice(0, -1), options)) as ModifyResult
    const { n, updatedExisting, upserted } = lastErrorObject as LastChange
    // Where types are kept, it is an object of the driver's.
    const documents = Number(n ?? 0)
    const changed = updatedExisting === true ? 1 : 0
    const counts = { matched: changed, modified: changed, upserted: upserted === undefined ? 0 : 1 }
    const deleted = updatedExisting === undefined ? documents : 0
    return { ...emptyReply, documents, ...counts, deleted, document: keep.document(value) }
  },

  count: (count) => async (args) => ({ ...emptyReply, matched: (await count(...args)) as number }),

  values: (distinct) => async (args) => ({ ...emptyReply, matched: ((await distinct(...args)) as unknown[]).length }),

  bulkWrite: (bulkWrite) => async (args) =>
    partOfBulk((await bulkWrite(...args)) as BulkWriteResult | ClientBulkWriteResult),

  command: (runCommand, _read, keep) => async (args) => {
    const options = { ...(args.at(-1) as object), ...keep.options }
    return { ...emptyReply, document: keep.document(await runCommand(...args.slice(0, -1), options)) }
  },

  upload:
    (open) =>
    async ([filename, content, options], flight) => {
      await storeFile(open(filename, options) as GridFSBucketWriteStream, content as readonly Uint8Array[], flight)
      return inserted(1)
    },

  download: (open) => async (args, flight) => {
    const bytes = await readFile(open(...args) as GridFSBucketReadStream, flight)
    return { ...emptyReply, documents: 1, bytes }
  },
}

/** @param owner What the method belongs to. */
export function createRunner(
  { name, method, reply, documentIsRead = false }: EngineMethod,
  owner: Owner,
  bson: Bson,
): Runner {
  const found: unknown = Reflect.get(owner, method)
  if (typeof found !== 'function') throw new Error(`Operation ${name} needs a method ${method}, which the driver lacks`)
  const read = createReader(owner.bsonOptions, bson.deserialize)
  return runners[reply](found.bind(owner), read, documentIsRead ? keepTypes(bson) : keepNothing)
}
