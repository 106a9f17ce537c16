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
      shards: Array.from({ length: count }, (_, i) => {
        return { shard: `shard${i}`, documents: 50 + i, bytes: 1024 ** 2 * (i + 1), chunks: 1 }
      }),
    },
  ],
  writes: { shard0: 7, shard1: null },
})

const shown = (sharding: ShardingResult | null): string =>
  blocksMarkdown(shardBlocks(evaluateReport(fakeResult({ variants: [fakeVariant({ sharding })] }))))

test('each shard is shown with what it holds, and a long table is folded', () => {
  const table = shown(onShards(2)).replaceAll(/ +/g, ' ')
  expect(table).toHaveLine('shards-header')
  expect(table).toContain('| events | shard0 | 50 | 1 | 1 | 7 |')
  expect(table).toContain('| events | shard1 | 51 | 2 | 1 | |')
  expect(table).not.toContain('<details>')
  expect(shown(onShards(13))).toHaveLine('shards-folded', { lines: 13 })
})

test('a result that is not of a cluster has no table of shards', () => expect(shown(null)).toBe(''))

test('the settings have the shard key, the balancer and the servers of a cluster', () => {
  const { server } = fakeVariant()
  const shards = [
    { name: 'shard0', members: 3 },
    { name: 'shard1', members: 3 },
  ]
  const cluster = { shards, routers: 2, configServers: null }
  const variant = fakeVariant({ sharding: onShards(2), server: server && { ...server, cluster } })
  const facts = collectEnvironmentFacts(fakeResult({ variants: [variant] })).map(({ name, value }) => [name, value])
  expect(Object.fromEntries(facts)).toMatchObject({
    'Shard keys': 'events: {at: 1, place: hashed}',
    Balancer: 'off',
    'Members of shards': '3',
    Routers: '2',
  })
  expect(facts.flat()).not.toContain('Config servers')
})
