import { type Db, type Timestamp } from 'mongodb'
import { Problem } from '../../../core/errors.ts'
import { needsReplicaSet } from '../stream-engine.ts'

/**
 * The server's time of its latest write.
 * @throws {Problem} "spec-invalid" when the server keeps no such time: it has no change streams either.
 */
export async function operationTime(db: Db): Promise<Timestamp> {
  const { operationTime: time } = await db.command({ ping: 1 })
  if (time) return time as Timestamp
  throw new Problem('spec-invalid', `The server cannot be watched: ${needsReplicaSet}`, {
    hint: 'Measure a replica set; one of a single member will do: {"target": {"kind": "replicaSet", "members": 1}}.',
  })
}
