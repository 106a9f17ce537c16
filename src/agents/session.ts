import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { type Clock } from '../clock.ts'
import { type EvidenceRequest } from '../load/evidence.ts'
import { type LoadUnit } from '../load/load-unit.ts'
import { type LoadedSpec } from '../load-spec.ts'
import { packSamples } from '../load/packed-samples.ts'
import { type DataSet } from '../plan/data-set.ts'
import { type PhasePlan } from '../plan/plan.ts'
import { samplePaths } from '../plan/sample-paths.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type SpecRow } from '../schema/read-rows.ts'
import { agentLost, type AgentLink, linkToAgent } from './agent-link.ts'
import { createAgentUnit } from './agent-unit.ts'
import { type ClockOffset, clockOffset, type ClockReading } from './clock-offset.ts'
import { deploymentIdentity } from './deployment-identity.ts'
import { inTurns } from './in-turns.ts'
import { agentChannel, announcementKey, beatsPerExpiry, claimedForMs, claimKey, noticeKey, runChannel } from './keys.ts'
import { type Announcement, pong } from './messages.ts'
import { type RedisLink } from './redis.ts'
import { openReplies, type Replies } from './replies.ts'
import { splitShares } from './split-shares.ts'
import { type Sight, watchAgents } from './watch-agents.ts'

/** What the units of a phase are made from. */
export type PhaseOfAgents = {
  readonly phase: PhasePlan
  readonly spec: PhaseSpec
  readonly dataSets: readonly DataSet[]
  readonly evidence: readonly EvidenceRequest[]
  /** A secret: stays here. */
  readonly uri: string
}

/** Makes the units of a phase, one for each agent that has a share of it. */
export type StartUnits = (of: PhaseOfAgents) => Promise<readonly LoadUnit[]>

/** Agents that one coordinator has claimed. Disposing gives them back, and takes all traces of the run out of Redis. */
export type AgentSession = AsyncDisposable & {
  readonly names: readonly string[]
  readonly unitsOf: (spec: LoadedSpec, row: SpecRow) => StartUnits
}

/** What a session needs. */
export type SessionOptions = {
  readonly redis: RedisLink
  /** Agents that were claimed for the run, each for itself alone. */
  readonly run: string
  readonly agents: readonly Announcement[]
  readonly clock: Clock
}

const pings = 12
const pingMs = 2000
/** More answers at once would wait for each other here, and the clocks be known less well. */
const pingedAtOnce = 16

