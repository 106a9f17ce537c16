import { type Db } from 'mongodb'
import { methodsIn } from '../load/engines/engine.ts'
import { replyTraits } from '../load/engines/reply-traits.ts'
import { type PhasePlan } from '../load/plan/plan.ts'
import { claimCollection } from '../servers/targets/ownership.ts'

/**
 * Makes the buckets that a phase uses ours, with the indexes that GridFS wants. Left alone, the driver would make those
 * with the first upload, inside of the timed window, while others are already storing chunks.
 */
export async function prepareBuckets(db: Db, { operations }: PhasePlan): Promise<void> {
  const buckets = methodsIn(operations).flatMap(({ reply, collection }) =>
    replyTraits[reply].usesBucket ? [collection] : [],
  )
  for (const bucket of new Set(buckets)) {
    const [files, chunks] = [`${bucket}.files`, `${bucket}.chunks`]
    await claimCollection(db, files)
    await claimCollection(db, chunks)
    await db.collection(files).createIndex({ filename: 1, uploadDate: 1 })
    await db.collection(chunks).createIndex({ files_id: 1, n: 1 }, { unique: true })
  }
}
