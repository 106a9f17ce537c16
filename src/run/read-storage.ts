import { type Db, type Document } from 'mongodb'
import { type Storage } from '../results/schema/servers.ts'
import { type Spec } from '../schema/schema.ts'
import { markerCollection } from '../targets/ownership.ts'
import { type RunningTarget } from '../targets/target.ts'
import { tryCheckpoint } from './checkpoint.ts'

const maxCheckpointMs = 60_000
const maxLookMs = 10_000

type CollectionSize = Storage['collections'][number]

/** Whether a table, a chart or a threshold shows sizes on disk. Reading them costs a checkpoint, which only such a run should pay. */
export const tellsStorage = ({ report, thresholds }: Pick<Spec, 'report' | 'thresholds'>): boolean =>
  /"storage\.\w/.test(JSON.stringify([report, thresholds]))

/**
 * What the collections of a database take on disk. On servers of ours a checkpoint goes before, for until then files do not
 * have the size that their data need. Never throws: null where the server does not report it.
 */
export async function readStorage(
  db: Db,
  { startedByUs }: Pick<RunningTarget, 'startedByUs'>,
): Promise<Storage | null> {
  const afterCheckpoint = startedByUs && (await tryCheckpoint(db, { maxTimeMS: maxCheckpointMs })) === undefined
  try {
    const names = await collectionNames(db)
    return { collections: await Promise.all(names.map((name) => sizeOf(db, name))), afterCheckpoint }
  } catch {
    return null
  }
}

async function collectionNames(db: Db): Promise<readonly string[]> {
  const listed = await db
    .listCollections({ type: 'collection' }, { nameOnly: true, signal: AbortSignal.timeout(maxLookMs) })
    .toArray()
  return listed
    .map(({ name }) => name)
    .filter((name) => name !== markerCollection && !name.startsWith('system.'))
    .toSorted()
}

/** A collection of a sharded cluster has an answer from each shard that holds a part of it. */
async function sizeOf(db: Db, collection: string): Promise<CollectionSize> {
  const stages = [{ $collStats: { storageStats: {} } }]
  const answers = await db
    .collection(collection)
    .aggregate(stages, { maxTimeMS: maxLookMs, readPreference: 'primary' })
    .toArray()
  const total = (field: string): number => answers.reduce((sum, answer) => sum + statistic(answer, field), 0)
  return {
    collection,
    documentBytes: total('size'),
    dataBytes: total('storageSize'),
    indexBytes: total('totalIndexSize'),
  }
}

const statistic = ({ storageStats }: Document, field: string): number => Number(storageStats?.[field] ?? 0)
