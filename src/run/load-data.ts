import { type Db, type IndexDescription, MongoServerError } from 'mongodb'
import { type Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import { type DataSet } from '../plan/data-set.ts'
import { type DataSetResult } from '../results/schema.ts'
import { claimCollection } from '../targets/ownership.ts'

/** Bytes per batch: far below the 48 MB of a message, enough to make the round trip small. */
const batchBytes = 4 * 1024 * 1024
const batchDocuments = 1000
const batchesInFlight = 4

export type LoadContext = {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onProgress: (documents: number, ratePerSecond: number) => void
}

/** Creates a collection of ours, fills it with its rows, and builds its indexes. Outside of every timed window. */
export async function loadData(db: Db, dataSet: DataSet, context: LoadContext): Promise<DataSetResult> {
  const { clock } = context
  const { collection, options, rows, indexes } = dataSet.spec
  const ask = <Reply>(what: string, call: Promise<Reply>): Promise<Reply> => explained(`${what} "${collection}"`, call)
  await claimCollection(db, collection)
  await ask('the collection', db.createCollection(collection, { ...options } as Parameters<Db['createCollection']>[1]))
  const startMs = clock.now()
  const bytes = await ask('rows of', insertRows(db, dataSet, context))
  const loadSeconds = (clock.now() - startMs) / 1000
  const indexStartMs = clock.now()
  if (indexes.length > 0)
    await ask('the indexes of', db.collection(collection).createIndexes(indexes as IndexDescription[]))
  return {
    collection,
    rows,
    loadSeconds,
    documentsPerSecond: rows > 0 ? rows / loadSeconds : null,
    meanDocumentBytes: rows > 0 ? bytes / rows : null,
    indexes: indexes.map(({ key }) => JSON.stringify(key)),
    indexSeconds: (clock.now() - indexStartMs) / 1000,
  }
}

async function insertRows(
  db: Db,
  { spec, documentOf }: DataSet,
  { clock, signal, onProgress }: LoadContext,
): Promise<number> {
  if (!documentOf || spec.rows === 0) return 0
  // One member's word is enough here: the settle step waits for the others.
  const collection = db.collection(spec.collection, { writeConcern: { w: 1 } })
  const startMs = clock.now()
  let next = 0
  let done = 0
  let bytes = 0
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])

  function nextBatch(): Record<string, unknown>[] {
    const batch: Record<string, unknown>[] = []
    for (let size = 0; next < spec.rows && batch.length < batchDocuments && size < batchBytes; next++) {
      const built = documentOf?.(next)
      if (!built) break
      batch.push(built.document)
      size += built.bytes
      bytes += built.bytes
    }
    return batch
  }

  async function insertBatches(): Promise<void> {
    while (!stop.aborted) {
      const batch = nextBatch()
      if (batch.length === 0) return
      await collection.insertMany(batch, { ordered: false })
      done += batch.length
      onProgress(done, (done / (clock.now() - startMs)) * 1000)
    }
  }

  async function insertUntilOneFails(): Promise<void> {
    try {
      await insertBatches()
    } catch (error) {
      failed.abort()
      throw error
    }
  }

  // All have ended when this function does: nothing is sent, and nothing told, after it.
  const ends = await Promise.allSettled(Array.from({ length: batchesInFlight }, insertUntilOneFails))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
  signal.throwIfAborted()
  return bytes
}

/** Refusals that have nothing to do with what the spec says: Unauthorized, AuthenticationFailed. */
const refusedUsers: ReadonlySet<unknown> = new Set([13, 18])

/** A server that is there and says no (a validator, an index that cannot be, a key that stands twice) says no to the spec. */
async function explained<Reply>(what: string, call: Promise<Reply>): Promise<Reply> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof MongoServerError) || refusedUsers.has(error.code)) throw error
    if (error.hasErrorLabel('RetryableWriteError')) throw error
    throw new Problem('spec-invalid', `The server refused ${what}: ${error.message}`, {
      hint: 'Correct "data" in the spec.',
    })
  }
}