/** Opens the queues of agents that were claimed, and watches over them until it is disposed. */
export async function openSession({ redis, run, agents, clock }: SessionOptions): Promise<AgentSession> {
  const names = distinctNames(agents)
  const listener = await redis.another()
  const replies = await openReplies(redis, run, clock)
  const links = await Promise.all(
    agents.map((agent, i) => linkToAgent({ agent, name: names[i] ?? agent.id, run }, redis, replies)),
  )
  const pongs = await listenForPongs(listener, run, clock)
  const ending = new AbortController()
  let looks = 0
  const watching = watchAgents({
    async look() {
      const sights = await keepClaims({ redis, run, links })
      looks += 1
      if (looks % beatsPerExpiry === 0) await replies.keep()
      return sights
    },
    lose(reason) {
      if (links.every((link) => link.isLost())) return
      for (const link of links) link.lose(reason)
      // Without a claim the others end their load at once.
      void releaseClaims({ redis, run, links }).catch(() => undefined)
    },
    clock,
    signal: ending.signal,
  })
  const inTurn = inTurns(pingedAtOnce)
  let phases = 0
  let roundTripMs = 0

  async function offsetOf(link: AgentLink): Promise<ClockOffset> {
    const readings: ClockReading[] = []
    for (let i = 0; i < pings && !link.isLost(); i++) {
      const reading = await pongs.ping(link.agent.id, redis.client)
      if (reading !== undefined) readings.push(reading)
    }
    if (readings.length === 0) throw agentLost(link.name, 'does not answer')
    const offset = clockOffset(readings)
    roundTripMs = Math.max(roundTripMs, offset.roundTripMs)
    return offset
  }

  return {
    names,
    unitsOf: (spec, row) => async (of) => {
      const { phase, dataSets, evidence, uri } = of
      const deployment = (): Promise<string> => deploymentIdentity(uri)
      phases += 1
      const work = {
        spec: JSON.stringify(spec.effective),
        only: [...(spec.overrides.only ?? [])],
        existing: spec.overrides.existing === true,
        hash: spec.hash,
        row: spec.rows.findIndex(({ index }) => index === row.index),
        phase: row.spec.phases.indexOf(of.spec),
        deployment: await deployment(),
        firstRows: dataSets.map(({ numbers }) => numbers.next()),
        samples: packSamples(dataSets, samplePaths({ ...row.spec, phases: [of.spec] })),
        evidence: [...evidence],
      }
      const workers = phase.load.kind === 'findPeak' ? phase.load.from : phase.workers
      const shares = splitShares(
        links.map(({ agent }) => agent.threads),
        workers,
      )
      return links.flatMap((link, i) => {
        const own = shares[i] ?? []
        if (own.length === 0) return []
        return createAgentUnit({
          link,
          phase: `phase-${phases}`,
          work: { ...work, shares: [...own] },
          deadlineMs: phase.deadlineMs,
          offset: () => inTurn(() => offsetOf(link)),
          deployment,
          roundTripMs: () => roundTripMs,
          clock,
        })
      })
    },
    async [Symbol.asyncDispose]() {
      ending.abort()
      await watching
      replies.stop()
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

type Pongs = { readonly ping: (agent: string, client: Redis) => Promise<ClockReading | undefined> }

async function listenForPongs(listener: Redis, run: string, clock: Clock): Promise<Pongs> {
  const waiting = new Map<string, (reading: ClockReading) => void>()
  const asked = new Map<string, number>()
  let number = 0
  listener.on('message', (_channel: string, text: string) => {
    const answeredMs = clock.now()
    const wallMs = clock.date().getTime()
    const parsed = pong.safeParse(jsonOf(text))
    if (!parsed.success) return
    const key = `${parsed.data.agent} ${parsed.data.number}`
    const askedMs = asked.get(key)
    if (askedMs === undefined) return
    const { processMs, wallMs: theirs } = parsed.data
    waiting.get(key)?.({ askedMs, answeredMs, shownMs: processMs, wallAheadMs: theirs - wallMs })
  })
  await listener.subscribe(runChannel(run))
  return {
    async ping(agent, client) {
      number += 1
      const key = `${agent} ${number}`
      const giveUp = new AbortController()
      try {
        const reading = new Promise<ClockReading>((resolve) => waiting.set(key, resolve))
        asked.set(key, clock.now())
        await client.publish(agentChannel(agent), JSON.stringify({ kind: 'ping', run, number }))
        return await Promise.race([reading, clock.sleep(pingMs, giveUp.signal).then(() => undefined)])
      } finally {
        giveUp.abort()
        waiting.delete(key)
        asked.delete(key)
      }
    },
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Claims = { readonly redis: RedisLink; readonly run: string; readonly links: readonly AgentLink[] }

/** Renews a claim that is still its own. A claim that has gone is not made again: the agent has ended its load. */
const renew = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end`

/** Gives up a claim, if it is still its own. */
const release = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`

/** Renews the claims, and sees what has become of the agents. */
async function keepClaims({ redis, run, links }: Claims): Promise<readonly Sight[]> {
  const commands = redis.client.pipeline()
  for (const { agent } of links)
    commands.eval(renew, 1, claimKey(agent.id), run, claimedForMs).exists(announcementKey(agent.id))
  const replies = (await commands.exec()) ?? []
  return links.map(({ name }, i) => {
    const [claim, announcement] = [answered(replies[2 * i]), answered(replies[2 * i + 1])]
    return { name, isClaimed: claim === 1, isAnnounced: announcement === 1 }
  })
}

/** A server that still loads its data, or has no memory left, answers with an error. */
function answered([error, value]: readonly [Error | null, unknown] = [new Error('No reply'), null]): unknown {
  if (error !== null) throw error
  return value
}

const giveBackMs = 3000

/** Agents end what they do for the run as soon as it has no claim on them. */
async function releaseClaims({ redis, run, links }: Claims): Promise<void> {
  const commands = redis.client.multi()
  for (const { agent } of links) {
    commands.eval(release, 1, claimKey(agent.id), run).del(noticeKey(run, agent.id))
    commands.publish(agentChannel(agent.id), JSON.stringify({ kind: 'look' }))
  }
  await commands.exec()
}

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
  const done = new AbortController()
  await Promise.race([goAway().finally(() => done.abort()), clock.sleep(giveBackMs, done.signal)])
}

/** The id of a run, for keys and channels. */
export const newRunId = (): string => randomUUID()
