import { expect, test } from 'vitest'
import {
  type Conditions,
  conditionsInShards,
  createConditions,
  type LinkCondition,
} from '../../../../src/servers/targets/links/conditions.ts'
import { type Pair } from '../../../../src/servers/targets/links/delays.ts'
import { type LinkNow } from '../../../../src/servers/targets/links/start-proxies.ts'

/** Links as the proxies were told last, by their ends. */
function setUp(): { readonly links: Record<string, LinkNow>; readonly to: Conditions } {
  const links: Record<string, LinkNow> = {}
  const to = createConditions(async (order) => {
    if (order.kind !== 'link') return
    const { one, other, state, rttMs } = order
    links[`${one}-${other}`] = { state, rttMs }
  })
  return { links, to }
}

const pair: Pair = ['client', 1]
const cut = (): LinkCondition => ({ kind: 'cut' })
const stall = (): LinkCondition => ({ kind: 'stalled' })
const slow = (rttMs: number): LinkCondition => ({ kind: 'delay', rttMs })

test.each([
  ['a cut', cut(), { state: 'cut', rttMs: 0 }],
  ['a stall', stall(), { state: 'stalled', rttMs: 0 }],
  ['a delay', slow(20), { state: 'open', rttMs: 20 }],
])('%s holds until it is lifted', async (_what, condition, meanwhile) => {
  const { links, to } = setUp()
  await to.impose(pair, condition)
  expect(links).toEqual({ 'client-1': meanwhile })
  await to.lift(pair, condition)
  expect(links).toEqual({ 'client-1': { state: 'open', rttMs: 0 } })
})

test('of two cuts the one that is lifted leaves the other, from whichever end they are named', async () => {
  const { links, to } = setUp()
  const [first, second] = [cut(), cut()]
  await to.impose([0, 1], first)
  await to.impose([1, 0], second)
  await to.lift([0, 1], first)
  expect(links['0-1']).toMatchObject({ state: 'cut' })
  await to.lift([0, 1], second)
  expect(links['0-1']).toMatchObject({ state: 'open' })
})

test('a cut wins over a stall, which goes on after it', async () => {
  const { links, to } = setUp()
  const [held, gone] = [stall(), cut()]
  await to.impose(pair, held)
  await to.impose(pair, gone)
  expect(links['client-1']).toMatchObject({ state: 'cut' })
  await to.lift(pair, gone)
  expect(links['client-1']).toMatchObject({ state: 'stalled' })
})

test('delays add up', async () => {
  const { links, to } = setUp()
  const [some, more] = [slow(20), slow(5)]
  await to.impose(pair, some)
  await to.impose(pair, more)
  expect(links['client-1']).toEqual({ state: 'open', rttMs: 25 })
  await to.lift(pair, some)
  expect(links['client-1']).toEqual({ state: 'open', rttMs: 5 })
})

test('what is done to one link is not done to another, and may be lifted before it was imposed', async () => {
  const { links, to } = setUp()
  const condition = cut()
  await to.impose([0, 1], condition)
  await to.lift([0, 2], condition)
  expect([links['0-1']?.state, links['0-2']?.state]).toEqual(['cut', 'open'])
})

test('in a cluster each link is changed by the proxies of its shard', async () => {
  const shards = ['shard0', 'shard1'].map((name) => ({ name, set: setUp() }))
  const to = conditionsInShards(new Map(shards.map(({ name, set }) => [name, set.to])))
  const condition = cut()
  await to.impose(['shard1/member0', 'shard1/member2'], condition)
  await to.impose(['client', 'shard0/member1'], condition)
  await to.lift(['client', 'shard0/member1'], condition)
  expect(shards.map(({ set }) => set.links)).toEqual([
    { 'client-1': { state: 'open', rttMs: 0 } },
    { '0-2': { state: 'cut', rttMs: 0 } },
  ])
  const between = to.impose(['shard0/member0', 'shard1/member0'], condition)
  await expect(between).rejects.toSay('link-without-proxy', { one: 'shard0/member0', other: 'shard1/member0' })
})
