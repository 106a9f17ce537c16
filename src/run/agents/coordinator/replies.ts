import { type Clock } from '../../../core/clock.ts'
import { keptForSeconds, repliesKey } from '../keys.ts'
import { type RedisLink } from '../redis.ts'

/** Message of an agent about a request. */
export type PackedReply = { readonly request: string; readonly packed: Buffer }

/** Messages of the agents of a run to its coordinator: all of them in one stream, for which one connection waits. */
export type Replies = {
  /** Passes on each reply of an agent once, in order. */
  readonly follow: (agent: string, take: (reply: PackedReply) => void) => void
  /** Renews the time for which the stream stays in Redis. */
  readonly keep: () => Promise<void>
  /** Passes on no more. */
  readonly stop: () => void
  /** Removes the stream. */
  readonly remove: () => Promise<void>
}

/** Number of replies that are read at a time: in between, the event loop turns. */
const repliesPerRead = 32
const waitMs = 5000
const retryMs = 500

/** Opens the stream of a run. Agents add to it only while it is there. */
export async function openReplies(redis: RedisLink, run: string, clock: Pick<Clock, 'sleep'>): Promise<Replies> {
  const key = repliesKey(run)
  const keep = async (): Promise<void> => void (await redis.client.expire(key, keptForSeconds))
  const followers = new Map<string, { readonly take: (reply: PackedReply) => void; lastNumber: number }>()
  const reader = await redis.another()
  const closing = new AbortController()
  let lastId = '0'

  function handOver(fields: readonly Buffer[]): void {
    const [agent, number, request, packed] = fields.filter((_, i) => i % 2 === 1)
    const follower = followers.get(String(agent))
    if (follower === undefined || request === undefined || packed === undefined) return
    // An agent whose connection breaks does not know whether a reply has arrived, and sends it again.
    if (Number(number) <= follower.lastNumber) return
    follower.lastNumber = Number(number)
    follower.take({ request: String(request), packed })
  }

  async function readNext(): Promise<void> {
    const streams = await reader.xreadBuffer('COUNT', repliesPerRead, 'BLOCK', waitMs, 'STREAMS', key, lastId)
    for (const [, entries] of streams ?? []) {
      for (const [, fields] of entries) handOver(fields)
      const ids = entries.map(([id]) => String(id))
      lastId = ids.at(-1) ?? lastId
      // What is not taken out now goes with the stream.
      void redis.client.xdel(key, ...ids).catch(() => undefined)
    }
  }

  async function read(): Promise<void> {
    while (!closing.signal.aborted) await readNext().catch(async () => await clock.sleep(retryMs, closing.signal))
  }

  // An empty stream.
  await redis.client.xadd(key, 'MAXLEN', 0, '*', 'opened', '')
  await keep()
  void read()
  return {
    follow: (agent, take) => void followers.set(agent, { take, lastNumber: 0 }),
    keep,
    stop() {
      closing.abort()
      reader.disconnect()
    },
    remove: async () => void (await redis.client.del(key)),
  }
}
