import { expect, test } from 'vitest'
import { targetSpec } from '../../../../src/servers/targets/index.ts'
import {
  joinCommands,
  type PlacedSet,
  planSets,
  type SetPlan,
} from '../../../../src/servers/targets/sharded/cluster-plan.ts'

function planOf(fields: object): readonly SetPlan[] {
  const spec = targetSpec.parse({ kind: 'sharded', ...fields })
  if (spec.kind !== 'sharded') throw new Error('Expected a cluster')
  return planSets(spec)
}

const namesOf = (plans: readonly SetPlan[]): readonly string[] =>
  plans.flatMap(({ requests }) => requests.map(({ name }) => name))

/** Hosts with the names of their servers. */
const placedByName = (set: SetPlan): PlacedSet => ({ ...set, hosts: set.requests.map(({ name }) => name) })

test('a cluster has two shards and a config server, each one member, unless the spec says otherwise', () => {
  const config = ['config/member0', 'config/member1', 'config/member2']
  expect(namesOf(planOf({}))).toEqual(['config/member0', 'shard0/member0', 'shard1/member0'])
  expect(namesOf(planOf({ shards: 1, configServers: 3 }))).toEqual([...config, 'shard0/member0'])
  const unequal = namesOf(planOf({ shards: [{ members: 2 }, {}] }))
  expect(unequal).toEqual(['config/member0', 'shard0/member0', 'shard0/member1', 'shard1/member0'])
})

test("a member's options go before those of its shard, and these before those of the target", () => {
  const plans = planOf({
    server: { cacheGB: 1, directIO: false, version: '6.0' },
    shards: [
      { server: { directIO: true, oplogMB: 100 }, members: [{ server: { oplogMB: 200 } }, {}] },
      { server: { binary: 'mine' } },
    ],
  })
  const options = plans.flatMap(({ requests }) => requests.map((request) => request.options))
  expect(options).toMatchObject([
    { cacheGB: 1, directIO: false, oplogMB: 990, version: '6.0' },
    { cacheGB: 1, directIO: true, oplogMB: 200, version: '6.0' },
    { cacheGB: 1, directIO: true, oplogMB: 100, version: '6.0' },
    { cacheGB: 1, directIO: false, binary: 'mine' },
  ])
  expect(options[3]).not.toHaveProperty('version')
})

test('the default write concern is said before a shard with an arbiter is added', () => {
  const plans = planOf({ shards: [{}, { members: [{}, {}, { arbiter: true }] }] })
  expect(joinCommands(plans.map(placedByName))).toEqual([
    { setDefaultRWConcern: 1, defaultWriteConcern: { w: 1 } },
    { addShard: 'shard0/shard0/member0', name: 'shard0' },
    { addShard: 'shard1/shard1/member0,shard1/member1,shard1/member2', name: 'shard1' },
  ])
})

test('config servers have options of their own, such as a folder, and chunks a size', () => {
  const size = { q: { _id: 'chunksize' }, u: { $set: { value: 8 } } }
  const [config, shard] = planOf({ server: { dbPath: '/data', oplogMB: 100 }, configServer: { dbPath: '/config' } })
  expect(config?.requests[0]?.options).toMatchObject({ dbPath: '/config', oplogMB: 100 })
  expect(shard?.requests[0]?.options).toMatchObject({ dbPath: '/data', oplogMB: 100 })
  expect(joinCommands(planOf({ shards: 1 }).map(placedByName), 8)).toEqual([
    { update: 'settings', updates: [{ ...size, upsert: true }], $db: 'config' },
    { addShard: 'shard0/shard0/member0', name: 'shard0' },
  ])
})

test.each([
  ['no shards', { shards: 0 }],
  ['no config servers', { configServers: 0 }],
  ['no routers', { routers: 0 }],
  ['a shard that has no primary', { shards: [{ members: [{ arbiter: true }] }] }],
  ['a link to a member that is not there', { shards: [{ links: [{ from: ['client'], to: [1], rttMs: 5 }] }] }],
  ['an unknown field of a shard', { shards: [{ replicas: 3 }] }],
])('a cluster with %s is refused', (_what, fields) =>
  expect(targetSpec.safeParse({ kind: 'sharded', ...fields }).success).toBe(false),
)
