import type { Redis } from 'ioredis'
import { type Queue } from 'bullmq'
import { keptForSeconds } from './keys.ts'

type Closable = { readonly close: (force?: boolean) => Promise<void> }

/** Closes what works on a queue, removes all that the queue has in Redis, and closes the connections that were made for it. */
export async function removeQueue(queue: Queue, users: readonly Closable[], clients: readonly Redis[]): Promise<void> {
  try {
    for (const user of users) await user.close(true)
    await queue.obliterate({ force: true })
    await queue.close()
  } finally {
    for (const client of clients) client.disconnect()
  }
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
