import { type Db } from 'mongodb'

/**
 * Has the server write out what is changed. Never throws.
 * @param options A bound in milliseconds, or a signal that ends the wait: on a slow disk it takes minutes.
 * @returns the reason why not, or undefined.
 */
export async function tryCheckpoint(
  db: Db,
  { maxTimeMS, signal }: { readonly maxTimeMS?: number; readonly signal?: AbortSignal },
): Promise<string | undefined> {
  try {
    await db.client.db('admin').command({ fsync: 1, ...(maxTimeMS !== undefined && { maxTimeMS }) }, { signal })
    return undefined
  } catch (error) {
    return error instanceof Error && 'codeName' in error ? String(error.codeName) : 'no reason given'
  }
}
