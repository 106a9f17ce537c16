import { type Collection, type Db, type Document } from 'mongodb'

/** The database that the tasks work in. */
export const microDatabase = 'mongoperf_micro'

/** Names as in the specification, in a database of ours instead of `perftest`. */
export const corpusName = 'corpus'
export const numberedCorpora: readonly string[] = Array.from({ length: 10 }, (_, i) => `corpus_${i + 1}`)
export const bucketCollections = ['fs.files', 'fs.chunks'] as const

/** Everything that tasks make. */
export const collectionNames: readonly string[] = [corpusName, ...numberedCorpora, ...bucketCollections]

/** As good as the dropped database of the specification, and it leaves the proof that the database is ours. */
export async function dropCollections(db: Db, names: readonly string[] = collectionNames): Promise<void> {
  for (const name of names) await db.dropCollection(name)
}

/** Drops the corpus and makes an empty one. */
export async function freshCorpus(db: Db): Promise<Collection<Document>> {
  await dropCollections(db, [corpusName])
  return db.createCollection(corpusName)
}
