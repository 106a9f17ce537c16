import { expect, test } from 'vitest'
import { shardBlocks } from '../../../src/report/blocks/shards.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { blocksMarkdown } from '../../../src/report/markdown/render.ts'
import { collectEnvironmentFacts } from '../../../src/report/prose/environment.ts'
import { type ShardingResult } from '../../../src/results/schema/servers.ts'
import { fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const onShards = (count: number): ShardingResult => ({
  balancing: false,
  collections: [
    {
      collection: 'events',
      key: { at: 1, place: 'hashed' },
      shards: Array.from({ length: count }, (_, i) => ({
        shard: `shard${i}`,
        documents: 50 + i,
        bytes: 1024 ** 2 * (i + 1),
        chunks: 1,
      })),
    },
  ],
  writes: { shard0: 7, shard1: null },
})

const resultOf = (sharding: ShardingResult | null) => fakeResult({ variants: [fakeVariant({ sharding })] })

function shown(sharding: ShardingResult | null): string {
  const result = resultOf(sharding)
  return blocksMarkdown(shardBlocks(evaluateReport(result)))
}

test('each shard is shown with what it holds, and a long table is folded', () => {
  const table = shown(onShards(2)).replaceAll(/ +/g, ' ')
  expect(table).toContain('| Collection | Shard | Documents | Size (MB) | Chunks | Write commands of the shard |')
  expect(table).toContain('| events | shard0 | 50 | 1 | 1 | 7 |')
  expect(table).toContain('| events | shard1 | 51 | 2 | 1 | |')
  expect(table).not.toContain('<details>')
  expect(shown(onShards(13))).toContain('<summary>What each shard held (13 lines)</summary>')
})

test('a result that is not of a cluster has no table of shards', () => {
  expect(shown(null)).toBe('')
})

test('the settings have the shard key, the balancer and the servers of a cluster', () => {
  const { server } = fakeVariant()
  const shards = [
    { name: 'shard0', members: 3 },
    { name: 'shard1', members: 3 },
  ]
  const cluster = { shards, routers: 2, configServers: null }
  const variant = fakeVariant({ sharding: onShards(2), server: server && { ...server, cluster } })
  const facts = new Map(
    collectEnvironmentFacts(fakeResult({ variants: [variant] })).map(({ name, value }) => [name, value]),
  )
  expect(facts.get('Shard keys')).toBe('events: {at: 1, place: hashed}')
  expect(facts.get('Balancer')).toBe('off')
  expect(facts.get('Members of shards')).toBe('3')
  expect(facts.get('Routers')).toBe('2')
  expect(facts.has('Config servers')).toBe(false)
})
