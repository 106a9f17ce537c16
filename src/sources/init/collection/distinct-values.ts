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

/**
 * Documents and bytes that one side loads in a second while the other one does: half of the slowest of three rounds on two cores that the server
 * shares, which loaded 165,000 documents/s of 62 bytes, and 27 MB/s of documents of 2.1 KB.
 */
const loadedPerSecond = { documents: 80_000, bytes: 13e6 }

/** Bytes that are free on the disk of the server. Infinity: it does not say. */
export async function readFreeBytes(db: Db): Promise<number> {
  const { fsTotalSize = Infinity, fsUsedSize = 0 } = await db.stats().catch(() => ({}) as Document)
  return fsTotalSize - fsUsedSize
}

/** Counts the documents to make up: those of the collection that two sides can load in half of the time for three rounds, into half of the free disk. */
export function countFitting(
  { documents, meanBytes }: Pick<CollectionProfile, 'documents' | 'meanBytes'>,
  { budgetSeconds, freeBytes }: { readonly budgetSeconds: number; readonly freeBytes: number },
): number {
  const bytes = Math.max(1, meanBytes)
  const perSecond = Math.min(loadedPerSecond.documents, loadedPerSecond.bytes / bytes)
  return Math.max(1, Math.floor(Math.min(documents, (perSecond * budgetSeconds) / 6, freeBytes / 4 / bytes)))
}
