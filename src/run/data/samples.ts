import { createHash } from 'node:crypto'
import { serialize } from 'bson'
import { type MongoClient } from 'mongodb'
import { Problem } from '../../core/errors.ts'
import { pathsOfKey } from '../../language/generators/sample.ts'
import { type BsonDocument, isDocument, valuesAt } from '../../language/values/bson-types.ts'
import { fromBson } from '../../language/values/from-bson.ts'
import { type DataSetResult } from '../../results/schema.ts'
import { type DataSet } from '../../spec/plan/data-set.ts'
import { samplePaths } from '../../spec/plan/sample-paths.ts'
import { type Spec } from '../../spec/schema/schema.ts'
import { type Choice, chooseDocuments } from './choose-documents.ts'
import { computeFingerprint } from './reuse.ts'

/** Documents whose values are kept, at most. */
const sampleSize = 1000

type Read = { readonly choice: Choice; readonly documents: readonly BsonDocument[] }

/** Documents that were read, by where and what. */
export type SampleCache = Map<string, Read>

/** Values that were read from each collection, by its name in the spec. */
export type SamplesRead = ReadonlyMap<string, DataSetResult['samples']>

export type SampleContext = {
  readonly client: MongoClient
  readonly database: string
  /** Rows of one run on one target draw from the same documents. */
  readonly cache: SampleCache
}

/**
 * Reads the values that `@sample` draws from. Of a collection of up to 1000 documents all are taken, in the order of their
 * `_id`; of up to a million the seed chooses: the same collection gives the same values. Of a larger one the server picks at
 * random.
 */
export async function readSamples(
  dataSets: readonly DataSet[],
  spec: Spec,
  context: SampleContext,
): Promise<SamplesRead> {
  const wanted = samplePaths(spec)
  const found = new Map<string, DataSetResult['samples']>()
  for (const dataSet of dataSets) {
    const keys = wanted.get(dataSet.spec.collection)
    if (!keys) continue
    const paths = new Set([...keys].flatMap((key) => pathsOfKey(key) ?? key))
    const place = JSON.stringify([dataSet.spec.existing ?? computeFingerprint(dataSet.spec, spec.seed), ...paths])
    const { choice, documents } = context.cache.get(place) ?? (await readDocuments(dataSet, paths, spec.seed, context))
    context.cache.set(place, { choice, documents })
    const ofPaths = [...keys].map(async (key) => {
      const together = pathsOfKey(key)
      const path = together?.join(', ') ?? key
      const values = together ? pickTogether(documents, together) : documents.flatMap((one) => valuesAtPath(one, key))
      if (values.length === 0) throw await nothingThere(dataSet, path, context)
      dataSet.keepSamples(key, values)
      return { path, choice, values: values.length, digest: computeDigest(values) }
    })
    found.set(dataSet.spec.collection, await Promise.all(ofPaths))
  }
  return found
}

const valuesAtPath = (document: BsonDocument, path: string): readonly unknown[] => valuesAt(document, path.split('.'))

/** The documents that have all paths, with these paths alone. */
function pickTogether(documents: readonly BsonDocument[], paths: readonly string[]): readonly unknown[] {
  const steps = paths.map((path) => path.split('.'))
  return documents
    .filter((document) => paths.every((path) => valuesAtPath(document, path).length > 0))
    .map((document) => project(document, steps))
}

/** Keeps a list whole where a path counts its elements. */
function project(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (paths.some(([step]) => step === undefined || (Array.isArray(value) && /^\d+$/.test(step)))) return value
  if (Array.isArray(value)) return value.map((item) => project(item, paths))
  if (!isDocument(value)) return value
  const kept = Object.keys(value).filter((name) => paths.some(([step]) => step === name))
  const below = (name: string): readonly (readonly string[])[] =>
    paths.filter(([step]) => step === name).map(([, ...rest]) => rest)
  return Object.fromEntries(kept.map((name) => [name, project(value[name], below(name))]))
}

/** Equal values in the same order have the same digest. */
function computeDigest(values: readonly unknown[]): string {
  const hash = createHash('sha256')
  for (const value of values) hash.update(serialize({ value }))
  return hash.digest('hex').slice(0, 16)
}

async function readDocuments(
  { namespace }: DataSet,
  paths: ReadonlySet<string>,
  seed: number,
  { client, database }: SampleContext,
): Promise<Read> {
  const collection = client
    .db(namespace.database ?? database)
    .collection<Uint8Array>(namespace.collection, { raw: true })
  const { choice, documents } = await chooseDocuments(collection, createProjection(paths), sampleSize, seed)
  return { choice, documents: documents.map(fromBson) }
}

/** The server refuses a path together with one that leads to it, and takes numbers for names of fields. */
function createProjection(paths: ReadonlySet<string>): Readonly<Record<string, 1>> {
  const fields = [...paths].map((path) => path.replace(/\.\d+(\..*)?$/, ''))
  const isCovered = (field: string): boolean => fields.some((other) => field.startsWith(`${other}.`))
  return Object.fromEntries(fields.filter((field) => !isCovered(field)).map((field) => [field, 1]))
}

async function nothingThere(dataSet: DataSet, path: string, { client, database }: SampleContext): Promise<Problem> {
  const { namespace } = dataSet
  const few = await client
    .db(namespace.database ?? database)
    .collection(namespace.collection)
    .find({}, { limit: 20 })
    .toArray()
  const names = [...new Set(few.flatMap((document) => Object.keys(document)))]
  if (names.length === 0) {
    return new Problem(
      'spec-invalid',
      `The collection "${dataSet.spec.collection}" is empty: there is nothing to sample`,
      { hint: 'Samples are read before the first phase.' },
    )
  }
  return new Problem('spec-invalid', `No document of "${dataSet.spec.collection}" has a value at "${path}"`, {
    hint: `Its documents have the fields ${names.join(', ')}.`,
  })
}
