import { type Document, MinKey, MongoServerError } from 'mongodb'
import { expect, test } from 'vitest'
import { type Cluster, requireRouter, shardCollection, switchBalancer } from '../../../src/run/data/make-collection.ts'
import type { DataSetSpec } from '../../../src/spec/schema/data-schema.ts'
import { oneRow } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

type Changes = { startedByUs?: boolean; balancer?: boolean | undefined; answers?: Readonly<Record<string, Document>> }

/** Calls that are answered as a router answers them. */
function cluster({ startedByUs = true, balancer, answers = {} }: Changes = {}) {
  const sent: Document[] = []
  const told: unknown[] = []
  const replies: Readonly<Record<string, Document>> = {
    hello: { msg: 'isdbgrid' },
    listShards: { shards: [{ _id: 'shard10' }, { _id: 'shard2' }, { _id: 'shard1' }] },
    balancerStatus: { mode: 'full' },
    ...answers,
  }
  const target: Cluster = {
    admin: async (command) => {
      const [name = ''] = Object.keys(command)
      const reply = replies[name] ?? { ok: 1 }
      if (reply instanceof Error) throw reply
      sent.push(command)
      return reply
    },
    startedByUs,
    balancer,
    onSent: (collection, commands) => told.push(collection, commands),
  }
  return { ...target, sent, told }
}

function dataOf(sharding: object | undefined): DataSetSpec {
  const { data } = oneRow({
    target: { kind: 'existing' },
    data: { collection: 'things', document: { _id: { '@row': {} } }, sharding },
    phases: [{ name: 'write', stopAfter: { operations: 1 }, operations: [{ kind: 'insertOne' }] }],
  }).spec
  return data[0] ?? fail('no data set')
}

const shard = (sharding: object, on: Cluster): Promise<void> => {
  const data = dataOf(sharding)
  return shardCollection('db', data, data.sharding ?? fail('not sharded'), on)
}

test('the planned commands are sent in their order, with the types that they are written with, and told', async () => {
  const on = cluster({ balancer: false })
  await shard({ key: { a: 1 }, splitAt: [{ a: 'm' }], chunksTo: [1, 2] }, on)
  expect(on.sent).toEqual([
    { listShards: 1 },
    { balancerStop: 1 },
    { enableSharding: 'db' },
    { shardCollection: 'db.things', key: { a: 1 } },
    { split: 'db.things', middle: { a: 'm' } },
    { moveChunk: 'db.things', bounds: [{ a: 'm' }, { a: expect.anything() }], to: 'shard10' },
    { moveChunk: 'db.things', bounds: [{ a: new MinKey() }, { a: 'm' }], to: 'shard2' },
  ])
  expect(on.told[0]).toBe('things')
  expect(on.told[1]).toHaveLength(6)
  expect(JSON.stringify(on.told[1])).toContain('"bounds":[{"a":{"$minKey":1}},{"a":"m"}]')
})

test('what the router refuses is a fault of the spec, by the name of the command', async () => {
  const answers = { split: new MongoServerError({ message: 'not today' }) }
  const split = shard({ key: { a: 1 }, splitAt: [{ a: 5 }] }, cluster({ answers }))
  await expect(split).rejects.toSay('sharding-refused', { command: 'split', reason: 'not today' })
})

test('a chunk for a shard that is not there is refused before anything is sent', async () => {
  const on = cluster()
  const placed = shard({ key: { a: 1 }, splitAt: [{ a: 5 }], chunksTo: [0, 3] }, on)
  await expect(placed).rejects.toSay('sharding-no-such-shard', { shard: 3, there: 'shard1, shard2, shard10' })
  expect(on.sent).toEqual([{ listShards: 1 }])
})

test.each([
  [false, 'full', 'balancer-is-on'],
  [true, 'off', 'balancer-is-off'],
])("somebody else's balancer is not switched (%s where it is %s)", async (balancer, mode, code) => {
  const on = cluster({ startedByUs: false, balancer, answers: { balancerStatus: { mode } } })
  await expect(requireRouter([dataOf({ key: { a: 1 } })], on)).rejects.toSay(code)
  expect(on.sent).toEqual([{ hello: 1 }, { balancerStatus: 1 }])
})

test.each([
  [undefined, 'off'],
  [true, 'full'],
  [false, 'off'],
])('and is left as it is where the spec says so or nothing (%s where it is %s)', async (balancer, mode) => {
  const on = cluster({ startedByUs: false, balancer, answers: { balancerStatus: { mode } } })
  const data = dataOf({ key: { a: 1 } })
  await requireRouter([data], on)
  await shard({ key: { a: 1 } }, on)
  await switchBalancer([data], on)
  expect(on.sent.slice(-2)).toEqual([{ enableSharding: 'db' }, { shardCollection: 'db.things', key: { a: 1 } }])
  expect(on.sent.filter((command) => 'balancerStop' in command || 'balancerStart' in command)).toEqual([])
})

test.each([
  [false, 'full', [{ balancerStop: 1 }]],
  [undefined, 'off', [{ balancerStart: 1 }]],
  [false, 'off', []],
  [true, 'full', []],
])(
  'a balancer of ours is as the row wants it, though its collections were kept (%s where it is %s)',
  async (balancer, mode, commands) => {
    const on = cluster({ balancer, answers: { balancerStatus: { mode } } })
    await switchBalancer([dataOf({ key: { a: 1 } })], on)
    expect(on.sent).toEqual([{ balancerStatus: 1 }, ...commands])
    expect(on.told.slice(1)).toEqual(commands.length === 0 ? [] : [commands])
  },
)

test('only a router can shard, and nobody is asked where nothing is sharded', async () => {
  const alone = cluster({ answers: { hello: { isWritablePrimary: true } } })
  await expect(requireRouter([dataOf({ key: { a: 1 } })], alone)).rejects.toSay('sharding-without-router', {
    collection: 'things',
  })
  await requireRouter([dataOf(undefined)], alone)
  expect(alone.sent).toEqual([{ hello: 1 }])
  await expect(requireRouter([dataOf({ key: { a: 1 } })], cluster())).resolves.toBeUndefined()
})
