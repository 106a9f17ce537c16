import { type MongoClient } from 'mongodb'
import { Problem } from '../../errors.ts'
import { type DataSet } from '../../plan/data-set.ts'
import { samplePaths } from '../../plan/sample-paths.ts'
import { type Spec } from '../../spec/schema.ts'
import { type BsonDocument } from '../../values/bson-types.ts'
import { fromBson } from '../../values/from-bson.ts'
import { valuesAt } from '../../values/values-at.ts'
import { fingerprintOf } from './reuse.ts'

/** Most documents whose values are kept. */
const sampleSize = 1000

/** Documents that were read, by where and what. */
export type SampleCache = Map<string, readonly BsonDocument[]>

export type SampleContext = {
  readonly client: MongoClient
  /** The database of the run. */
  readonly database: string
  /** Rows of one run on one target draw from the same documents. */
  readonly cache: SampleCache
}

/**
 * Reads the values that `@sample` draws from. Of a collection of up to 1000 documents all are taken, in the order of their
 * `_id`: the same run draws the same values. Of a larger one the server picks, at random and without a seed.
 */
export async function readSamples(dataSets: readonly DataSet[], spec: Spec, context: SampleContext): Promise<void> {
  const wanted = samplePaths(spec)
  for (const dataSet of dataSets) {
    const paths = wanted.get(dataSet.spec.collection)
    if (!paths) continue
    const key = JSON.stringify([dataSet.spec.existing ?? fingerprintOf(dataSet.spec, spec.seed), ...paths])
    const documents = context.cache.get(key) ?? (await readDocuments(dataSet, paths, context))
    context.cache.set(key, documents)
    for (const path of paths) {
      const values = documents.flatMap((document) => valuesAt(document, path.split('.')))
      if (values.length === 0) throw await nothingThere(dataSet, path, context)
      dataSet.keepSamples(path, values)
    }
  }
}

async function readDocuments(
  { namespace }: DataSet,
  paths: ReadonlySet<string>,
  { client, database }: SampleContext,
): Promise<readonly BsonDocument[]> {
  const collection = client
    .db(namespace.database ?? database)
    .collection<Uint8Array>(namespace.collection, { raw: true })
  const projection = projectionOf(paths)
  const isSmall = (await collection.estimatedDocumentCount()) <= sampleSize
  const documents = isSmall
    ? collection.find({}, { projection, sort: { _id: 1 }, limit: sampleSize })
    : collection.aggregate<Uint8Array>([{ $sample: { size: sampleSize } }, { $project: projection }])
  return (await documents.toArray()).map(fromBson)
}

/** The server refuses a path beside one that leads to it, and takes numbers for names of fields. */
function projectionOf(paths: ReadonlySet<string>): Readonly<Record<string, 1>> {
  const fields = [...paths].map((path) => path.replace(/\.\d+(\..*)?$/, ''))
  const isCovered = (field: string): boolean => fields.some((other) => field.startsWith(`${other}.`))
  return Object.fromEntries(fields.filter((field) => !isCovered(field)).map((field) => [field, 1]))
}

async function nothingThere(dataSet: DataSet, path: string, { client, database }: SampleContext): Promise<Problem> {
  const { collection, database: own = database } = dataSet.namespace
  const few = await client.db(own).collection(collection).find({}, { limit: 20 }).toArray()
  const names = [...new Set(few.flatMap((document) => Object.keys(document)))]
  if (names.length === 0) {
    return new Problem(
      'spec-invalid',
      `The collection "${dataSet.spec.collection}" is empty: there is nothing to sample`,
      {
        hint: 'Samples are read before the first phase.',
      },
    )
  }
  return new Problem('spec-invalid', `No document of "${dataSet.spec.collection}" has a value at "${path}"`, {
    hint: `Its documents have the fields ${names.join(', ')}.`,
  })
}
