import { type Collection, type Db, type Document } from 'mongodb'

/** The database that the tasks work in. */
export const microDatabase = 'mongoperf_micro'

/** Names as in the specification, in our own database instead of `perftest`. */
export const corpusName = 'corpus'
/** Collections with numbers, as in the specification. */
export const numberedCorpora: readonly string[] = Array.from({ length: 10 }, (_, i) => `corpus_${i + 1}`)
/** The collections of a GridFS bucket. */
export const bucketCollections = ['fs.files', 'fs.chunks'] as const

/** All collections that tasks create. */
export const collectionNames: readonly string[] = [corpusName, ...numberedCorpora, ...bucketCollections]

/** Drops collections instead of the database, as the specification does, because the database holds the marker of mongo-perf. */
export async function dropCollections(db: Db, names: readonly string[] = collectionNames): Promise<void> {
  for (const name of names) await db.dropCollection(name)
}

/** Drops the corpus and creates an empty one. */
export async function freshCorpus(db: Db): Promise<Collection<Document>> {
  await dropCollections(db, [corpusName])
  return db.createCollection(corpusName)
}
