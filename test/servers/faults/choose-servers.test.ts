import { expect, test } from 'vitest'
import { chooseServers, type KnownServer, type Role } from '../../../src/servers/faults/choose-servers.ts'

const server = (name: string, role: Role | undefined, term: number | null = null): KnownServer => ({ name, role, term })
const set = [
  server('member0', 'secondary'),
  server('member1', 'primary', 3),
  server('member2', 'secondary'),
  server('member3', undefined),
  server('member4', 'arbiter'),
]
const first = (_limit: number) => 0
const last = (limit: number) => limit - 1
const chosen = (words: string | readonly string[], choose = first, servers = set) =>
  chooseServers([words].flat(), servers, choose)

test.each([
  ['primary', ['member1'], ['member1']],
  ['secondary', ['member0'], ['member2']],
  ['secondaries', ['member0', 'member2'], ['member0', 'member2']],
  ['any', ['member0'], ['member4']],
  ['minority', ['member0', 'member1'], ['member4', 'member3']],
  ['all', ['member0', 'member1', 'member2', 'member3', 'member4'], expect.anything()],
  ['member3', ['member3'], ['member3']],
  ['client', [], []],
])('"%s" stands for what servers say of themselves', (word, low, high) => {
  expect(chosen(word, first)).toEqual(low)
  expect(chosen(word, last)).toEqual(high)
})

test('several words stand for each server once', () => {
  expect(chosen(['primary', 'member0', 'client', 'all'])).toEqual([
    'member1',
    'member0',
    'member2',
    'member3',
    'member4',
  ])
})

test('of two primaries the one of the later term is meant', () => {
  expect(chosen('primary', first, [server('member0', 'primary', 4), server('member1', 'primary', 5)])).toEqual([
    'member1',
  ])
})

test('where nobody is it, a word stands for nobody', () => {
  expect(chosen('primary', first, [server('member0', 'secondary')])).toEqual([])
  expect(chosen('any', first, [server('member0', undefined)])).toEqual([])
  expect(chosen('minority', first, [server('member0', 'primary'), server('member1', 'secondary')])).toEqual([])
})

test('a server alone is its own primary', () => {
  expect(chosen('primary', first, [server('member0', 'standalone')])).toEqual(['member0'])
})

test('in a cluster a word is of its set alone', () => {
  const cluster = [
    server('config/member0', 'primary', 1),
    server('shard0/member0', 'primary', 1),
    server('shard1/member0', 'secondary'),
    server('shard1/member1', 'primary', 2),
  ]
  expect(chosen('shard1/primary', first, cluster)).toEqual(['shard1/member1'])
  expect(chosen('shard1/member0', first, cluster)).toEqual(['shard1/member0'])
  expect(chosen('config/all', first, cluster)).toEqual(['config/member0'])
})
