import { watchTimes, type WatchTimes } from '../keys.ts'
import { queueWarnings } from '../queue-warnings.ts'
import { connectRedis } from '../redis.ts'
import { claimAgents, type ClaimOptions } from './claim-agents.ts'
import { type AgentSession, newRunId, openSession } from './session.ts'

export type JoinOptions = Omit<ClaimOptions, 'client' | 'run' | 'times'> & {
  /** URL of Redis or Valkey: a secret. */
  readonly queue: string
  /** The queue is not fit for it. */
  readonly onWarning: (message: string) => void
  /** Default: `watchTimes`, which the agents have too. */
  readonly times?: WatchTimes
}

/** Claims the agents that are there, for one run. Disposing gives them back. */
export async function joinAgents({ queue, times = watchTimes, ...options }: JoinOptions): Promise<AgentSession> {
  const redis = await connectRedis(queue)
  try {
    for (const warning of await queueWarnings(redis.client)) options.onWarning(warning)
    const run = newRunId()
    const agents = await claimAgents({ ...options, times, client: redis.client, run })
    const session = await openSession({ redis, run, agents, times, clock: options.clock })
    return {
      ...session,
      async [Symbol.asyncDispose]() {
        await session[Symbol.asyncDispose]()
        await redis[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await redis[Symbol.asyncDispose]()
    throw error
  }
}
