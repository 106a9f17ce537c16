import { type Db } from 'mongodb'
import { type Clock } from '../../core/clock.ts'
import { type JsonObject } from '../../core/json.ts'
import { fixedValue } from '../../language/values/fixed-value.ts'
import { methodsIn } from '../../load/engines/engine.ts'
import { replyTraits } from '../../load/engines/reply-traits.ts'
import { type PhasePlan } from '../../load/plan/plan.ts'
import { type DataSetResult } from '../../results/schema.ts'
import { claimCollection } from '../../servers/targets/ownership.ts'
import { shardKeyIndexes } from '../../spec/plan/sharding-commands.ts'
import { type DataSetSpec } from '../../spec/schema/data-schema.ts'
import { type BuiltIndexes, explained, fitIndexes, type IndexBuild } from './indexes.ts'
import { type Cluster, shardCollection } from './shard-collection.ts'

/** Origin and number of the documents. */
export type Filled = Pick<DataSetResult, 'source' | 'rows' | 'meanDocumentBytes'>

/** A collection of ours that is ready. */
export type Made = { readonly result: DataSetResult; readonly indexes: BuiltIndexes }

/**
 * Creates a collection of ours, shards it where it is to be, fills it, and builds its indexes, before or after. Outside of
 * every timed window. It has been claimed.
 * @param fill Puts the documents into it.
 */
export async function makeCollection(
  db: Db,
  spec: DataSetSpec,
  fill: () => Promise<Filled>,
  { clock, cluster, ...building }: { readonly clock: Clock; readonly cluster: Cluster } & IndexBuild,
): Promise<Made> {
  const { collection, create, options, indexBuild, sharding } = spec
  if (create !== false) {
    const given = (options ?? {}) as JsonObject
    const fixed = fixedValue(given) as JsonObject
    await explained(`the collection "${collection}"`, db.command({ create: collection, ...fixed }))
    building.onSent(collection, [{ create: collection, ...given, $db: db.databaseName }])
  }
  const first = await fitIndexes(db, { collection, indexes: shardKeyIndexes(spec) }, new Map(), building)
  if (sharding !== undefined) await shardCollection(db.databaseName, spec, sharding, cluster)
  const build = (): Promise<Timed<BuiltIndexes>> => timed(clock, fitIndexes(db, spec, first, building))
  const early = indexBuild === 'before' ? await build() : undefined
  const { value: filled, seconds } = await timed(clock, explained(`rows of "${collection}"`, fill()))
  const indexes = early ?? (await build())
  return { result: createDataResult(spec, filled, seconds, indexes.seconds), indexes: indexes.value }
}

export const createDataResult = (
  { collection, indexes }: Pick<DataSetSpec, 'collection' | 'indexes'>,
  filled: Filled,
  loadSeconds: number,
  indexSeconds: number,
): DataSetResult => ({
  collection,
  ...filled,
  loadSeconds,
  documentsPerSecond: loadSeconds > 0 && filled.rows > 0 ? filled.rows / loadSeconds : null,
  indexes: indexes.map(({ key }) => JSON.stringify(key)),
  indexSeconds,
  samples: [],
})

export type Timed<Value> = { readonly value: Value; readonly seconds: number }

/** Waits for work and measures its duration in seconds. */
export async function timed<Value>(clock: Clock, work: Promise<Value>): Promise<Timed<Value>> {
  const startMs = clock.now()
  const value = await work
  return { value, seconds: (clock.now() - startMs) / 1000 }
}

/**
 * Makes the buckets that a phase uses ours, with the indexes that GridFS wants. Left alone, the driver would make those
 * with the first upload, inside of the timed window, while others are already storing chunks.
 */
export async function prepareBuckets(db: Db, { operations }: PhasePlan): Promise<void> {
  const buckets = methodsIn(operations).flatMap(({ reply, collection }) =>
    replyTraits[reply].usesBucket ? [collection] : [],
  )
  for (const bucket of new Set(buckets)) {
    const [files, chunks] = [`${bucket}.files`, `${bucket}.chunks`]
    await claimCollection(db, files)
    await claimCollection(db, chunks)
    await db.collection(files).createIndex({ filename: 1, uploadDate: 1 })
    await db.collection(chunks).createIndex({ files_id: 1, n: 1 }, { unique: true })
  }
}
