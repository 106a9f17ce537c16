import { expect, test } from 'vitest'
import { type JsonObject } from '../../../../src/core/json.ts'
import { mongodArguments } from '../../../../src/servers/targets/server/process/mongod-process.ts'
import { mongosArguments } from '../../../../src/servers/targets/server/process/mongos-process.ts'
import {
  createSetConfiguration,
  joinCommands,
  type PlacedSet,
  planSets,
  formatSeed,
  type SetPlan,
} from '../../../../src/servers/targets/sharded/cluster-plan.ts'
import { loadSpecFile, type Spec } from '../../../../src/spec/load-spec.ts'
import { balancerFor, shardingCommands } from '../../../../src/spec/plan/sharding-commands.ts'
import { fail } from '../../../fakes/fail.ts'

/**
 * What the stress test of 2011 printed when it made its clusters, in the words of today: config servers and single shards are
 * replica sets too, shards are added by the names of their sets, and the balancer rests while chunks are placed. Folders are
 * those of the five drives; the original had none for its config server.
 */
const firstPort = 27117
const drives = ['/d0', '/d1', '/d2', '/d3', '/d4']

type Cluster = Extract<Spec['target'], { kind: 'sharded' }>

async function firstRow(name: string): Promise<Spec & { readonly target: Cluster }> {
  const options = { profile: 'published', set: { drives } }
  const { rows } = await loadSpecFile(`fixtures/specs/stress-test/${name}.json`, options)
  const spec = rows[0]?.spec ?? fail('no row')
  const { target } = spec
  return target.kind === 'sharded' ? { ...spec, target } : fail('no cluster')
}

/** The servers of a cluster on ports counted up, as the original had them. */
function placed(target: Cluster): readonly PlacedSet[] {
  let port = firstPort
  const place = (set: SetPlan): PlacedSet => ({ ...set, hosts: set.requests.map(() => `127.0.0.1:${port++}`) })
  return planSets(target).map(place)
}

const shown = /^--(bind_ip|port|dbpath|configsvr|shardsvr|replSet|configdb)\b/

const portOf = (host = ''): number => Number(host.split(':')[1])

function processes(target: Cluster): readonly string[] {
  const sets = placed(target)
  const mongods = sets.flatMap(({ requests, hosts }) =>
    requests.map(({ options, replicaSet, clusterRole }, i) => {
      const place = { port: portOf(hosts[i]), data: options.dbPath ?? 'own', log: 'log', replicaSet, clusterRole }
      return ['mongod', ...mongodArguments(options, { ...place, platform: 'linux' })]
    }),
  )
  const routers = Array.from({ length: target.routers }, (_, i) => {
    const config = sets[0] ?? fail('no config servers')
    const place = { port: firstPort + mongods.length + i, log: 'log', platform: 'linux' } as const
    return ['mongos', ...mongosArguments({ configServers: formatSeed(config), scripting: false }, place)]
  })
  return [...mongods, ...routers].map(([program = '', ...args]) =>
    [program, ...args.filter((arg) => shown.test(arg))].join(' '),
  )
}

/** Name, flag for config servers, and members of each set as it is initiated. */
const initiations = (target: Cluster): readonly unknown[] =>
  placed(target).map((set) => {
    const { _id, configsvr, members } = createSetConfiguration(set) as Record<string, unknown> & {
      members: JsonObject[]
    }
    return [_id, configsvr ?? false, members.map((member) => [member['_id'], member['host']])]
  })

const collectionCommands = ({ data }: Spec): readonly JsonObject[] =>
  shardingCommands({
    namespace: 'MOSTDB.stress.test',
    spec: data[0]?.sharding ?? fail('not sharded'),
    shards: ['shard0', 'shard1', 'shard2', 'shard3', 'shard4'],
    balancer: balancerFor(data),
    hasCollation: false,
  })

const splitAndPlaced: readonly JsonObject[] = [
  { balancerStop: 1 },
  { enableSharding: 'MOSTDB' },
  { shardCollection: 'MOSTDB.stress.test', key: { g: 1 } },
  { split: 'MOSTDB.stress.test', middle: { g: 51.2 } },
  { split: 'MOSTDB.stress.test', middle: { g: 38.4 } },
  { split: 'MOSTDB.stress.test', middle: { g: 25.6 } },
  { split: 'MOSTDB.stress.test', middle: { g: 12.8 } },
  { moveChunk: 'MOSTDB.stress.test', find: { g: 57.6 }, to: 'shard4' },
  { moveChunk: 'MOSTDB.stress.test', find: { g: 44.8 }, to: 'shard3' },
  { moveChunk: 'MOSTDB.stress.test', find: { g: 32 }, to: 'shard2' },
  { moveChunk: 'MOSTDB.stress.test', find: { g: 19.2 }, to: 'shard1' },
  { moveChunk: 'MOSTDB.stress.test', find: { g: 6.4 }, to: 'shard0' },
]

test('five single shards are made as the original made them', async () => {
  const spec = await firstRow('sharded')
  expect(processes(spec.target)).toSay('published-console')
  const hosts = [0, 1, 2, 3, 4].map((shard) => `127.0.0.1:${27118 + shard}`)
  expect(initiations(spec.target)).toEqual([
    ['config', true, [[0, '127.0.0.1:27117']]],
    ...hosts.map((host, i) => [`shard${i}`, false, [[0, host]]]),
  ])
  const additions = hosts.map((host, i) => ({ addShard: `shard${i}/${host}`, name: `shard${i}` }))
  expect(joinCommands(placed(spec.target))).toEqual(additions)
  expect(collectionCommands(spec)).toEqual(splitAndPlaced)
})
