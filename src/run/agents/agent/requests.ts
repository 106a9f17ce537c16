import { importOptional } from '../../../core/optional-package.ts'
import type { UnitPart } from '../../../load/load-unit.ts'
import { packError } from '../../../load/threads/messages.ts'
import { expireQueue, noticeKey, queuePrefix, removeQueue, repliesKey } from '../keys.ts'
import { agentLost, type AgentAnswer, type AgentReply } from '../messages.ts'
import { pack } from '../pack.ts'
import type { RedisLink } from '../redis.ts'

/** The requests of a run to one of its agents, as the agent works on them. */
export type Requests = {
  /** Renews the time for which their queue stays in Redis. */
  readonly keep: () => Promise<void>
  /** Removes the queue, whatever is under way, the notice and the stream: a run that an agent has left is over. */
  readonly close: () => Promise<void>
}

export type RequestsOptions = {
  readonly redis: RedisLink
  readonly run: string
  /** The agent, by its id and by its name. */
  readonly agent: string
  readonly name: string
  /** @param data As it came from the queue. */
  readonly answer: (data: unknown, onPart: (part: UnitPart) => void) => Promise<AgentAnswer>
  readonly onError: (error: unknown) => void
}

/** Maximum number of loads of a phase that run at the same time. */
const maxLoads = 16

/** Takes requests from the queue, of several loads at the same time, and sends what is answered into the stream of the run. */
export async function workOnRequests({ redis, run, agent, name, answer, onError }: RequestsOptions): Promise<Requests> {
  const { ErrorCode, Queue, Worker } = await importOptional(() => import('bullmq'))
  const connection = { connection: redis.client, prefix: queuePrefix(run) }
  const queue = new Queue(agent, { ...connection, skipMetasUpdate: true, skipVersionCheck: true })
  const isOfRemoved = (error: Error): boolean => 'code' in error && error.code === ErrorCode.JobNotExist
  const seen = new Set<string>()
  let lastSeen = ''
  let sent = 0
  const keep = (): Promise<void> => expireQueue(redis.client, queue, lastSeen)

  async function reply(request: string, one: AgentReply): Promise<void> {
    sent += 1
    const fields = ['agent', agent, 'number', sent, 'request', request, 'reply', pack(one)]
    const added = await redis.client.xadd(repliesKey(run), 'NOMKSTREAM', '*', ...fields)
    if (added === null) throw new Error('The run is over')
  }

  const worker = new Worker(
    agent,
    async ({ id, data }) => {
      // A request that was sent again after a break of the connection is not run again.
      if (id === undefined || seen.has(id)) throw new Error('the request was run before')
      seen.add(id)
      lastSeen = id
      await keep()
      const answered = await answer(data, (part) => {
        // A connection that breaks must not end the process: whether all has arrived, the coordinator finds out.
        reply(id, { kind: 'part', part }).catch(() => undefined)
      })
      await reply(id, answered)
    },
    { ...connection, concurrency: maxLoads, maxStalledCount: 0, skipVersionCheck: true },
  )
  worker.on('failed', (job, error) => {
    const failed = packError(agentLost(name, `could not work on a request: ${error.message}`))
    if (job?.id !== undefined) reply(job.id, { kind: 'failed', error: failed }).catch(() => undefined)
  })
  queue.on('error', onError)
  // A run that is over has removed the request meanwhile.
  worker.on('error', (error) => !isOfRemoved(error) && onError(error))
  return {
    keep,
    async close() {
      // A coordinator that was killed removes nothing.
      await redis.client.del(repliesKey(run), noticeKey(run, agent))
      await removeQueue(queue, [worker])
    },
  }
}
