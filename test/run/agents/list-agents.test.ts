import { expect, test } from 'vitest'
import { announcementKey } from '../../../src/run/agents/keys.ts'
import { listAgents } from '../../../src/run/agents/list-agents.ts'
import { anAnnouncement } from '../../fakes/an-announcement.ts'

async function listed(...announced: readonly (object | string)[]) {
  const ids = announced.map((_, i) => `a${i}`)
  const texts = new Map(
    announced.map((one, i) => [announcementKey(`a${i}`), typeof one === 'string' ? one : JSON.stringify(one)]),
  )
  return await listAgents({
    smembers: async () => ids,
    mget: async (keys) => keys.map((key) => texts.get(key) ?? null),
    srem: async () => 0,
  })
}

const named = (name: string) => ({ ...anAnnouncement, name })

test('agents are listed by name, without those that were stopped and what is no agent', async () => {
  const agents = await listed(named('south'), named('north'), { ...named('gone'), isStopped: true }, 'nonsense', {})
  expect(agents.map(({ name }) => name)).toEqual(['north', 'south'])
})

test('what would steer a terminal is spelled out in names, versions and runs', async () => {
  const steering = { ...anAnnouncement, name: 'a\u001b[2Jb', version: '1\n2', run: '\u202Er' }
  expect(await listed(steering)).toMatchObject([{ name: 'a\\u001b[2Jb', version: '1\\u000a2', run: '\\u202er' }])
})
