import { type Db } from 'mongodb'
import { type RecordChange } from '../servers/targets/server/guardian/changed-servers.ts'

/** A database on which indexes are tried. Disposing drops any that are left, or stops the server of a copy. */
export type Place = AsyncDisposable & {
  readonly db: Db
  /** A secret. */
  readonly uri: string
  /**
   * The data: those of the user's server, a dump of them, those of a spec, or documents made up from a recording, which say nothing about
   * today's indexes. On all but the first mongo-perf may hide indexes and write documents.
   */
  readonly data: 'server' | 'dump' | 'spec' | 'made up'
  /** To be called before an index is built. Returns what drops it. */
  readonly recordChange: RecordChange
  /** @throws {Problem} "refused" when indexes may not be built and dropped on all of these collections. */
  readonly requirePermission: (collections: readonly string[]) => Promise<void>
}

/** A database that mongo-perf may change as it likes. */
export const asCopy = (
  db: Db,
  uri: string,
  data: Exclude<Place['data'], 'server'> = 'dump',
): Omit<Place, typeof Symbol.asyncDispose> => ({
  db,
  uri,
  data,
  recordChange: ({ namespace, name = '' }) => {
    const collection = db.collection(namespace.slice(db.databaseName.length + 1))
    // What was not built is not there.
    return async () => void (await collection.dropIndex(name).catch(() => undefined))
  },
  requirePermission: () => Promise.resolve(),
})
