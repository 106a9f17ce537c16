import { type Document } from 'mongodb'
import { Problem } from '../../errors.ts'
import { type JsonObject } from '../../json.ts'
import { fixedValue } from '../../plan/fixed-value.ts'
import { type ShardingSpec, shardingCommands } from '../../plan/sharding-commands.ts'
import { type DataSetSpec } from '../../schema/data-schema.ts'
import { explained } from './refusals.ts'

/** How a target is asked and told what concerns all of it. */
export type Cluster = {
  /** Sends an admin command. */
  readonly admin: (command: Document) => Promise<Document>
  readonly startedByUs: boolean
  readonly onSharded: (collection: string, commands: readonly JsonObject[]) => void
}

/** @throws {Problem} where data is to be sharded and nothing is there that can. */
export async function requireRouter(data: readonly DataSetSpec[], { admin }: Cluster): Promise<void> {
  const wanting = data.find(({ sharding }) => sharding !== undefined)
  if (wanting === undefined || (await admin({ hello: 1 }))['msg'] === 'isdbgrid') return
  throw new Problem(
    'spec-invalid',
    `"${wanting.collection}" is to be sharded, and the server is no router of a sharded cluster`,
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
  const { admin, startedByUs, onSharded } = cluster
  const commands = shardingCommands({
    namespace: `${database}.${collection}`,
    spec: sharding,
    shards: await shardsFor(sharding, cluster),
    ownsBalancer: startedByUs,
    hasCollation: options?.collation !== undefined,
  })
  if (!startedByUs) await refuseOtherBalancer(sharding, cluster)
  for (const command of commands) {
    const [name] = Object.keys(command)
    await explained(`"${name}" of "${collection}"`, admin({ ...(fixedValue(command) as Document) }))
  }
  onSharded(collection, commands)
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

/** The balancer works for all that a cluster holds, and a cluster that mongo-perf did not start keeps its setting. */
async function refuseOtherBalancer({ balancer }: ShardingSpec, { admin }: Cluster): Promise<void> {
  if (balancer === undefined) return
  const isOn = (await admin({ balancerStatus: 1 }))['mode'] !== 'off'
  if (isOn === balancer) return
  const [is, wanted, helper] = isOn ? ['on', 'off', 'sh.stopBalancer()'] : ['off', 'on', 'sh.startBalancer()']
  throw new Problem('refused', `The balancer of the cluster is ${is}, and the spec measures with it ${wanted}`, {
    hint: `mongo-perf does not switch it on a cluster that it did not start: run ${helper} in mongosh, or take "balancer" out of the spec.`,
  })
}
