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
import { type PendingCall } from '../deadlines.ts'
import { emptyReply, type EngineMethod, type Reply } from '../engine.ts'
import { type ArgumentName, type NamedArguments, type Options } from '../intent.ts'
import { partOfBulk } from '../outcomes.ts'
import { createCountCheck } from '../possible-counts.ts'
import { type ReplyKind } from '../reply-traits.ts'
import { readFile, storeFile } from './bucket.ts'
import { type CallContext, type DriverMethod, driverMethods, getCallOwner } from './owners.ts'

/** Runs one call of an operation and reads its reply. */
export type Runner = (args: NamedArguments, pending: PendingCall) => Promise<Reply>

/** How a document is kept that the driver has decoded: as it came, if a later step reads it. */
type Keep = {
  /** Options with which the types of its numbers survive the decoding. */
  readonly options: Options
  readonly document: (decoded: unknown) => Uint8Array | null
}

const keepNothing: Keep = { options: {}, document: () => null }

const keepTypes = ({ serialize }: Bson): Keep => ({
  options: { promoteValues: false },
  document: (decoded) => (decoded ? serialize(decoded) : null),
})

/** The part of a driver's BSON that replies need. */
export type Bson = { readonly deserialize: Deserialize; readonly serialize: (document: object) => Uint8Array }

type CreateRunner = (send: Send, read: ReturnType<typeof createReader>, keep: Keep) => Runner

/** Report of the server on a `findAndModify`. */
type LastChange = { readonly n?: unknown; readonly updatedExisting?: boolean; readonly upserted?: unknown }

const inserted = (documents: number): Reply => ({ ...emptyReply, documents, inserted: documents })

/** How to read a reply: one entry per kind. Made once per operation, so that a call looks nothing up. */
const runners: Readonly<Record<ReplyKind, CreateRunner>> = {
  document: (send, read) => async (args) => {
    const { options, decode } = read(args.options)
    const found = (await send(args, options)) as Uint8Array | null
    if (!found) return emptyReply
    decode(found)
    return { ...emptyReply, documents: 1, bytes: found.byteLength, document: found }
  },

  // Batch by batch: nothing is kept, and a cursor of any length needs the memory of one batch.
  cursor: (send, read) => async (args, pending) => {
    const { options, decode } = read(args.options)
    const cursor = send(args, options) as FindCursor<Uint8Array>
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
      if (pending.abandoned) await cursor.close()
    }
    return { ...emptyReply, documents, bytes, document: first }
  },

  // The server answers when the last document has been written.
  output: (send) => async (args) => {
    await (send(args) as AggregationCursor).toArray()
    return emptyReply
  },

  insert: (send) => async (args) => {
    await send(args)
    return inserted(1)
  },

  // An unacknowledged insert is counted as sent: there is nothing else to count.
  insertMany: (send) => async (args) => {
    const { acknowledged, insertedCount } = (await send(args)) as InsertManyResult
    return inserted(acknowledged || args.documents === undefined ? insertedCount : args.documents.length)
  },

  update: (send) => async (args) => {
    const result = (await send(args)) as UpdateResult
    if (!result.acknowledged) return emptyReply
    const { matchedCount: matched, modifiedCount: modified, upsertedCount: upserted } = result
    return { ...emptyReply, documents: modified + upserted, matched, modified, upserted }
  },

  delete: remove,
  deleteMany: remove,

  // What the server reports of such a change is whether it found a document, not whether that is another one now.
  findAndModify: (send, _read, keep) => async (args) => {
    const { value, lastErrorObject = {} } = (await send(args, change(args, keep))) as ModifyResult
    const { n, updatedExisting, upserted } = lastErrorObject as LastChange
    const changed = updatedExisting === true ? 1 : 0
    const counts = { matched: changed, modified: changed, upserted: upserted === undefined ? 0 : 1 }
    return { ...emptyReply, documents: toCount(n), ...counts, document: keep.document(value) }
  },

  findAndDelete: (send, _read, keep) => async (args) => {
    const { value, lastErrorObject = {} } = (await send(args, change(args, keep))) as ModifyResult
    const deleted = toCount((lastErrorObject as LastChange).n)
    return { ...emptyReply, documents: deleted, deleted, document: keep.document(value) }
  },

  count: (send) => async (args) => ({ ...emptyReply, matched: (await send(args)) as number }),

  values: (send) => async (args) => ({ ...emptyReply, matched: ((await send(args)) as unknown[]).length }),

  bulkWrite: (send) => async (args) => partOfBulk((await send(args)) as BulkWriteResult | ClientBulkWriteResult),

  command: (send, _read, keep) => async (args) => ({
    ...emptyReply,
    document: keep.document(await send(args, { ...args.options, ...keep.options })),
  }),

  upload: (send) => async (args, pending) => {
    if (!args.content) throw new RangeError('The file has no valid size')
    await storeFile(send(args) as GridFSBucketWriteStream, args.content, pending)
    return inserted(1)
  },

  download: (send) => async (args, pending) => {
    const bytes = await readFile(send(args) as GridFSBucketReadStream, pending)
    return { ...emptyReply, documents: 1, bytes }
  },

  function: (send) => async (args) => {
    await send(args)
    return emptyReply
  },
}

