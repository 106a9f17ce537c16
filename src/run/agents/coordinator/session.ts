import { randomUUID } from 'node:crypto'
import { atMost, type Clock } from '../../../core/clock.ts'
import { sum } from '../../../metrics/statistics.ts'
import { type UriContext, reachExisting } from '../../../servers/targets/existing/reach-existing.ts'
import type { TargetSpec } from '../../../servers/targets/index.ts'
import type { SpecRow } from '../../../spec/fold/read-rows.ts'
import type { LoadedSpec } from '../../../spec/load-spec.ts'
import { deploymentIdentity } from '../deployment-identity.ts'
import { type WatchTimes, agentChannel, announcementKey, beatsPerExpiry, claimKey, noticeKey } from '../keys.ts'
import { parseAnnouncement } from '../list-agents.ts'
import { agentLost, type AgentRequest, type Announcement, type SpecWork } from '../messages.ts'
import type { RedisLink } from '../redis.ts'
import { watchClocks } from './agent-clocks.ts'
import { type AgentLink, linkToAgent } from './agent-link.ts'
import { askOnDeployment } from './agent-unit.ts'
import { askInTime } from './ask-in-time.ts'
import { type Replies, openReplies } from './replies.ts'
import { sendRecording } from './send-recording.ts'
import { type SentWork, type StartUnits, createAgentUnits, createSpecWork } from './units-of-agents.ts'
import { type AgentState, type AgentStatus, watchAgents } from './watch-agents.ts'

type Claims = { readonly redis: RedisLink; readonly run: string; readonly links: readonly AgentLink[] }

/** Renews a claim that is still its own. A claim that has gone is not made again: the agent has ended its load. */
const renew = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end`

/** Gives up a claim, if it is still its own. */
const release = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`

