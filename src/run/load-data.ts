import { type Db, type IndexDescription } from 'mongodb'
import { type Clock } from '../clock.ts'
import { type DataSet } from '../plan/data-set.ts'
import { type DataSetResult } from '../results/schema.ts'
import { claimCollection } from '../targets/ownership.ts'

/** Bytes per batch: far below the 48 MB of a message, enough to make the round trip small. */
const batchBytes = 4 * 1024 * 1024
const batchDocuments = 1000
const batchesInFlight = 4

export type LoadProgress = (documents: number, ratePerSecond: number) => void

/** Creates a collection of ours, fills it with its rows, and builds its indexes. Outside of every timed window. */
export async function loadData(db: Db, dataSet: DataSet, { clock, signal, onProgress }: { readonly clock: Clock; readonly signal: AbortSignal; readonly onProgress: LoadProgress }): Promise<DataSetResult> {
  const { collection, options, rows, indexes } = dataSet.spec
  await claimCollection(db, collection)
  await db.createCollection(collection, { ...options } as Parameters<Db['createCollection']>[1])
  const startMs = clock.now()
  const bytes = await insertRows(db, dataSet, { clock, signal, onProgress })
  const loadSeconds = (clock.now() - startMs) / 1000
  const indexStartMs = clock.now()
  if (indexes.length > 0) await db.collection(collection).createIndexes(indexes as IndexDescription[])
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

async function insertRows(db: Db, { spec, documentOf }: DataSet, { clock, signal, onProgress }: { readonly clock: Clock; readonly signal: AbortSignal; readonly onProgress: LoadProgress }): Promise<number> {
  if (!documentOf || spec.rows === 0) return 0
  // One member's word is enough here: the settle step waits for the others.
  const collection = db.collection(spec.collection, { writeConcern: { w: 1 } })
  const startMs = clock.now()
  let next = 0
  let done = 0
  let bytes = 0

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
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      signal.throwIfAborted()
      await collection.insertMany(batch, { ordered: false })
      done += batch.length
      onProgress(done, (done / (clock.now() - startMs)) * 1000)
    }
  }

  await Promise.all(Array.from({ length: batchesInFlight }, insertBatches))
  return bytes
}
