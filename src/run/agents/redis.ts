import { setTimeout } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { Problem } from '../../core/errors.ts'
import { importOptional } from '../../core/optional-package.ts'
import { redact } from '../../servers/targets/connection/redact.ts'
import { describeRedisFailure } from './redis-failures.ts'
import { redisSecrets } from './redis-secrets.ts'

/** To connect, and to answer for the first time. With the start of the program it is less than 5 s. */
const reachMs = 4000
const retryMs = 500

/** A connection to the Redis or Valkey server that agents and coordinators meet at. Disposing closes it. */
export type RedisLink = AsyncDisposable & {
  readonly client: Redis
  /**
   * Opens another connection like it, for what blocks or subscribes. It is closed with the link.
   * @throws {Problem} "agents-unavailable" when the server takes no more.
   */
  readonly another: () => Promise<Redis>
}

/**
 * Connects to Redis or Valkey, and goes on trying when the connection breaks later.
 * @param url redis:// or rediss:// (TLS), with user and password of its access list.
 * @throws {Problem} "usage" for another URL; "agents-unavailable" when it cannot be reached.
 */
export async function connectRedis(url: string): Promise<RedisLink> {
  if (!isQueueUrl(url))
    throw new Problem('usage', 'The queue is not the URL of a Redis or Valkey server', {
      hint: 'After the host comes only the number of a database, if it is not 0. It begins with redis://, or with rediss:// (two s) for TLS: redis://<user>:<password>@host:6379. Special characters of the password are percent-encoded.',
    })
  const { Redis } = await importOptional(() => import('ioredis'))
  const open: Redis[] = []
  /** Why a connection does not come about: what is thrown does not say. Without a listener, these would be printed. */
  const lastErrors = new WeakMap<Redis, Error>()
  const track = (client: Redis): Redis => {
    client.on('error', (error) => lastErrors.set(client, error))
    open.push(client)
    return client
  }
  const create = (silentMs: number): Redis => {
    const client = new Redis(url, {
      // Users who may not set it would be in the log of refused commands of Redis 6.
      disableClientInfo: true,
      lazyConnect: true,
      // Requests wait for a server that comes back: who sends them decides how long that may take.
      maxRetriesPerRequest: null,
      retryStrategy: () => retryMs,
      connectTimeout: reachMs,
      // A machine that is cut off closes no connection.
      socketTimeout: silentMs,
    })
    const duplicate = client.duplicate.bind(client)
    // Queues make those connections by it that wait at the server.
    client.duplicate = (override) => track(duplicate({ ...override, socketTimeout: blocksForMs }))
    return track(client)
  }
  const connect = async (silentMs: number): Promise<Redis> => {
    const client = create(silentMs)
    try {
      await Promise.race([client.connect().then(() => tryOut(client)), silence()])
      // A database that is not there: commands would go to another one.
      const refused = lastErrors.get(client)
      if (refused !== undefined) throw refused
      return client
    } catch (error) {
      client.disconnect()
      throw unreached(url, lastErrors.get(client) ?? error)
    }
  }
  return {
    client: await connect(repliesWithinMs),
    another: () => connect(blocksForMs),
    async [Symbol.asyncDispose]() {
      for (const one of open) one.disconnect()
    },
  }
}

const isQueueUrl = (url: string): boolean =>
  /^rediss?:\/\//.test(url) && URL.canParse(url) && /^\/?\d*$/.test(new URL(url).pathname)

/** Queues run scripts, which not every user of an access list may do. */
async function tryOut(client: Redis): Promise<void> {
  await client.ping()
  await client.eval('return 1', 0)
}

/** A reply that takes longer does not come any more: the connection is made anew. */
const repliesWithinMs = 5000
/** The same for connections that wait at the server: queues do so for up to ten seconds. */
const blocksForMs = 20_000

/** @throws {Error} after the time to reach a server. */
const silence = async (): Promise<never> => {
  await setTimeout(reachMs, undefined, { ref: false })
  throw new Error('ETIMEDOUT')
}

function unreached(url: string, error: unknown): Problem {
  const { reason, hint } = describeRedisFailure(error)
  const secrets = redisSecrets(url)
  return new Problem('agents-unavailable', `The queue ${redact(url)} cannot be used: ${redact(reason, secrets)}`, {
    hint,
  })
}
