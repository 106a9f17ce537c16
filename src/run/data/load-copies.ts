import { type Db } from 'mongodb'
import { type Namespace, resolveDatabase } from '../../load/engines/intent.ts'
import { sum } from '../../metrics/statistics.ts'
import { type DataSetResult } from '../../results/schema.ts'
import { claimBeside, claimCollections, dropClaimed } from '../../servers/targets/ownership.ts'
import { type DataSet } from '../../spec/plan/data-set.ts'
import { type IndexBuild } from './indexes.ts'
import { createInserters, type Inserter, type Inserters, type InsertTarget } from './inserter.ts'
import { generatedBatches, insertBatches, type LoadContext } from './load.ts'
import { type Filled, makeCollection, timed } from './make-collection.ts'
import { type Cluster } from './shard-collection.ts'

/** Copies that are made at the same time, each over a connection of its own. */
const copiesAtOnce = 8

type CopiesContext = LoadContext & IndexBuild & { readonly cluster: Cluster }

const chooseDatabase = (db: Db, copy: Namespace): Db => db.client.db(resolveDatabase(copy, db.databaseName))

/** Creates the collections of a data set in copies, and fills each with all of its rows. */
export async function loadCopies(db: Db, dataSet: DataSet, context: CopiesContext): Promise<DataSetResult> {
  const { spec } = dataSet
  const { clock, signal, at, emit } = context
  const copies = [...(dataSet.copies?.values() ?? [])]
  await claimCopies(db, copies)
  using inserters = createInserters({ db, collection: spec.collection, ordered: true }, clock)
  const startMs = clock.now()
  const made: DataSetResult[] = []
  let bytes = 0
  let next = 0

  async function makeCopies(): Promise<void> {
    try {
      using inserter = await inserters.open()
      for (let copy = copies[next++]; copy !== undefined && !signal.aborted; copy = copies[next++])
        made.push(await makeCopy(copy, inserter))
    } catch (error) {
      // No other copy is begun.
      next = copies.length
      throw error
    }
  }

  async function makeCopy(copy: Namespace, inserter: Inserter): Promise<DataSetResult> {
    const own = { db: chooseDatabase(db, copy), collection: copy.collection, ordered: true }
    // The commands for one of them show those for all.
    const onSent = copy === copies[0] ? context.onSent : () => {}
    const { result } = await makeCollection(
      own.db,
      { ...spec, collection: copy.collection },
      () => fill(inserter, own),
      { ...context, onSent },
    )
    const documents = sum(made.map(({ rows }) => rows)) + result.rows
    const ratePerSecond = (documents / (clock.now() - startMs)) * 1000
    emit({ kind: 'load', at, collection: spec.collection, documents, of: spec.rows * copies.length, ratePerSecond })
    return result
  }

  async function fill(inserter: Inserter, into: InsertTarget): Promise<Filled> {
    const { writeDocument } = dataSet
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

  const workers = Array.from({ length: Math.min(copiesAtOnce, copies.length) }, makeCopies)
  const { seconds } = await timed(clock, settleAll(workers))
  signal.throwIfAborted()
  const rows = sum(made.map((one) => one.rows))
  // Copies are made at the same time, and so are their indexes.
  const indexSeconds = sum(made.map((one) => one.indexSeconds)) / workers.length
  const loadSeconds = seconds - indexSeconds
  return {
    collection: spec.collection,
    source: 'generated',
    rows,
    meanDocumentBytes: rows > 0 ? bytes / rows : null,
    loadSeconds,
    documentsPerSecond: rows > 0 ? rows / loadSeconds : null,
    indexes: made[0]?.indexes ?? [],
    indexSeconds,
    samples: [],
  }
}

/** Waits for all of them, so that nothing is sent after one has failed. */
async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  const failure = (await Promise.allSettled(work)).find((end) => end.status === 'rejected')
  if (failure !== undefined) throw failure.reason
}

/** A connection that many copies use in turn. */
const onlyInto = (inserter: Inserter, into: InsertTarget): Inserters => ({
  open: async () => ({ insert: (batch) => inserter.insert(batch, into), [Symbol.dispose]: () => {} }),
  [Symbol.dispose]: () => {},
})

async function claimCopies(db: Db, copies: readonly Namespace[]): Promise<void> {
  const besides = new Set(copies.flatMap(({ beside }) => beside ?? []))
  if (besides.size > 0) await claimBeside(db, [...besides])
  for (const beside of besides.size > 0 ? besides : [undefined]) {
    const here = copies.filter((copy) => copy.beside === beside)
    await claimCollections(
      chooseDatabase(db, { database: undefined, beside, collection: '' }),
      here.map(({ collection }) => collection),
    )
  }
}

/**
 * Drops the copies of data sets, and the databases that were made for them: of a server that is not ours nothing else would. What
 * cannot be dropped, because the server is gone, the next run of the spec drops.
 */
export async function dropCopies(db: Db, dataSets: readonly DataSet[]): Promise<void> {
  const copies = dataSets.flatMap((dataSet) => [...(dataSet.copies?.values() ?? [])])
  if (copies.length > 0) await dropClaimed(db, new Set(copies.map(({ collection }) => collection))).catch(() => {})
}
