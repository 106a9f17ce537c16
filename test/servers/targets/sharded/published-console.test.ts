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
  expect(processes(spec.target)).toEqual([
    'mongod --bind_ip=127.0.0.1 --port=27117 --dbpath=own --configsvr --replSet=config',
    'mongod --bind_ip=127.0.0.1 --port=27118 --dbpath=/d0 --shardsvr --replSet=shard0',
    'mongod --bind_ip=127.0.0.1 --port=27119 --dbpath=/d1 --shardsvr --replSet=shard1',
    'mongod --bind_ip=127.0.0.1 --port=27120 --dbpath=/d2 --shardsvr --replSet=shard2',
    'mongod --bind_ip=127.0.0.1 --port=27121 --dbpath=/d3 --shardsvr --replSet=shard3',
    'mongod --bind_ip=127.0.0.1 --port=27122 --dbpath=/d4 --shardsvr --replSet=shard4',
    'mongos --bind_ip=127.0.0.1 --port=27123 --configdb=config/127.0.0.1:27117',
  ])
  const hosts = [0, 1, 2, 3, 4].map((shard) => `127.0.0.1:${27118 + shard}`)
  expect(initiations(spec.target)).toEqual([
    ['config', true, [[0, '127.0.0.1:27117']]],
    ...hosts.map((host, i) => [`shard${i}`, false, [[0, host]]]),
  ])
  const additions = hosts.map((host, i) => ({ addShard: `shard${i}/${host}`, name: `shard${i}` }))
  expect(joinCommands(placed(spec.target))).toEqual(additions)
  expect(collectionCommands(spec)).toEqual(splitAndPlaced)
})

test('five shards of three members are made as the original made them', async () => {
  const spec = await firstRow('sharded-replicated')
  const lines = processes(spec.target)
  expect(lines).toHaveLength(1 + 15 + 1)
  expect(lines.slice(0, 4)).toEqual([
    'mongod --bind_ip=127.0.0.1 --port=27117 --dbpath=own --configsvr --replSet=config',
    'mongod --bind_ip=127.0.0.1 --port=27118 --dbpath=/d0 --shardsvr --replSet=shard0',
    'mongod --bind_ip=127.0.0.1 --port=27119 --dbpath=/d1 --shardsvr --replSet=shard0',
    'mongod --bind_ip=127.0.0.1 --port=27120 --dbpath=/d2 --shardsvr --replSet=shard0',
  ])
  expect(lines.slice(-4)).toEqual([
    'mongod --bind_ip=127.0.0.1 --port=27130 --dbpath=/d4 --shardsvr --replSet=shard4',
    'mongod --bind_ip=127.0.0.1 --port=27131 --dbpath=/d0 --shardsvr --replSet=shard4',
    'mongod --bind_ip=127.0.0.1 --port=27132 --dbpath=/d1 --shardsvr --replSet=shard4',
    'mongos --bind_ip=127.0.0.1 --port=27133 --configdb=config/127.0.0.1:27117',
  ])
  const last = [0, 1, 2].map((member) => [member, `127.0.0.1:${27130 + member}`])
  expect(initiations(spec.target)).toContainEqual(['shard4', false, last])
  expect(joinCommands(placed(spec.target))).toEqual([
    { addShard: 'shard0/127.0.0.1:27118,127.0.0.1:27119,127.0.0.1:27120', name: 'shard0' },
    { addShard: 'shard1/127.0.0.1:27121,127.0.0.1:27122,127.0.0.1:27123', name: 'shard1' },
    { addShard: 'shard2/127.0.0.1:27124,127.0.0.1:27125,127.0.0.1:27126', name: 'shard2' },
    { addShard: 'shard3/127.0.0.1:27127,127.0.0.1:27128,127.0.0.1:27129', name: 'shard3' },
    { addShard: 'shard4/127.0.0.1:27130,127.0.0.1:27131,127.0.0.1:27132', name: 'shard4' },
  ])
  expect(collectionCommands(spec)).toEqual(splitAndPlaced)
})

test('no two members of a shard are on one drive', async () => {
  const { target } = await firstRow('sharded-replicated')
  const shards = planSets(target).filter(({ role }) => role === 'shardsvr')
  const drivesOf = shards.map(({ requests }) => new Set(requests.map(({ options }) => options.dbPath)).size)
  expect(drivesOf).toEqual([3, 3, 3, 3, 3])
})
