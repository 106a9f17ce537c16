import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'

/** All that agents and coordinators keep in Redis begins with it, so that one rule of an access list is enough. */
const root = 'mongo-perf'

/** Set of the ids of agents: those that are gone are taken out by whoever lists them. */
export const agentIds = `${root}:agents`

/** Returns the key of an agent's announcement. It goes when the agent does. */
export const announcementKey = (agent: string): string => `${root}:agent:${agent}`

/** The run that an agent works for. */
export const claimKey = (agent: string): string => `${root}:claim:${agent}`

/** Returns the key of the notice that an agent of a run has to act on at once. */
export const noticeKey = (run: string, agent: string): string => `${root}:run:${run}:notice:${agent}`

/** Prefix of the queues of a run; each is named by its agent. */
export const queuePrefix = (run: string): string => `${root}:run:${run}`

/** Stream of what the agents of a run send to its coordinator. */
export const repliesKey = (run: string): string => `${root}:run:${run}:replies`

export const agentChannel = (agent: string): string => `${root}:to:${agent}`

/** Channel on which the coordinator of a run listens. */
export const runChannel = (run: string): string => `${root}:from:${run}`

/** Times by which agents and their coordinator watch each other, in milliseconds. */
export type WatchTimes = {
  /** Period in which an agent announces itself, and a coordinator renews its claims. */
  readonly beatMs: number
  /** An agent that has not announced itself for so long is gone: more than a busy machine may keep it from doing so. */
  readonly announcedForMs: number
  /** An agent whose coordinator has not renewed its claim for so long ends its load. */
  readonly claimedForMs: number
  /** A restart of Redis may take so long; after longer than that, no one knows what the agents do. */
  readonly maxSilenceMs: number
  /** A beat that is later than that found its process stopped, and not busy. */
  readonly minPauseMs: number
}

export const watchTimes: WatchTimes = {
  beatMs: 1000,
  announcedForMs: 10_000,
  claimedForMs: 10_000,
  maxSilenceMs: 8000,
  minPauseMs: 4000,
}

/** How many beats go by before that time is renewed. */
export const beatsPerExpiry = 20

/** Whatever else is left in Redis by processes that were killed expires after this number of seconds. */
export const keptForSeconds = 120

type Closable = { readonly close: (force?: boolean) => Promise<void> }

/** Closes what works on a queue, and removes all that the queue has in Redis. */
export async function removeQueue(queue: Queue, users: readonly Closable[] = []): Promise<void> {
  for (const user of users) await user.close(true)
  await queue.obliterate({ force: true })
  await queue.close()
}

/**
 * Has Redis remove a queue by itself, if those who use it are killed. To be repeated while it is used.
 * @param job The request that is under way.
 */
export async function expireQueue(client: Redis, queue: Queue, job: string): Promise<void> {
  const commands = client.pipeline()
  for (const key of [...Object.values(queue.keys), queue.toKey(job)]) commands.expire(key, keptForSeconds)
  await commands.exec()
}
