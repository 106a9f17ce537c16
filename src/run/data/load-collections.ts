import type { Db } from 'mongodb'
import { sum } from '../../metrics/statistics.ts'
import type { DataSetResult } from '../../results/schema.ts'
import { claimCollections, dropClaimed } from '../../servers/targets/ownership.ts'
import type { DataSet } from '../../spec/plan/data-set.ts'
import type { IndexBuild } from './indexes.ts'
import { type InsertTarget, type Inserter, type Inserters, createInserters } from './inserter.ts'
import { type LoadContext, generatedBatches, insertBatches } from './load.ts'
import { type Cluster, type Filled, createDataResult, makeCollection, timed } from './make-collection.ts'

/** Collections that are made at the same time, each over a connection of its own. */
const atOnce = 8

/** Creates the collections of a data set that has several, and fills each with all of its rows. */
export async function loadCollections(
  db: Db,
  { spec, writeDocument }: DataSet,
  context: LoadContext & IndexBuild & { readonly cluster: Cluster },
): Promise<DataSetResult> {
  const { clock, signal, at, emit } = context
  const { collections = [] } = spec
  await claimCollections(db, collections)
  using inserters = createInserters({ db, collection: spec.collection, ordered: true }, clock)
  const startMs = clock.now()
  const made: DataSetResult[] = []
  let bytes = 0
  let next = 0

  async function makeCollections(): Promise<void> {
    try {
      using inserter = await inserters.open()
      for (let name = collections[next++]; name !== undefined && !signal.aborted; name = collections[next++])
        made.push(await makeOne(name, inserter))
    } catch (error) {
      // No other collection is begun.
      next = collections.length
      throw error
    }
  }

  async function makeOne(collection: string, inserter: Inserter): Promise<DataSetResult> {
    // The commands for one of them show those for all.
    const onSent = collection === collections[0] ? context.onSent : () => {}
    const into = { db, collection, ordered: true }
    const { result } = await makeCollection(db, { ...spec, collection }, () => fill(inserter, into), {
      ...context,
      onSent,
    })
    const documents = sum(made.map(({ rows }) => rows)) + result.rows
    const ratePerSecond = (documents / (clock.now() - startMs)) * 1000
    emit({
      kind: 'load',
      at,
      collection: spec.collection,
      documents,
      of: spec.rows * collections.length,
      ratePerSecond,
    })
    return result
  }

  async function fill(inserter: Inserter, into: InsertTarget): Promise<Filled> {
    if (writeDocument === undefined) return { source: 'generated', rows: 0, meanDocumentBytes: null }
    const inserted = await insertBatches(onlyInto(inserter, into), generatedBatches(writeDocument, spec.rows), {
      clock,
      signal,
      inOrder: true,
      onProgress: () => {},
    })
    bytes += inserted.bytes
    return { source: 'generated', rows: inserted.documents, meanDocumentBytes: null }
  }

  const workers = Array.from({ length: Math.min(atOnce, collections.length) }, makeCollections)
  const { seconds } = await timed(clock, settleAll(workers))
  signal.throwIfAborted()
  const rows = sum(made.map((one) => one.rows))
  // Collections are made at the same time, and so are their indexes.
  const indexSeconds = sum(made.map((one) => one.indexSeconds)) / workers.length
  const meanDocumentBytes = rows > 0 ? bytes / rows : null
  return createDataResult(spec, { source: 'generated', rows, meanDocumentBytes }, seconds - indexSeconds, indexSeconds)
}

/** Waits for all of them, so that nothing is sent after one has failed. */
async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work)
  await Promise.all(work)
}

/** A connection that many collections use in turn. */
const onlyInto = (inserter: Inserter, into: InsertTarget): Inserters => ({
  open: async () => ({ insert: (batch) => inserter.insert(batch, into), [Symbol.dispose]: () => {} }),
  [Symbol.dispose]: () => {},
})

/**
 * Drops the collections of data sets that have several: of a server that is not ours nothing else would. What cannot be dropped,
 * because the server is gone, the next run of the spec drops.
 */
export async function dropCollections(db: Db, dataSets: readonly DataSet[]): Promise<void> {
  const names = dataSets.flatMap(({ spec }) => spec.collections ?? [])
  if (names.length > 0) await dropClaimed(db, new Set(names)).catch(() => {})
}
