import { type Db } from 'mongodb'
import { type Clock } from '../../core/clock.ts'
import { type JsonObject } from '../../core/json.ts'
import { fixedValue } from '../../language/values/fixed-value.ts'
import { type DataSetResult } from '../../results/schema.ts'
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
    const fixed = fixedValue(given) as Parameters<Db['createCollection']>[1]
    await explained(`the collection "${collection}"`, db.createCollection(collection, { ...fixed }))
    building.onSent(collection, [{ create: collection, ...given, $db: db.databaseName }])
  }
  const first = await fitIndexes(db, { collection, indexes: shardKeyIndexes(spec) }, new Map(), building)
  if (sharding !== undefined) await shardCollection(db.databaseName, spec, sharding, cluster)
  const build = (): Promise<Timed<BuiltIndexes>> => timed(clock, fitIndexes(db, spec, first, building))
  const early = indexBuild === 'before' ? await build() : undefined
  const { value: filled, seconds } = await timed(clock, explained(`rows of "${collection}"`, fill()))
  const indexes = early ?? (await build())
  return {
    result: {
      collection,
      ...filled,
      loadSeconds: seconds,
      documentsPerSecond: filled.rows > 0 ? filled.rows / seconds : null,
      indexes: spec.indexes.map(({ key }) => JSON.stringify(key)),
      indexSeconds: indexes.seconds,
      samples: [],
    },
    indexes: indexes.value,
  }
}

/** A value, and the seconds that it took. */
export type Timed<Value> = { readonly value: Value; readonly seconds: number }

/** Waits for work and measures its duration in seconds. */
export async function timed<Value>(clock: Clock, work: Promise<Value>): Promise<Timed<Value>> {
  const startMs = clock.now()
  const value = await work
  return { value, seconds: (clock.now() - startMs) / 1000 }
}
