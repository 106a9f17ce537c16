import { type Db } from 'mongodb'
import { type OperationResult } from '../results/schema/calls.ts'

const maxMs = 2_000

/** Whether a phase has given calls up that a server may still be at. */
export const hasAbandoned = (operations: readonly OperationResult[]): boolean =>
  operations.some(({ errors }) => errors.some(({ code }) => code === 'DeadlineExceeded'))

/**
 * Ends what the primary still does for calls that were abandoned: a write that waits for members that are down
 * goes on when its connection is closed, for ever. Who may not end them leaves them; nothing here throws.
 */
export async function endAbandoned(db: Db): Promise<void> {
  const admin = db.client.db('admin')
  const bounds = { readPreference: 'primary', signal: AbortSignal.timeout(maxMs) } as const
  const ofRun = { appName: 'mongo-perf', ns: { $regex: `^${db.databaseName}\\.` } }
  try {
    const left = await admin.aggregate([{ $currentOp: {} }, { $match: ofRun }], bounds).toArray()
    for (const { opid } of left) await admin.command({ killOp: 1, op: opid }, bounds)
  } catch {
    return
  }
}
