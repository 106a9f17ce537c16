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
  const words = chosen(['primary', 'member0', 'client', 'all'])
  expect(words).toEqual(['member1', 'member0', 'member2', 'member3', 'member4'])
})

const two = [server('member0', 'primary', 4), server('member1', 'primary', 5)]
const cluster = [
  server('config/member0', 'primary', 1),
  server('shard0/member0', 'primary', 1),
  server('shard1/member0', 'secondary'),
  server('shard1/member1', 'primary', 2),
]

test.each<[string, string, KnownServer[], string[]]>([
  ['of two primaries, the one of the later term', 'primary', two, ['member1']],
  ['no primary where there is none', 'primary', [server('member0', 'secondary')], []],
  ['none of those that do not answer', 'any', [server('member0', undefined)], []],
  ['no minority of two', 'minority', two, []],
  ['a server alone as its own primary', 'primary', [server('member0', 'standalone')], ['member0']],
  ['the primary of a shard', 'shard1/primary', cluster, ['shard1/member1']],
  ['a member of a shard', 'shard1/member0', cluster, ['shard1/member0']],
  ['all of a set of a cluster', 'config/all', cluster, ['config/member0']],
])('a word means %s', (_what, word, servers, expected) => expect(chosen(word, first, servers)).toEqual(expected))
