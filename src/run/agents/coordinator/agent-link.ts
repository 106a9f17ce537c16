import type { Redis } from 'ioredis'
import { z } from 'zod'
import { importOptional } from '../../../core/optional-package.ts'
import type { UnitPart } from '../../../load/load-unit.ts'
import { unpackError } from '../../../load/threads/messages.ts'
import { agentChannel, expireQueue, keptForSeconds, noticeKey, queuePrefix, removeQueue } from '../keys.ts'
import {
  agentLost,
  type AgentAnswer,
  type AgentNotice,
  type AgentReply,
  type AgentRequest,
  type Announcement,
  agentReply,
} from '../messages.ts'
import { pack, unpack } from '../pack.ts'
import type { RedisLink } from '../redis.ts'
import type { Replies } from './replies.ts'

type Pending = {
  readonly resolve: (answer: AgentAnswer) => void
  readonly reject: (error: unknown) => void
  readonly onPart: (part: UnitPart) => void
}

/** How a coordinator speaks with one agent of its run. */
export type AgentLink = {
  /** Unique among the agents of the run. */
  readonly name: string
  readonly agent: Announcement
  /** Rejects with what the agent has thrown, or with why it is lost. */
  readonly ask: (request: AgentRequest, onPart?: (part: UnitPart) => void) => Promise<AgentAnswer>
  readonly notify: (notice: AgentNotice) => void
  /** Nothing more is expected of it: what is asked for now and later rejects with the reason. */
  readonly markLost: (reason: Error) => void
  /** Aborts then, with that reason. */
  readonly lost: AbortSignal
  /** Removes what it has in the queue. */
  readonly close: () => Promise<void>
}

/** Opens the queue of one agent in a run. */
export async function linkToAgent(
  { agent, name, run }: { readonly agent: Announcement; readonly name: string; readonly run: string },
  redis: RedisLink,
  replies: Replies,
): Promise<AgentLink> {
  const { Queue } = await importOptional(() => import('bullmq'))
  const connection = { connection: redis.client, prefix: queuePrefix(run) }
  const queue = new Queue(agent.id, { ...connection, skipMetasUpdate: true, skipVersionCheck: true })
  const pending = new Map<string, Pending>()
  const lost = new AbortController()
  let asked = 0

  const markLost = (reason: Error): void => {
    if (lost.signal.aborted) return
    lost.abort(reason)
    for (const { reject } of pending.values()) reject(reason)
    pending.clear()
  }
  // Redis may be gone for a while: what that means is decided by the heartbeat.
  queue.on('error', () => undefined)
  replies.follow(agent.id, ({ request, packed }) => {
    const one = pending.get(request)
    if (one === undefined) return
    try {
      const reply = parseReply(packed, name)
      if (reply.kind === 'part') return one.onPart(reply.part)
      pending.delete(request)
      if (reply.kind === 'failed') one.reject(unpackError(reply.error))
      else one.resolve(reply)
    } catch (error) {
      markLost(error instanceof Error ? error : new Error(String(error)))
    }
  })

  async function send(request: AgentRequest, jobId: string): Promise<void> {
    const data = { request: pack(request).toString('base64') }
    // A request is sent once, and run once: an agent that fails has lost its share.
    await queue.add(request.kind, data, { jobId, attempts: 1, removeOnComplete: true, removeOnFail: true })
    await expireQueue(redis.client, queue, jobId)
  }

  return {
    name,
    agent,
    markLost,
    lost: lost.signal,
    ask: (request, onPart = () => {}) =>
      new Promise((resolve, reject) => {
        if (lost.signal.aborted) return reject(lost.signal.reason)
        asked += 1
        const jobId = `request-${asked}`
        pending.set(jobId, { resolve, reject, onPart })
        send(request, jobId).catch(markLost)
      }),
    notify: (notice) => void sendNotice(redis.client, { run, agent: agent.id, notice }),
    close: () => removeQueue(queue),
  }
}

/** The channel makes it quick; the key makes sure that an agent that has missed it learns of it within a second. */
async function sendNotice(
  client: Redis,
  { run, agent, notice }: { readonly run: string; readonly agent: string; readonly notice: AgentNotice },
): Promise<void> {
  await client
    .multi()
    .hset(noticeKey(run, agent), notice.phase, JSON.stringify(notice))
    .expire(noticeKey(run, agent), keptForSeconds)
    .publish(agentChannel(agent), JSON.stringify({ kind: 'look' }))
    .exec()
    .catch(() => undefined)
}

/** @throws {Problem} for what is not as agreed. */
function parseReply(packed: Buffer, name: string): AgentReply {
  try {
    return agentReply.parse(unpack(packed))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw agentLost(name, `sent what no agent sends (${reason})`)
  }
}
