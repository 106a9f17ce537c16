import { expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { balancerFor, shardKeyIndexes, shardingCommands } from '../../../src/spec/plan/sharding-commands.ts'
import { oneRow } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

/** What is sent for a `sharding` as a spec has it. */
function commandsFor(
  given: object,
  {
    shards = ['a', 'b', 'c'],
    balancer,
    hasCollation = false,
  }: { readonly shards?: readonly string[]; readonly balancer?: boolean; readonly hasCollation?: boolean } = {},
): readonly JsonObject[] {
  const { data } = oneRow({
    target: { kind: 'existing' },
    data: { collection: 'things', document: { _id: { '@row': {} } }, sharding: given },
    phases: [{ name: 'write', stopAfter: { operations: 1 }, operations: [{ kind: 'insertOne' }] }],
  }).spec
  const spec = data[0]?.sharding ?? fail('not sharded')
  return shardingCommands({ namespace: 'db.things', spec, shards, balancer, hasCollation })
}

const movesFor = (given: object): readonly JsonObject[] =>
  commandsFor(given).filter((command) => 'moveChunk' in command)

/** On a cluster of ours. */
const names = (balancer: boolean): readonly string[] =>
  commandsFor({ key: { a: 1 } }, { balancer }).flatMap((command) => Object.keys(command)[0] ?? [])

test('a key alone leaves the rest to the server', () =>
  expect(commandsFor({ key: { customer: 'hashed' } })).toEqual([
    { enableSharding: 'db' },
    { shardCollection: 'db.things', key: { customer: 'hashed' } },
  ]))

test('a collation of the collection is not one of its key', () =>
  expect(commandsFor({ key: { a: 1 } }, { hasCollation: true })[1]).toEqual({
    shardCollection: 'db.things',
    key: { a: 1 },
    collation: { locale: 'simple' },
  }))

test('a balancer of ours rests while chunks are placed, and afterwards where it is to be off', () => {
  expect(names(true)).toEqual(['balancerStop', 'enableSharding', 'shardCollection', 'balancerStart'])
  expect(names(false)).toEqual(['balancerStop', 'enableSharding', 'shardCollection'])
})

test.each([
  [[undefined, false, undefined], false],
  [[true, undefined], true],
  [[undefined], undefined],
])('of collections that say %j one decision about the balancer is made: %s', (said, decision) => {
  const data = said.map((balancer) => ({ sharding: { key: { a: 1 as const }, splitAt: [], balancer } }))
  expect(balancerFor([...data, { sharding: undefined }])).toBe(decision)
})

test('indexes that begin with the shard key come before it, others after the load', () => {
  const keys = [{ a: 1 }, { a: 1, b: -1 }, { b: 1 }, { a: -1 }, { b: 1, a: 1 }] as const
  const indexes = keys.map((key) => ({ key, unique: true }))
  const first = shardKeyIndexes({ indexes, sharding: { key: { a: 1 }, splitAt: [] } })
  expect(first.map(({ key }) => key)).toEqual([{ a: 1 }, { a: 1, b: -1 }])
  expect(shardKeyIndexes({ indexes, sharding: undefined })).toEqual([])
})

test('a chunk between numbers is named by a point inside of it', () =>
  expect(movesFor({ key: { a: 1 }, splitAt: [{ a: 0 }, { a: 10 }], chunksTo: [2, 0, 1] })).toEqual([
    { moveChunk: 'db.things', find: { a: 15 }, to: 'b' },
    { moveChunk: 'db.things', find: { a: 5 }, to: 'a' },
    { moveChunk: 'db.things', find: { a: -5 }, to: 'c' },
  ]))

test('with several fields the point is inside too, whichever of them tells the chunks apart', () => {
  const splitAt = [
    { a: 1, b: 100 },
    { a: 1, b: 200 },
    { a: 2, b: 0 },
  ]
  const points = movesFor({ key: { a: 1, b: 1 }, splitAt, chunksTo: [0, 0, 0, 0] }).map(({ find }) => find)
  expect(points.toReversed()).toEqual([
    { a: 1, b: 50 },
    { a: 1, b: 150 },
    { a: 1.5, b: 100 },
    { a: 2.5, b: -100 },
  ])
})

test.each<[string, object]>([
  ['texts', { key: { a: 1 }, splitAt: [{ a: 'm' }, { a: 't' }], chunksTo: [0, 1, 2] }],
  ['dates', { key: { a: 1 }, splitAt: [{ a: { $date: '2026-01-01T00:00:00Z' } }], chunksTo: [0, 1] }],
  ['a single number', { key: { a: 1 }, splitAt: [{ a: 5 }], chunksTo: [0, 1] }],
])('chunks between %s are named by their bounds', (_what, given) => {
  const { splitAt } = given as { splitAt: readonly JsonObject[] }
  const edges = [{ a: { $minKey: 1 } }, ...splitAt, { a: { $maxKey: 1 } }]
  const bounds = movesFor(given).map((command) => command['bounds'])
  expect(bounds.toReversed()).toEqual(edges.slice(1).map((upper, i) => [edges[i], upper]))
})

test('a collection that is not split may have its one chunk on any shard', () =>
  expect(movesFor({ key: { a: 1, b: 1 }, chunksTo: [2] })).toEqual([
    {
      moveChunk: 'db.things',
      bounds: [
        { a: { $minKey: 1 }, b: { $minKey: 1 } },
        { a: { $maxKey: 1 }, b: { $maxKey: 1 } },
      ],
      to: 'c',
    },
  ]))
