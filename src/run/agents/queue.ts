import { type Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { keptForSeconds } from './keys.ts'

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
