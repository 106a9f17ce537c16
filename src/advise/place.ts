import { type Db } from 'mongodb'
import { type RecordChange } from '../servers/targets/server/guardian/changed-servers.ts'

/** A database on which indexes are tried. Disposing drops any that are left, or stops the server of a copy. */
export type Place = AsyncDisposable & {
  readonly db: Db
  /** A secret. */
  readonly uri: string
  /** Whether mongo-perf made the data: today's indexes may be hidden there, and documents written. */
  readonly isCopy: boolean
  /** To be called before an index is built. Returns what drops it. */
  readonly recordChange: RecordChange
  /** @throws {Problem} "refused" when indexes may not be built and dropped on all of these collections. */
  readonly requirePermission: (collections: readonly string[]) => Promise<void>
}
