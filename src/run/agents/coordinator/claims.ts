import { agentChannel, announcementKey, claimKey, noticeKey, type WatchTimes } from '../keys.ts'
import { parseAnnouncement } from '../list-agents.ts'
import { type RedisLink } from '../redis.ts'
import { type AgentLink } from './agent-link.ts'
import { type AgentState, type AgentStatus } from './watch-agents.ts'

export type Claims = { readonly redis: RedisLink; readonly run: string; readonly links: readonly AgentLink[] }

/** Renews a claim that is still its own. A claim that has gone is not made again: the agent has ended its load. */
const renew = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end`

/** Gives up a claim, if it is still its own. */
const release = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`

/** Renews the claims, and sees what has become of the agents. */
export async function keepClaims(
  { redis, run, links }: Claims,
  { claimedForMs }: WatchTimes,
): Promise<readonly AgentStatus[]> {
  const commands = redis.client.pipeline()
  for (const { agent } of links)
    commands.eval(renew, 1, claimKey(agent.id), run, claimedForMs).get(announcementKey(agent.id))
  const replies = (await commands.exec()) ?? []
  return links.map(({ name }, i) => {
    const [claim, announcement] = [answered(replies[2 * i]), answered(replies[2 * i + 1])]
    return { name, isClaimed: claim === 1, state: getAgentState(announcement) }
  })
}

function getAgentState(announced: unknown): AgentState {
  if (typeof announced !== 'string') return 'silent'
  return parseAnnouncement(announced)?.isStopped ? 'stopped' : 'there'
}

/** A server that still loads its data, or has no memory left, answers with an error. */
function answered([error, value]: readonly [Error | null, unknown] = [new Error('No reply'), null]): unknown {
  if (error !== null) throw error
  return value
}

/** Agents end what they do for the run as soon as it has no claim on them. */
export async function releaseClaims({ redis, run, links }: Claims): Promise<void> {
  const commands = redis.client.multi()
  for (const { agent } of links) {
    commands.eval(release, 1, claimKey(agent.id), run).del(noticeKey(run, agent.id))
    commands.publish(agentChannel(agent.id), JSON.stringify({ kind: 'look' }))
  }
  await commands.exec()
}
