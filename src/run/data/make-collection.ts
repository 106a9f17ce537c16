import type { Db, Document } from 'mongodb'
import type { Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { fixedValue } from '../../language/values/fixed-value.ts'
import { methodsIn } from '../../load/engines/engine.ts'
import { replyTraits } from '../../load/engines/reply-traits.ts'
import type { PhasePlan } from '../../load/plan/plan.ts'
import type { DataSetResult } from '../../results/schema.ts'
import { claimCollection } from '../../servers/targets/ownership.ts'
import { type ShardingSpec, shardKeyIndexes, shardingCommands } from '../../spec/plan/sharding-commands.ts'
import type { DataSetSpec } from '../../spec/schema/data-schema.ts'
import { type BuiltIndexes, type IndexBuild, type OnSent, explained, fitIndexes } from './indexes.ts'

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

/** How a target is asked and told what concerns all of it. */
export type Cluster = {
  readonly admin: (command: Document) => Promise<Document>
  readonly startedByUs: boolean
  /** Whether the balancer of the row is to run, for all its collections. Undefined: the row does not say. */
  readonly balancer: boolean | undefined
  readonly onSent: OnSent
}

/** @throws {Problem} where data is to be sharded and nothing is there that can, or the balancer of others is not as it is to be. */
export async function requireRouter(data: readonly DataSetSpec[], cluster: Cluster): Promise<void> {
  const wanting = data.find(({ sharding }) => sharding !== undefined)
  if (wanting === undefined) return
  if ((await cluster.admin({ hello: 1 }))['msg'] === 'isdbgrid') return await refuseOtherBalancer(cluster)
  throw new Problem(
    'spec-invalid',
    `"${wanting.collection}" is to be sharded, but the server is not the router of a sharded cluster`,
    { hint: 'Let the URI lead to a mongos, or take "sharding" out of the spec.' },
  )
}

/** Shards a collection that has just been created, and puts its chunks where they belong. */
export async function shardCollection(
  database: string,
  { collection, options }: DataSetSpec,
  sharding: ShardingSpec,
  cluster: Cluster,
): Promise<void> {
  const { admin, startedByUs, balancer = true, onSent } = cluster
  const commands = shardingCommands({
    namespace: `${database}.${collection}`,
    spec: sharding,
    shards: await shardsFor(sharding, cluster),
    balancer: startedByUs ? balancer : undefined,
    hasCollation: options?.['collation'] !== undefined,
  })
  for (const command of commands) {
    const [name] = Object.keys(command)
    await explained(`"${name}" of "${collection}"`, admin({ ...(fixedValue(command) as Document) }))
  }
  onSent(collection, commands)
}

/** The names of the shards in their order: "shard10" comes after "shard9". */
async function shardsFor({ chunksTo = [] }: ShardingSpec, { admin }: Cluster): Promise<readonly string[]> {
  if (chunksTo.length === 0) return []
  const { shards } = await admin({ listShards: 1 })
  const names = (shards as readonly Document[])
    .map(({ _id }) => String(_id))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const missing = chunksTo.find((shard) => shard >= names.length)
  if (missing === undefined) return names
  throw new Problem(
    'spec-invalid',
    `"chunksTo" names shard ${missing}, and the cluster has ${names.length}, counted from 0: ${names.join(', ')}`,
    { hint: 'Correct "sharding" in the spec, or measure a cluster of more shards.' },
  )
}

const isOn = async ({ admin }: Cluster): Promise<boolean> => (await admin({ balancerStatus: 1 }))['mode'] !== 'off'

/** Lets the balancer of a cluster of ours work, or rest, once all collections of a row are in their places. */
export async function switchBalancer(data: readonly DataSetSpec[], cluster: Cluster): Promise<void> {
  const sharded = data.find(({ sharding }) => sharding !== undefined)
  const { balancer: wanted = true } = cluster
  if (sharded === undefined || !cluster.startedByUs || (await isOn(cluster)) === wanted) return
  const command = wanted ? { balancerStart: 1 } : { balancerStop: 1 }
  await cluster.admin({ ...command })
  cluster.onSent(sharded.collection, [command])
}

/** A cluster that mongo-perf did not start keeps its setting. */
async function refuseOtherBalancer(cluster: Cluster): Promise<void> {
  const { balancer } = cluster
  if (balancer === undefined || cluster.startedByUs) return
  const isOnThere = await isOn(cluster)
  if (isOnThere === balancer) return
  const [is, wanted, helper] = isOnThere ? ['on', 'off', 'sh.stopBalancer()'] : ['off', 'on', 'sh.startBalancer()']
  throw new Problem('refused', `The balancer of the cluster is ${is}, and the spec measures with it ${wanted}`, {
    hint: `mongo-perf does not switch it on a cluster that it did not start: run ${helper} in mongosh, or take "balancer" out of the spec.`,
  })
}
