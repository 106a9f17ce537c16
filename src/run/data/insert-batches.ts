import { BsonWriter } from '../../protocol/bson/writer.ts'
import { type Clock } from '../../core/clock.ts'
import { batchBytes, beginBatch, type FillBatch } from './batches.ts'
import { type Inserters } from './inserter.ts'

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
 * Inserts batches, several at a time, each over a connection and out of a buffer of its own, and asks for the next one only
 * when one is done: a source of any length needs the memory of a few. For what it comes to see `bench/preload.ts`.
 */
export async function insertBatches(
  inserters: Inserters,
  fill: FillBatch,
  { clock, signal, inOrder, onProgress }: InsertContext,
): Promise<Inserted> {
  const startMs = clock.now()
  let documents = 0
  let bytes = 0
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])

  async function insertUntilOneFails(): Promise<void> {
    try {
      using inserter = await inserters.open()
      const out = new BsonWriter()
      while (!stop.aborted) {
        beginBatch(out)
        const filled = await fill(out)
        if (filled === 0) return
        await inserter.insert(out)
        documents += filled
        bytes += batchBytes(out)
        onProgress(documents, (documents / (clock.now() - startMs)) * 1000)
      }
    } catch (error) {
      failed.abort()
      throw error
    }
  }

  // All have ended when this function does: nothing is sent, and nothing reported, after it.
  const ends = await Promise.allSettled(Array.from({ length: inOrder ? 1 : batchesInFlight }, insertUntilOneFails))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
  signal.throwIfAborted()
  return { documents, bytes }
}
