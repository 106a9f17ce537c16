import { expect, test } from 'vitest'
import { chooseServers } from '../../../src/servers/faults/choose-servers.ts'
import { type FaultContext, type FaultyServer } from '../../../src/servers/faults/fault.ts'
import { imposeOn, pairsAcross, pairsOfLinks } from '../../../src/servers/faults/links-between.ts'
import { fail } from '../../fakes/fail.ts'

const servers = ['member0', 'member1', 'member2'].map((name, i) => ({
  name,
  role: i === 0 ? ('primary' as const) : ('secondary' as const),
  term: null,
}))

const context: FaultContext = {
  find: async (words) =>
    chooseServers(words, servers, () => 0).map((name): FaultyServer => ({
      name,
      control: undefined,
      command: () => fail(name),
    })),
  onUndo: () => fail('nothing is done'),
  links: undefined,
  over: new AbortController().signal,
}

test('links between groups are cut, and those inside of one are not', async () =>
  expect(await pairsAcross([['primary'], ['secondaries', 'client']], context)).toEqual([
    [0, 'client'],
    [0, 1],
    [0, 2],
  ]))

test.each([
  ['a member that two groups name is in the first', ['minority'], ['all'], '[[0,1],[0,2]]'],
  ['a member that is in no group keeps all links', ['member1'], ['member2'], '[[1,2]]'],
  ['a client may be a group', ['client'], ['primary'], '[["client",0]]'],
])('%s', async (_what, one, other, pairs) =>
  expect(JSON.stringify(await pairsAcross([one, other], context))).toBe(pairs),
)

test('links are each of one side with each of the other, once, and none with itself', async () => {
  const links = [
    { from: ['all'], to: ['member1'] },
    { from: ['member1', 'client'], to: ['member0'] },
  ]
  expect(await pairsOfLinks(links, context)).toEqual([
    [1, 0],
    [2, 1],
    ['client', 0],
  ])
})

test('a fault that would be done to no link says so', async () => {
  const conditions = { impose: () => fail('nothing is changed'), lift: () => fail('nothing is changed') }
  const links = { conditions } as unknown as NonNullable<FaultContext['links']>
  const pairs = await pairsOfLinks([{ from: ['primary'], to: ['member0'] }], context)
  await expect(imposeOn(pairs, { kind: 'cut' }, { ...context, links })).rejects.toSay('fault-no-link')
})

test('a member of a cluster keeps the name of its shard', async () => {
  const ofShard = servers.map(({ name, role, term }) => ({ name: `shard1/${name}`, role, term }))
  const find: FaultContext['find'] = async (words) =>
    chooseServers(words, ofShard, () => 0).map((name) => ({ name, control: undefined, command: () => fail(name) }))
  expect(await pairsAcross([['shard1/primary'], ['shard1/member2', 'client']], { ...context, find })).toEqual([
    ['shard1/member0', 'client'],
    ['shard1/member0', 'shard1/member2'],
  ])
})
