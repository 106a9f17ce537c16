import { type Collection, type MongoClient, MongoServerError } from 'mongodb'
import { Problem } from '../../core/errors.ts'
import { type DataSet } from '../../spec/plan/data-set.ts'
import { type DataSetResult } from '../../results/schema.ts'
import { suggestion } from '../../language/issues.ts'

/** Reads a collection that mongo-perf did not create, and changes nothing. */
export async function findExisting(client: MongoClient, { spec, namespace }: DataSet): Promise<DataSetResult> {
  const db = client.db(namespace.database)
  const names = (await db.listCollections({}, { nameOnly: true, authorizedCollections: true }).toArray()).map(
    ({ name }) => name,
  )
  if (!names.includes(namespace.collection)) {
    throw new Problem(
      'spec-invalid',
      `The server has no collection "${spec.existing}"${suggestion(namespace.collection, names)}`,
      {
        hint: 'Correct "existing" in the spec, or give the user of the URI the right to read it. To read a collection that does not exist, use a data set of its own with "create": false.',
      },
    )
  }
  const collection = db.collection(namespace.collection)
  return {
    collection: spec.collection,
    source: 'existing',
    rows: await countUpTo(collection, spec.rows),
    loadSeconds: 0,
    documentsPerSecond: null,
    meanDocumentBytes: null,
    indexes: await secondaryIndexes(collection),
    indexSeconds: 0,
    samples: [],
  }
}

/** The estimate of a server that was killed may be too low: then the documents that are needed are counted. */
async function countUpTo(collection: Collection, needed: number): Promise<number> {
  const estimate = await collection.estimatedDocumentCount()
  return estimate >= needed ? estimate : collection.countDocuments({}, { limit: needed })
}

async function secondaryIndexes(collection: Collection): Promise<string[]> {
  try {
    const found = await collection.indexes()
    return found.filter(({ name }) => name !== '_id_').map(({ key }) => JSON.stringify(key))
  } catch (error) {
    // A view has none, and refuses.
    if (error instanceof MongoServerError && error.codeName === 'CommandNotSupportedOnView') return []
    throw error
  }
}
