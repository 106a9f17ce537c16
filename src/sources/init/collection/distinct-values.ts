import { type Db, type Document } from 'mongodb'
import { type CollectionProfile } from './collection-profile.ts'

/** Counts the distinct values of fields in all documents, where the server does it within a minute. A sample of many values shows their number roughly. */
export async function withDistinctValues(
  db: Db,
  profile: CollectionProfile,
  fields: readonly string[],
): Promise<CollectionProfile> {
  const counts = new Map<string, number>()
  for (const field of fields) {
    const stages = [{ $unwind: `$${field}` }, { $group: { _id: `$${field}` } }, { $count: 'values' }]
    const counted = db.collection(profile.collection).aggregate(stages, { maxTimeMS: 60_000, allowDiskUse: false })
    const [found] = await counted.toArray().catch(() => [])
    if (found !== undefined) counts.set(field, Number(found['values']))
  }
  return { ...profile, distinct: counts }
}

/** Documents and bytes that one side loads in a second while the other one does, on two cores that the server shares. */
const loadedPerSecond = { documents: 10_000, bytes: 10e6 }

/** Counts the documents that two sides can load in half of the time for three rounds, into half of the free disk. */
export async function countFitting(
  db: Db,
  { meanBytes }: CollectionProfile,
  { budgetSeconds }: { readonly budgetSeconds: number },
): Promise<number> {
  const { fsTotalSize = Infinity, fsUsedSize = 0 } = await db.stats().catch(() => ({}) as Document)
  const perSecond = Math.min(loadedPerSecond.documents, loadedPerSecond.bytes / Math.max(1, meanBytes))
  return Math.floor(Math.min((perSecond * budgetSeconds) / 6, (fsTotalSize - fsUsedSize) / 4 / Math.max(1, meanBytes)))
}