/** Renews the claims, and sees what has become of the agents. */
async function keepClaims(
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
async function releaseClaims({ redis, run, links }: Claims): Promise<void> {
  const commands = redis.client.multi()
  for (const { agent } of links) {
    commands.eval(release, 1, claimKey(agent.id), run).del(noticeKey(run, agent.id))
    commands.publish(agentChannel(agent.id), JSON.stringify({ kind: 'look' }))
  }
  await commands.exec()
}

/** Time for an answer, as long as for preparing a phase: the same is looked at. */
const answerMs = 60_000

/** Questions to agents before the data of a spec is loaded. */
type BeforeLoad = {
  readonly work: SpecWork
  /** Variable of the URI. */
  readonly uriFrom: string
  /** Looks which deployment the coordinator reaches by it. */
  readonly deployment: () => Promise<string>
  /** How much longer the answer may take. Default: 0. */
  readonly patienceMs?: number
  readonly clock: Pick<Clock, 'now' | 'sleep'>
}

/**
 * Asks each agent whether it could run a spec: whether its machine allows that, and its URI leads to the same deployment.
 * @throws {Problem} with the name of an agent that could not.
 */
export async function askBeforeLoad(
  links: readonly Pick<AgentLink, 'name' | 'ask' | 'markLost'>[],
  { work, uriFrom, deployment, patienceMs = 0, clock }: BeforeLoad,
): Promise<void> {
  const known = await deployment()
  const firstReplyTimeoutMs = answerMs + patienceMs
  const missing = `has not looked at the spec for ${Math.round(firstReplyTimeoutMs / 1000)} s`
  const timeouts = { firstReplyTimeoutMs, missing }
  await Promise.all(
    links.map(async (link) => {
      const ask = (one: string) => {
        const request: AgentRequest = { kind: 'check', work, uriFrom, deployment: one }
        return askInTime(link, request, { timeouts, clock })
      }
      const { kind } = await askOnDeployment({ name: link.name, deployment: known, lookAgain: deployment, ask })
      if (kind !== 'done') throw agentLost(link.name, `answered "${kind}" instead of "done"`)
    }),
  )
}

/** A recording that agents replay. */
export type SentReplay = {
  readonly file: string
  /** How they replay it. */
  readonly given: unknown
  /** How much longer they may need to be ready, since they read the recording first. */
  readonly patienceMs: number
  /** Ends the sending. */
  readonly signal: AbortSignal
}

/** Agents that one coordinator has claimed. Disposing gives them back, and takes all traces of the run out of Redis. */
export type AgentSession = AsyncDisposable & {
  readonly names: readonly string[]
  readonly threads: number
  /** Aborts when agents are lost; its reason is a `Problem`. */
  readonly lost: AbortSignal
  /** Sends all of them what they replay from then on, in the place of what operations are. @throws {Problem} "aborted" */
  readonly send: (replay: SentReplay) => Promise<void>
  /** @throws {Problem} when an agent could not run the spec on those targets. */
  readonly check: (spec: LoadedSpec, targets: readonly TargetSpec[], context: UriContext) => Promise<void>
  readonly unitsOf: (spec: LoadedSpec, row: SpecRow) => StartUnits
}

export type SessionOptions = {
  readonly redis: RedisLink
  /** Agents that were claimed for the run, each for itself alone. */
  readonly run: string
  readonly agents: readonly Announcement[]
  readonly times: WatchTimes
  readonly clock: Clock
}

/** Opens the queues of agents that were claimed, and watches over them until it is disposed. */
export async function openSession({ redis, run, agents, times, clock }: SessionOptions): Promise<AgentSession> {
  const names = distinctNames(agents)
  const listener = await redis.another()
  const replies = await openReplies(redis, run, clock)
  const links = await Promise.all(
    agents.map((agent, i) => linkToAgent({ agent, name: names[i] ?? agent.id, run }, redis, replies)),
  )
  const clocks = await watchClocks({ listener, client: redis.client, run, clock })
  const ending = new AbortController()
  const lost = new AbortController()
  let looks = 0
  const watching = watchAgents({
    async look() {
      const statuses = await keepClaims({ redis, run, links }, times)
      looks += 1
      if (looks % beatsPerExpiry === 0) await replies.keep()
      return statuses
    },
    markLost(reason) {
      if (lost.signal.aborted) return
      for (const link of links) link.markLost(reason)
      lost.abort(reason)
      // Without a claim the others end their load at once.
      void releaseClaims({ redis, run, links }).catch(() => undefined)
    },
    times,
    clock,
    signal: ending.signal,
  })
  let phases = 0
  let sent: SentWork = { patienceMs: 0 }

  return {
    names,
    threads: sum(agents.map(({ threads }) => threads)),
    lost: lost.signal,
    async send({ file, given, patienceMs, signal }) {
      sent = { replay: { digest: await sendRecording(file, links, { clock, signal }), given }, patienceMs }
    },
    async check(spec, targets, context) {
      for (const uriFrom of new Set(targets.flatMap((one) => (one.kind === 'existing' ? one.uriFrom : [])))) {
        const { uri } = await reachExisting(uriFrom, context)
        await askBeforeLoad(links, {
          work: createSpecWork(spec, sent.replay),
          patienceMs: sent.patienceMs,
          uriFrom,
          deployment: () => deploymentIdentity(uri),
          clock,
        })
      }
    },
    unitsOf: (spec, row) => (of) =>
      createAgentUnits(of, { spec, row, number: (phases += 1), links, clocks, clock, ...sent }),
    async [Symbol.asyncDispose]() {
      ending.abort()
      await watching
      replies.stop()
      // Where one agent has refused, another may not have answered yet: no one waits for that.
      for (const link of links) link.markLost(new Error('The run is over'))
      // Of a server that is gone nothing can be taken out.
      if (redis.client.status === 'ready') await giveBack({ redis, run, links, replies, clock })
      listener.disconnect()
    },
  }
}

/** Two agents on one machine may have its name both. */
function distinctNames(agents: readonly Announcement[]): readonly string[] {
  const seen = new Map<string, number>()
  return agents.map(({ name }) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  })
}

const giveBackMs = 3000

async function giveBack({
  redis,
  run,
  links,
  replies,
  clock,
}: Claims & { readonly replies: Replies; readonly clock: Clock }): Promise<void> {
  const goAway = async (): Promise<void> => {
    await releaseClaims({ redis, run, links })
    await Promise.all(links.map((link) => link.close()))
    await replies.remove()
  }
  await atMost(giveBackMs, goAway(), clock)
}

/** The id of a run, for keys and channels. */
export const newRunId = (): string => randomUUID()
