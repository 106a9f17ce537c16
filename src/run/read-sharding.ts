import { type Binary, type MongoClient } from 'mongodb'
import { type VariantResult } from '../results/schema.ts'
import { type ShardingResult } from '../results/schema/servers.ts'
import { type Spec } from '../spec/schema/schema.ts'

type ShardedRow = Pick<VariantResult, 'phases' | 'server'> & {
  readonly spec: Pick<Spec, 'data'>
  readonly database: string
}
type CollectionPlacement = ShardingResult['collections'][number]
type Entry = { readonly _id: string; readonly key: NonNullable<CollectionPlacement['key']>; readonly uuid: Binary }

const look = { maxTimeMS: 10_000, readPreference: 'primary' } as const

/** How the collections that a row made lie on the shards of its cluster. Never throws: null where there is none, or no answer. */
export async function readSharding(client: MongoClient, row: ShardedRow): Promise<ShardingResult | null> {
  const { spec, database, phases, server } = row
  const names = spec.data.flatMap(({ existing, options, create, collection }) =>
    existing === undefined && options?.viewOn === undefined && create !== false ? collection : [],
  )
  if (!server?.cluster || names.length === 0) return null
  const status = client.db('admin').command({ balancerStatus: 1 })
  try {
    return {
      // Users may read data who may not ask for it.
      balancing: await status.then(
        ({ mode }) => mode !== 'off',
        () => null,
      ),
      collections: await Promise.all(names.map((name) => readPlaces(client, database, name))),
      writes: Object.fromEntries(server.cluster.shards.map(({ name }) => [name, countShardWrites(name, phases)])),
    }
  } catch {
    return null
  }
}

/** The parts of a collection by the answers of the shards, its chunks by the config servers. */
async function readPlaces(client: MongoClient, database: string, collection: string): Promise<CollectionPlacement> {
  const config = client.db('config')
  const ns = `${database}.${collection}`
  const entry = await config.collection<Entry>('collections').findOne({ _id: ns }, look)
  // By name until 4.4.
  const ofCollection = entry === null ? { ns } : { $or: [{ uuid: entry.uuid }, { ns }] }
  const chunks = await config.collection('chunks').find(ofCollection, look).project({ shard: 1 }).toArray()
  const stages = [{ $collStats: { storageStats: {} } }]
  const parts = await client.db(database).collection(collection).aggregate(stages, look).toArray()
  const shards = parts.map(({ shard, storageStats }) =>
    Object.assign(countOwned(storageStats as StorageStats), {
      shard: String(shard),
      chunks: chunks.filter((chunk) => chunk['shard'] === shard).length,
    }),
  )
  const inOrder = shards.toSorted((a, b) => a.shard.localeCompare(b.shard, 'en', { numeric: true }))
  return { collection, key: entry?.key ?? null, shards: inOrder }
}

type StorageStats = { readonly count?: number; readonly numOrphanDocs?: number; readonly size?: number }

/** Documents that a shard owns. The server counts orphans in both figures: their bytes are those of documents of the mean size. */
export const countOwned = ({ count = 0, numOrphanDocs = 0, size = 0 }: StorageStats) => ({
  documents: Number(count) - Number(numOrphanDocs),
  bytes: Math.round(Number(size) * (1 - Number(numOrphanDocs) / Math.max(1, Number(count)))),
})

/** Null: nothing was sampled there. */
function countShardWrites(shard: string, phases: VariantResult['phases']): number | null {
  const primaries = phases.flatMap(({ members }) =>
    members.filter(({ member, role }) => member.startsWith(`${shard}/`) && role === 'primary'),
  )
  const counts = primaries.flatMap(({ totals }) => totals.writeOps ?? [])
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
}
