import { deserialize, EJSON } from 'bson'
import {
  type ClientSession,
  type Collection,
  type Db,
  type Document,
  type FindOptions,
  type ReadConcernLike,
  type ReadPreferenceMode,
} from 'mongodb'
import { type Clock } from '../../core/clock.ts'
import { toNumber, isNumber } from '../../language/values/bson-types.ts'
import { type CheckContext } from './check.ts'
import { IdTable } from './id-table.ts'

/** Says, of every read, what a URI might say otherwise. */
export type ReadOptions = {
  readonly session?: ClientSession
  readonly readConcern: ReadConcernLike
  readonly readPreference: ReadPreferenceMode
  readonly signal: AbortSignal
}

/** Nothing that is read so can be rolled back. */
const safely = { readConcern: { level: 'majority' }, readPreference: 'primary' } as const
/** Options for a read of everything as it was at one time, which a majority has; it is sent in a session of snapshots. */
const atOneTime = { readConcern: { level: 'snapshot' }, readPreference: 'primary' } as const

/** Options of a read from the primary with read concern "majority", which the signal cancels. */
export const safeRead = (signal: AbortSignal): ReadOptions => ({ ...safely, signal })

const maxWaitMs = 60_000
const betweenTriesMs = 500
const maxTryMs = 10_000

/** Collections that a check reads, and the bounds of its reads. */
export type ReadContext = Pick<CheckContext, 'db' | 'signal'> & { readonly collections: readonly Collection[] }

/**
 * Waits for a primary, and until a majority has every write that this primary has: a write that is acknowledged by one
 * member alone may still be on its way, and is not lost. In a cluster each shard that holds a part of the collections does.
 * @throws what the server says when that is not so within a minute.
 */
export async function awaitMajority(context: ReadContext, clock: Clock): Promise<void> {
  const { signal } = context
  const untilMs = clock.now() + maxWaitMs
  for (;;) {
    try {
      return await readAfterAllWrites({ ...context, signal: AbortSignal.any([signal, AbortSignal.timeout(maxTryMs)]) })
    } catch (error) {
      if (signal.aborted || clock.now() > untilMs) throw error
      await clock.sleep(betweenTriesMs, signal)
    }
  }
}

async function readAfterAllWrites(context: ReadContext): Promise<void> {
  await using session = context.db.client.startSession({ causalConsistency: true })
  await learnLatestTime(session, context)
  // The session has these reads wait for that time.
  const options = { ...safely, session, signal: context.signal, maxTimeMS: maxTryMs }
  for (const collection of context.collections) await collection.findOne({}, options)
}

/**
 * Has a session learn the time of the latest write to collections, from all shards that hold a part of them. A router knows
 * it by their replies alone, and a driver passes times on to another router only in a session.
 */
async function learnLatestTime(session: ClientSession, { collections, signal }: ReadContext): Promise<void> {
  const options = { readConcern: { level: 'local' }, readPreference: 'primary', session, signal } as const
  for (const collection of collections) await collection.findOne({}, options)
}

/** First wire version of a server that reads snapshots outside of transactions: 5.0. */
const snapshotsSince = 13

/** Whether the server behind a client can be read as it was at one time. */
export async function hasSnapshots(db: Db): Promise<boolean> {
  const { setName, msg, maxWireVersion = 0 } = await db.client.db('admin').command({ hello: 1 })
  return (setName !== undefined || msg === 'isdbgrid') && maxWireVersion >= snapshotsSince
}

/** Reads collections as they were at one time, not before the latest write that was acknowledged. */
export async function ofOneSnapshot<Read>(
  context: ReadContext,
  read: (options: ReadOptions) => Promise<Read>,
): Promise<Read> {
  const { db, signal } = context
  await using latest = db.client.startSession({ causalConsistency: true })
  await learnLatestTime(latest, context)
  await using session = db.client.startSession({ snapshot: true })
  if (latest.clusterTime !== undefined) session.advanceClusterTime(latest.clusterTime)
  return await read({ ...atOneTime, session, signal })
}

/** The same where there are snapshots; elsewhere the data once all writes have ended. */
export async function atRest<Read>(context: ReadContext, read: (options: ReadOptions) => Promise<Read>): Promise<Read> {
  return (await hasSnapshots(context.db)) ? ofOneSnapshot(context, read) : read(safeRead(context.signal))
}

const idsPerBatch = 10_000
const idsAlone: FindOptions = { projection: { _id: 1 }, hint: { _id: 1 } }

/** The `_id`s of a collection: read from their index, and streamed. */
export async function readIds(collection: Collection, options: ReadOptions): Promise<IdTable> {
  const ids = new IdTable()
  await eachDocument(collection, {}, { ...options, ...idsAlone }, (document) => void ids.add(document))
  return ids
}

/** Calls back with the BSON of every document of a filter, one after the other; it may be kept for the call alone. */
export async function eachDocument(
  collection: Collection,
  filter: Document,
  options: FindOptions,
  take: (document: Uint8Array) => void,
): Promise<void> {
  await using cursor = collection.find(filter, { ...options, raw: true, batchSize: idsPerBatch })
  while (await cursor.hasNext())
    for (const document of cursor.readBufferedDocuments()) take(document as unknown as Uint8Array)
}

/** The fields of a document, every value with its type. */
export const decoded = (document: Uint8Array): Document => deserialize(document, { promoteValues: false })

/** A field of a document, or one inside of others: "account.balance". */
export const valueAt = (document: Document, field: string): unknown =>
  field.split('.').reduce<unknown>((value, step) => (value as Document | null | undefined)?.[step], document)

/** A number of any type of BSON as one of JavaScript, exact up to 2^53. Null for what is none. */
export function numberIn(value: unknown): number | null {
  if (isNumber(value)) return toNumber(value)
  const type: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, '_bsontype') : undefined
  return typeof type === 'string' && numberTypes.has(type) ? Number(String(value)) : null
}

/** By name, for the driver's classes are not ours. */
const numberTypes: ReadonlySet<string> = new Set(['Int32', 'Long', 'Double', 'Decimal128'])

/** Digits to which sums of fractions are compared: they are rounded as they are added up. */
const comparedDigits = 9

/** Whole numbers exactly, up to 2^53; others to nine digits. */
export function areSame(one: number, other: number): boolean {
  if (one === other) return true
  if (Number.isInteger(one) && Number.isInteger(other)) return false
  return Math.abs(one - other) <= 10 ** -comparedDigits * Math.max(1, Math.abs(one), Math.abs(other))
}

/** More than anybody reads. */
const maxExamples = 10
const maxText = 300

/** The first examples of what is wrong. */
export class Evidence {
  readonly #texts: string[] = []

  get texts(): readonly string[] {
    return this.#texts
  }

  /** @param describe Called only where there is room for its text. */
  add(describe: () => string): void {
    if (this.#texts.length >= maxExamples) return
    const text = describe()
    this.#texts.push(text.length > maxText ? `${text.slice(0, maxText)}…` : text)
  }
}

/** An id of an id table, as Extended JSON. */
export const idText = (id: Uint8Array): string => valueText(decoded(id)['_id'])

/** Returns a BSON value as relaxed Extended JSON. */
export const valueText = (value: unknown): string => EJSON.stringify(value, { relaxed: true })
