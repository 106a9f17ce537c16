import type { Redis } from 'ioredis'
import { type QueueEvents } from 'bullmq'
import { z } from 'zod'
import { Problem } from '../errors.ts'
import { type UnitPart } from '../load/load-unit.ts'
import { unpackError } from '../load/messages.ts'
import { agentAnswer, type AgentAnswer, type AgentNotice, type AgentRequest, type Announcement } from './messages.ts'
import { agentChannel, keptForSeconds, noticeKey, queuePrefix } from './keys.ts'
import { pack, unpack } from './pack.ts'
import { unitPart } from './part-schema.ts'
import { expireQueue, removeQueue } from './queue.ts'
import { type RedisLink } from './redis.ts'

const progress = z.object({ part: z.string() })

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
  /** One after the other. Rejects with what the agent has thrown, or with why it is lost. */
  readonly ask: (request: AgentRequest, onPart?: (part: UnitPart) => void) => Promise<AgentAnswer>
  readonly notify: (notice: AgentNotice) => void
  /** Nothing more is expected of it: what is asked for now and later rejects with the reason. */
  readonly lose: (reason: Error) => void
  readonly isLost: () => boolean
  /** Renews the time for which its queue stays in Redis. */
  readonly keep: () => Promise<void>
  /** Removes what it has in the queue. */
  readonly close: () => Promise<void>
}

/** Opens the queue of one agent in a run. */
export async function linkToAgent(
  { agent, name, run }: { readonly agent: Announcement; readonly name: string; readonly run: string },
  redis: RedisLink,
): Promise<AgentLink> {
  const { Queue, QueueEvents } = await import('bullmq')
  const prefix = queuePrefix(run)
  const clients = [redis.another(), redis.another()] as const
  const queue = new Queue(agent.id, { connection: clients[0], prefix })
  // From the beginning: nothing that comes before it listens is missed.
  const events = new QueueEvents(agent.id, { connection: clients[1], prefix, lastEventId: '0-0' })
  const pending = new Map<string, Pending>()
  let lost: Error | undefined
  let asked = 0

  const lose = (reason: Error): void => {
    lost ??= reason
    for (const { reject } of pending.values()) reject(lost)
    pending.clear()
  }
  // Redis may be gone for a while: what that means is decided by the heartbeat.
  queue.on('error', () => undefined)
  events.on('error', () => undefined)
  follow(events, pending, lose, name)

  return {
    name,
    agent,
    lose,
    keep: () => expireQueue(redis.client, queue, jobIdOf(asked)),
    isLost: () => lost !== undefined,
    ask: (request, onPart = () => {}) =>
      new Promise((resolve, reject) => {
        if (lost) return reject(lost)
        asked += 1
        const jobId = jobIdOf(asked)
        pending.set(jobId, { resolve, reject, onPart })
        // A request is sent once, and run once: an agent that fails has lost its share.
        const options = { jobId, attempts: 1, removeOnComplete: true, removeOnFail: true }
        queue.add(request.kind, { request: pack(request) }, options).catch(lose)
      }),
    notify: (notice) => void sendNotice(redis.client, { run, agent: agent.id, notice }),
    close: () => removeQueue(queue, [events], clients),
  }
}

const jobIdOf = (asked: number): string => `request-${asked}`

/** The channel makes it quick; the key makes sure that an agent that has missed it learns of it within a second. */
async function sendNotice(
  client: Redis,
  { run, agent, notice }: { readonly run: string; readonly agent: string; readonly notice: AgentNotice },
): Promise<void> {
  await client
    .multi()
    .set(noticeKey(run, agent), JSON.stringify(notice), 'EX', keptForSeconds)
    .publish(agentChannel(agent), JSON.stringify({ kind: 'look' }))
    .exec()
    .catch(() => undefined)
}

/** Hands over parts and answers of an agent. What it sends that is not as agreed loses it. */
function follow(events: QueueEvents, pending: Map<string, Pending>, lose: (reason: Error) => void, name: string): void {
  const attempt = (jobId: string, act: (one: Pending) => void): void => {
    const one = pending.get(jobId)
    if (one === undefined) return
    try {
      act(one)
    } catch (error) {
      lose(error instanceof Error ? error : new Error(String(error)))
    }
  }
  events.on('progress', ({ jobId, data }) =>
    attempt(jobId, ({ onPart }) => onPart(parsed(unitPart, progress.parse(data).part, name))),
  )
  events.on('completed', ({ jobId, returnvalue }) =>
    attempt(jobId, ({ resolve, reject }) => {
      pending.delete(jobId)
      try {
        const answer = parsed(agentAnswer, returnvalue, name)
        if (answer.kind === 'failed') reject(unpackError(answer.error))
        else resolve(answer)
      } catch (error) {
        reject(error)
      }
    }),
  )
  events.on('failed', ({ jobId, failedReason }) =>
    attempt(jobId, () => lose(agentLost(name, `could not work on a request: ${failedReason}`))),
  )
}

function parsed<Output>(schema: z.ZodType<Output>, text: string, name: string): Output {
  const result = schema.safeParse(unpack(text))
  if (result.success) return result.data
  throw agentLost(name, `sent what no agent sends (${z.prettifyError(result.error)})`)
}

/** The problem of a run of which an agent cannot go on. */
export const agentLost = (name: string, reason: string): Problem =>
  new Problem('agents-unavailable', `The agent ${name} ${reason}`, {
    hint: 'The load of all agents was ended. Finished rows are in the result; --resume runs the others.',
  })
