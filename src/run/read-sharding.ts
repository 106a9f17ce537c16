import { type Binary, type MongoClient } from 'mongodb'
import { type PhaseResult } from '../results/schema.ts'
import { type ServerInfo, type ShardingResult } from '../results/schema/servers.ts'
import { type Spec } from '../schema/schema.ts'

const maxLookMs = 10_000

type Row = {
  readonly spec: Pick<Spec, 'data'>
  /** The database of the run. */
  readonly database: string
  readonly phases: readonly PhaseResult[]
  readonly server: Pick<ServerInfo, 'cluster'>
}

/** How the collections that a row made lie on the shards of its cluster. Never throws: null where there is none, or no answer. */
export async function readSharding(
  client: MongoClient,
  { spec, database, phases, server: { cluster } }: Row,
): Promise<ShardingResult | null> {
  const names = spec.data.flatMap(({ existing, options, create, collection }) =>
    existing === undefined && options?.viewOn === undefined && create !== false ? collection : [],
  )
  if (cluster === null || names.length === 0) return null
  try {
    const collections = await Promise.all(names.map((name) => placesOf(client, database, name)))
    const writes = Object.fromEntries(cluster.shards.map(({ name }) => [name, writesOf(name, phases)]))
    return { balancing: await isBalancing(client), collections, writes }
  } catch {
    return null
  }
}

type Places = ShardingResult['collections'][number]
type ShardKey = NonNullable<Places['key']>

/** Its parts by the answers of the shards, its chunks by the config servers. */
async function placesOf(client: MongoClient, database: string, collection: string): Promise<Places> {
  const config = client.db('config')
  const namespace = `${database}.${collection}`
  const look = { maxTimeMS: maxLookMs, readPreference: 'primary' } as const
  const entry = await config
    .collection<{ _id: string; key: ShardKey; uuid: Binary }>('collections')
    .findOne({ _id: namespace }, look)
  // By name until 4.4.
  const which = entry === null ? null : { $or: [{ uuid: entry.uuid }, { ns: namespace }] }
  const chunks =
    which === null
      ? []
      : await config
          .collection('chunks')
          .find(which, { ...look, projection: { shard: 1 } })
          .toArray()
  const parts = await client
    .db(database)
    .collection(collection)
    .aggregate([{ $collStats: { storageStats: {} } }], look)
    .toArray()
  return {
    collection,
    key: entry?.key ?? null,
    shards: parts
      .map(({ shard, storageStats }) => ({
        shard: String(shard),
        documents: Number(storageStats?.count ?? 0) - Number(storageStats?.numOrphanDocs ?? 0),
        bytes: Number(storageStats?.size ?? 0),
        chunks: chunks.filter((chunk) => chunk['shard'] === shard).length,
      }))
      .toSorted((a, b) => a.shard.localeCompare(b.shard, 'en', { numeric: true })),
  }
}

/** Null: the user may not ask. */
const isBalancing = (client: MongoClient): Promise<boolean | null> =>
  client
    .db('admin')
    .command({ balancerStatus: 1 })
    .then(
      ({ mode }) => mode !== 'off',
      () => null,
    )

/** Null: nothing was sampled there. */
function writesOf(shard: string, phases: readonly PhaseResult[]): number | null {
  const counts = phases.flatMap(({ members }) =>
    members.flatMap(({ member, role, totals }) =>
      member.startsWith(`${shard}/`) && role === 'primary' ? (totals.writeOps ?? []) : [],
    ),
  )
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
}