function remove(send: Send): Runner {
  return async (args) => {
    const { acknowledged, deletedCount } = (await send(args)) as DeleteResult
    return acknowledged ? { ...emptyReply, documents: deletedCount, deleted: deletedCount } : emptyReply
  }
}

const change = ({ options }: NamedArguments, keep: Keep): Options => ({
  ...options,
  ...keep.options,
  includeResultMetadata: true,
})

/** Where types are kept, a number is an object of the driver's. */
const toCount = (n: unknown): number => Number(n ?? 0)

export function createRunner(method: EngineMethod, context: CallContext): Runner {
  const {
    driver: { BSON },
    database,
  } = context
  const send = createSend(getCallOwner(method, context), driverMethods[method.kind])
  const read = createReader(database.bsonOptions, BSON.deserialize)
  const run = runners[method.reply](send, read, method.documentIsRead === true ? keepTypes(BSON) : keepNothing)
  const check = createCountCheck(method.kind, database.writeConcern?.w)
  return check === undefined ? run : async (args, pending) => check(await run(args, pending), args)
}

/** Calls a method of the driver. */
type Send = (args: NamedArguments, options?: Options) => unknown

/** Puts named arguments into the order of a method. Made once per operation, so that a call looks nothing up. */
function createSend(owner: object, { name, takes }: DriverMethod): Send {
  const found: unknown = Reflect.get(owner, name)
  if (typeof found !== 'function') throw new Error(`The driver has no method ${name}`)
  const method = found.bind(owner) as (...positional: unknown[]) => unknown
  const [first, second] = takes as readonly [ArgumentName?, ArgumentName?]
  if (first === undefined) return (args, options = args.options) => method(options)
  if (second === undefined) return (args, options = args.options) => method(args[first], options)
  return (args, options = args.options) => method(args[first], args[second], options)
}

type Deserialize = (bson: Uint8Array, options: object) => unknown

/** How to read with given options. */
type Reading = {
  /** The options to send the read with. */
  readonly options: Options
  /** Decodes a document as the driver would have done. */
  readonly decode: (document: Uint8Array) => unknown
}

/**
 * The driver decodes a reply without telling how long it was. So reads ask for raw documents and decode each here, inside
 * of the timed call, with the driver's own deserialiser and options: the same work in another place, and the exact bytes
 * for nothing.
 */
export function createReader(
  defaults: BSONSerializeOptions,
  deserialize: Deserialize,
): (own: Options | undefined) => Reading {
  const readingWith = (own: BSONSerializeOptions): Reading => {
    const { enableUtf8Validation, ...decoding } = { ...defaults, ...own }
    const options = { ...decoding, raw: false, validation: { utf8: enableUtf8Validation !== false } }
    return {
      options: { ...own, raw: true },
      decode: (document) => deserialize(document, options),
    }
  }

  // Most operations use one options object for all of their calls.
  const plain = readingWith({})
  let last: { readonly own: Options | undefined; readonly reading: Reading } = { own: undefined, reading: plain }
  return (own) => {
    if (own === undefined) return plain
    if (own !== last.own) last = { own, reading: readingWith(own) }
    return last.reading
  }
}
