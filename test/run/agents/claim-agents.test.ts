import { describe, expect, test } from 'vitest'
import { languageDigest, toolVersion } from '../../../src/core/versions.ts'
import { claimAgents, type ClaimClient, refuseOthers } from '../../../src/run/agents/coordinator/claim-agents.ts'
import { agentIds, announcementKey, claimKey, watchTimes } from '../../../src/run/agents/keys.ts'
import { type Announcement } from '../../../src/run/agents/messages.ts'
import { anAnnouncement } from '../../fakes/an-announcement.ts'
import { steppedClock } from '../../fakes/stepped-clock.ts'

const nodeMajor = Number(process.versions.node.split('.')[0])

const agent = (name: string, more: Partial<Announcement> = {}): Announcement => ({
  ...anAnnouncement,
  id: `id-${name}`,
  name,
  version: toolVersion(),
  language: languageDigest(),
  nodeMajor,
  ...more,
})

/** The few commands of Redis that claiming needs, in memory; agents follow their claims when they are asked to look. */
function fakeRedis(agents: readonly Announcement[], follows: (name: string) => boolean = () => true) {
  const keys = new Map(agents.map((one) => [announcementKey(one.id), JSON.stringify(one)]))
  const client: ClaimClient = {
    smembers: async () => agents.map(({ id }) => id),
    srem: async (key) => (key === agentIds ? 1 : 0),
    mget: async (wanted) => wanted.map((key) => keys.get(key) ?? null),
    get: async (key) => keys.get(key) ?? null,
    async set(key, value) {
      if (keys.has(key)) return null
      keys.set(key, value)
      return 'OK'
    },
    del: async (gone) => gone.filter((key) => keys.delete(key)).length,
    pexpire: async () => 1,
    async publish(channel) {
      const found = agents.find(({ id }) => channel.endsWith(id))
      const run = found && keys.get(claimKey(found.id))
      if (found !== undefined && run !== undefined && follows(found.name))
        keys.set(announcementKey(found.id), JSON.stringify({ ...found, run }))
      return 1
    },
  }
  const claims = () => agents.flatMap(({ id, name }) => (keys.has(claimKey(id)) ? name : []))
  return { client, claims }
}

async function claim(client: ClaimClient, minAgents: number, signal = new AbortController().signal) {
  const clock = steppedClock()
  const waiting: number[] = []
  const onWaiting = (there: number): void => void waiting.push(there)
  const claiming = claimAgents({ client, run: 'r', minAgents, times: watchTimes, clock, signal, onWaiting })
  const outcome = claiming.then(
    (agents) => ({ names: agents.map(({ name }) => name), waiting }),
    (error: Error) => ({ error, waiting }),
  )
  await clock.pass(60_000)
  return await outcome
}

describe('claiming', () => {
  test('takes all agents that are idle, and leaves those of other runs alone', async () => {
    const { client, claims } = fakeRedis([agent('a'), agent('busy', { run: 'other' }), agent('b')])
    expect(await claim(client, 2)).toMatchObject({ names: ['a', 'b'] })
    expect(claims()).toEqual(['a', 'b'])
  })

  test('gives back an agent that does not follow, and goes on with the others where they are enough', async () => {
    const { client, claims } = fakeRedis([agent('a'), agent('hangs')], (name) => name !== 'hangs')
    expect(await claim(client, 1)).toMatchObject({ names: ['a'] })
    expect(claims()).toEqual(['a'])
  })

  test('gives up after a while with how many there are, and keeps no claim', async () => {
    const { client, claims } = fakeRedis([agent('a'), agent('busy', { run: 'other' })])
    const error = expect.toSay('agents-too-few', { wanted: 2 })
    expect(await claim(client, 2)).toEqual({ error, waiting: [1] })
    expect(claims()).toEqual([])
  })

  test('refuses an agent of another version before it claims any', async () => {
    const { client, claims } = fakeRedis([agent('a'), agent('old', { version: '0.0.1' })])
    const versions = { agent: 'old', its: '0.0.1', own: toolVersion() }
    expect(await claim(client, 1)).toMatchObject({ error: expect.toSay('agent-of-other-version', versions) })
    expect(claims()).toEqual([])
  })

  test('ends when the user stops the run', async () => {
    const { client } = fakeRedis([])
    const claimed = await claim(client, 1, AbortSignal.abort())
    expect(claimed).toMatchObject({ error: expect.toSay('agents-wait-stopped') })
  })
})

test.each([
  ['agent-of-other-version', { version: '9.9.9' }, { its: '9.9.9', own: toolVersion() }],
  ['agent-of-other-node', { nodeMajor: 18 }, { its: 18, own: nodeMajor }],
  ['agent-of-other-language', { language: 'other' }, {}],
])('an agent that differs is refused by name: %s', (code, differs, data) => {
  expect(() => refuseOthers(agent('x', differs))).toSay(code, { agent: 'x', ...data })
})

test('an agent like this process is not refused', () => {
  expect(() => refuseOthers(agent('x'))).not.toThrow()
})
