import { type MongoClient } from 'mongodb'
import { type Json, type JsonObject } from '../../core/json.ts'
import { formatQuantity } from '../../core/quantities.ts'
import { type Hello, readHello } from '../../servers/targets/connection/members.ts'
import { type Draft } from './draft.ts'

/** The topology of the original server, as a target of the same kind. */
export type Topology = {
  readonly target: JsonObject
  /** "replica set of 3 members". */
  readonly name: string
  /** Members that can acknowledge one write. */
  readonly holders: number
  readonly notes: readonly string[]
}

/** A shard as in `config.shards`: "rs0/host:27018,host:27019". */
export type FoundShard = { readonly host: string }

/** Reads the topology. It needs no privilege beyond reading a collection, except through a mongos. */
export async function readTopology(client: MongoClient): Promise<Topology> {
  const hello = readHello(await client.db('admin').command({ hello: 1 }))
  return detectTopology(hello, hello.msg === 'isdbgrid' ? await readShards(client) : undefined)
}

/** Undefined if the user may not read them. */
async function readShards(client: MongoClient): Promise<readonly FoundShard[] | undefined> {
  try {
    return await client.db('config').collection<FoundShard>('shards').find().toArray()
  } catch {
    return undefined
  }
}

export function detectTopology(hello: Partial<Hello>, shards?: readonly FoundShard[]): Topology {
  if (hello.msg === 'isdbgrid') return createClusterTopology(shards ?? [])
  if (hello.setName === undefined)
    return { target: { kind: 'standalone' }, name: 'standalone server', holders: 1, notes: [] }
  return createReplicaSetTopology(hello)
}

/** The same spec with a target of the same kind as the original server. */
export function onSameTopology<Some extends Draft>(draft: Some, topology: Topology): Some {
  topology.notes.forEach(draft.notes.trail)
  return { ...draft, topology }
}

/** Limits of a target. */
const maxMembers = 7
const maxShards = 50

function createReplicaSetTopology({ hosts = [], passives = [], arbiters = [] }: Partial<Hello>): Topology {
  const members: JsonObject[] = [
    ...hosts.map(() => ({})),
    ...passives.map(() => ({ priority: 0 })),
    ...arbiters.map(() => ({ arbiter: true })),
  ]
  const kept = members.slice(0, maxMembers)
  const isPlain = kept.every((member) => Object.keys(member).length === 0)
  return {
    target: { kind: 'replicaSet', members: isPlain ? kept.length : kept },
    name: `replica set of ${formatQuantity(kept.length, 'member')}`,
    holders: kept.filter(({ arbiter }) => arbiter === undefined).length,
    notes:
      kept.length < members.length
        ? [`The set has ${members.length} members, and one that mongo-perf starts has at most ${maxMembers}.`]
        : [],
  }
}

function createClusterTopology(shards: readonly FoundShard[]): Topology {
  const sizes = shards.slice(0, maxShards).map(({ host }) => Math.min(maxMembers, host.split(',').length))
  const known: { readonly shards?: Json } = sizes.length > 0 ? { shards: sizes.map((members) => ({ members })) } : {}
  return {
    target: { kind: 'sharded', ...known },
    name: sizes.length > 0 ? `sharded cluster of ${formatQuantity(sizes.length, 'shard')}` : 'sharded cluster',
    holders: Math.min(...(sizes.length > 0 ? sizes : [1])),
    notes: [
      ...(sizes.length > 0 ? [] : ['The user of the URI may not read the number of shards: the spec starts two.']),
      'The spec does not shard the collection: if yours is sharded, add "sharding" with its shard key to "data".',
    ],
  }
}
