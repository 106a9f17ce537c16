import { type Collection, type Db, type Document, type MongoClient } from 'mongodb'
import { sum } from '../metrics/statistics.ts'
import { type Storage } from '../results/schema/servers.ts'
import { markerCollection } from '../servers/targets/ownership.ts'
import { type RunningTarget } from '../servers/targets/target.ts'
import { type DataSet } from '../spec/plan/data-set.ts'
import { type Spec } from '../spec/schema/schema.ts'
import { tryCheckpoint } from './settle.ts'

const maxCheckpointMs = 60_000
const maxLookMs = 10_000

type CollectionSize = Storage['collections'][number]

/** Whether a table, a chart or a threshold shows sizes on disk. Reading them costs a checkpoint, which only such a run should pay. */
export const tellsStorage = ({ report, thresholds }: Pick<Spec, 'report' | 'thresholds'>): boolean =>
  /"storage\.\w/.test(JSON.stringify([report, thresholds]))

type NamedCollection = { readonly collection: string; readonly of: Collection }

/**
 * Reads the size of the collections of a row on disk: those of its database, and existing ones, wherever they lie. On servers of ours a checkpoint goes before,
 * for until then files do not have the size that their data need. Never throws: null where the size of one of them is not known, as of a view.
 */
export async function readStorage(
  client: MongoClient,
  database: string,
  dataSets: readonly Pick<DataSet, 'spec' | 'namespace'>[],
  { startedByUs }: Pick<RunningTarget, 'startedByUs'>,
): Promise<Storage | null> {
  const db = client.db(database)
  const afterCheckpoint = startedByUs && (await tryCheckpoint(db, { maxTimeMS: maxCheckpointMs })) === undefined
  try {
    const existing = dataSets
      .filter(({ spec }) => spec.existing !== undefined)
      .map(({ spec: { collection }, namespace }) => ({
        collection,
        of: client.db(namespace.database).collection(namespace.collection),
      }))
    const namedCollections = [...(await collectionsIn(db)), ...existing]
    const sizes = await Promise.all(namedCollections.map(readCollectionSize))
    return { collections: addSizes(sizes, dataSets), afterCheckpoint }
  } catch {
    return null
  }
}

/** Adds the sizes of the collections of a data set that has several, under its name. */
function addSizes(sizes: readonly CollectionSize[], dataSets: readonly Pick<DataSet, 'spec'>[]): CollectionSize[] {
  const sets = new Map(dataSets.flatMap(({ spec }) => (spec.collections ?? []).map((name) => [name, spec.collection])))
  const byName = new Map<string, CollectionSize>()
  for (const one of sizes) {
    const size = { ...one, collection: sets.get(one.collection) ?? one.collection }
    const before: Readonly<Record<string, unknown>> = byName.get(size.collection) ?? {}
    const added = Object.entries(size).map(([name, value]) => {
      const other = before[name]
      return [name, typeof value === 'number' && typeof other === 'number' ? value + other : value]
    })
    byName.set(size.collection, Object.fromEntries(added) as CollectionSize)
  }
  return [...byName.values()]
}

/** A time-series collection is listed as one, and once more by the collection of its buckets. */
async function collectionsIn(db: Db): Promise<readonly NamedCollection[]> {
  const listed = await db.listCollections({}, { signal: AbortSignal.timeout(maxLookMs) }).toArray()
  return listed
    .filter(({ name, type }) => type !== 'view' && name !== markerCollection && !name.startsWith('system.'))
    .map(({ name }) => ({ collection: name, of: db.collection(name) }))
    .toSorted((a, b) => (a.collection < b.collection ? -1 : 1))
}

const look = { maxTimeMS: maxLookMs, readPreference: 'primary' } as const

/** A collection of a sharded cluster has an answer from each shard that holds a part of it. */
async function readCollectionSize({ collection, of }: NamedCollection): Promise<CollectionSize> {
  const answers = (await of.aggregate([{ $collStats: { storageStats: {} } }], look).toArray()).map(
    ({ storageStats }) => storageStats as Document | undefined,
  )
  const total = (field: string, from = answers): number => sum(from.map((stats) => statistic(stats, field)))
  const series = answers.map((stats) => stats?.['timeseries'] as Document | undefined)
  const isSeries = series.some((stats) => stats !== undefined)
  return {
    collection,
    // Servers count the buckets of a time series, and not what is in them.
    documents: isSeries ? await of.countDocuments({}, look).catch(() => null) : total('count'),
    buckets: isSeries ? total('bucketCount', series) : null,
    documentBytes: total('size'),
    dataBytes: total('storageSize'),
    indexBytes: total('totalIndexSize'),
  }
}

function statistic(stats: Document | undefined, field: string): number {
  const value: unknown = stats?.[field]
  if (value === undefined) throw new Error(`The server does not report ${field}`)
  return Number(value)
}
