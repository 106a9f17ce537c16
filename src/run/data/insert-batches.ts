import { type Db, MongoServerError } from 'mongodb'
import { type Clock } from '../../clock.ts'
import { type Batch } from './batches.ts'

const batchesInFlight = 4

/** The number of documents inserted, and their size in BSON bytes. */
export type Inserted = { readonly documents: number; readonly bytes: number }

/** What an insert of batches needs besides the documents. */
export type InsertContext = {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Whether the documents must come in their order: one batch at a time. */
  readonly inOrder: boolean
  readonly onProgress: (documents: number, ratePerSecond: number) => void
}

/**
 * Inserts batches, several at a time, and asks for the next one only when one is done: a source of any length needs the
 * memory of a few. The command itself is sent, because the driver's `insertMany` measures every document before it encodes
 * it: a tenth of the client's work at 1 KB, a fifth at 200 B. For what it comes to see `bench/preload.ts`.
 */
export async function insertBatches(
  db: Db,
  collection: string,
  batches: Iterator<Batch> | AsyncIterator<Batch>,
  { clock, signal, inOrder, onProgress }: InsertContext,
): Promise<Inserted> {
  const startMs = clock.now()
  let documents = 0
  let bytes = 0
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])

  async function insertUntilOneFails(): Promise<void> {
    try {
      while (!stop.aborted) {
        const { value: batch, done } = await batches.next()
        if (done) return
        await insertBatch(db, collection, batch, inOrder)
        documents += batch.documents.length
        bytes += batch.bytes
        onProgress(documents, (documents / (clock.now() - startMs)) * 1000)
      }
    } catch (error) {
      failed.abort()
      throw error
    }
  }

  // All have ended when this function does: nothing is sent, and nothing reported, after it.
  const ends = await Promise.allSettled(Array.from({ length: inOrder ? 1 : batchesInFlight }, insertUntilOneFails))
  await batches.return?.()
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
  signal.throwIfAborted()
  return { documents, bytes }
}

async function insertBatch(db: Db, collection: string, { documents }: Batch, ordered: boolean): Promise<void> {
  // One member's word is enough here: the settle step waits for the others.
  const command = { insert: collection, ordered, writeConcern: { w: 1 }, documents }
  const { writeErrors: [refused] = [] } = await db.command(command)
  if (refused) throw new MongoServerError({ message: String(refused.errmsg), code: Number(refused.code) })
}
