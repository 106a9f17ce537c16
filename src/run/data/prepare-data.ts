import { type Collection, type Db, type MongoClient, MongoServerError } from 'mongodb'
import { Problem } from '../../core/errors.ts'
import { suggestion } from '../../language/issues.ts'
import type { DataSetResult } from '../../results/schema.ts'
import {
  claimCollection,
  claimDatabase,
  claimNamedDatabase,
  dropManagedCollections,
} from '../../servers/targets/ownership.ts'
import type { DataSet } from '../../spec/plan/data-set.ts'
import { madeByOutputs, usesBuckets } from '../../spec/plan/writers.ts'
import type { DataSetSpec } from '../../spec/schema/data-schema.ts'
import type { Spec } from '../../spec/schema/schema.ts'
import type { OpenRow } from '../row-run.ts'
import { type IndexBuild, fitIndexes } from './indexes.ts'
import { loadCollections } from './load-collections.ts'
import { loadFile, loadRows } from './load.ts'
import {
  type Cluster,
  type Made,
  createDataResult,
  makeCollection,
  requireRouter,
  switchBalancer,
  timed,
} from './make-collection.ts'
import {
  type KeptCollection,
  type KeptCollections,
  type Touch,
  canBeCopied,
  changeRules,
  classifyWrites,
  computeFingerprint,
  dropCopy,
  fillFromCopy,
  findLaterRequest,
  makeCopy,
  pristineName,
  reusable,
  serializeRules,
  takesAsLeft,
} from './reuse.ts'
import { type SampleCache, readSamples } from './samples.ts'

/** Data that rows leave to each other on a running target. */
export type ReusableData = { readonly collections: KeptCollections; readonly samples: SampleCache }

/** The kept data of a target on which no row has run. */
export const emptyCache = (): ReusableData => ({ collections: new Map(), samples: new Map() })

/** A row whose data is prepared, and how its servers are set up. */
type PrepareContext = OpenRow & IndexBuild & { readonly cluster: Cluster }

/** Whether a row works in a database of ours. One that only looks at collections of others leaves no trace. */
export const needsDatabase = (spec: Spec): boolean =>
  usesBuckets(spec) || madeByOutputs(spec).size > 0 || spec.data.some(({ existing }) => existing === undefined)

/** Makes every collection of a row what its spec says, and reads the samples that its calls draw from. */
export async function prepareData(dataSets: readonly DataSet[], context: PrepareContext): Promise<DataSetResult[]> {
  const { client, db, database, spec, kept, cluster, at, emit } = context
  const earlier: KeptCollections = new Map(kept.collections)
  // Whatever fails from here on, nothing of it is taken for whole.
  kept.collections.clear()
  await requireRouter(spec.data, cluster)
  if (needsDatabase(spec)) await claimOwn(context, earlier)
  const results: DataSetResult[] = []
  for (const dataSet of dataSets) {
    const { existing, collections } = dataSet.spec
    const result =
      existing !== undefined
        ? await findExisting(client, dataSet)
        : collections !== undefined
          ? await loadCollections(db, dataSet, context)
          : await prepareManaged(dataSet, earlier, context)
    results.push(result)
    emit({ kind: 'loaded', at, data: result })
  }
  await switchBalancer(spec.data, cluster)
  const samples = await readSamples(dataSets, spec, { client, database, cache: kept.samples })
  for (const result of results) result.samples = samples.get(result.collection) ?? []
  return results
}

/** Claims the database of the row, and drops what earlier rows have left there and this one does not take. */
async function claimOwn({ db, spec, ownLoad }: PrepareContext, earlier: KeptCollections): Promise<void> {
  await (ownLoad?.database === undefined ? claimDatabase(db) : claimNamedDatabase(db, ofOthers))
  await dropManagedCollections(db, namesToKeep(spec, earlier))
  for (const collection of madeByOutputs(spec)) await claimCollection(db, collection)
}

const ofOthers = 'Replay on the data that is there, without --data; or drop it yourself if it is not needed.'

function namesToKeep({ data, seed }: Spec, earlier: KeptCollections): ReadonlySet<string> {
  const names = data.flatMap((dataSet) => {
    const last = reusable(dataSet, seed, earlier)
    const { collection } = dataSet
    const isKept = last !== undefined && takesAsLeft(dataSet, last.touched)
    return [...(isKept ? [collection] : []), ...(last?.hasCopy ? [pristineName(collection)] : [])]
  })
  return new Set(names)
}

async function prepareManaged(
  dataSet: DataSet,
  earlier: KeptCollections,
  context: PrepareContext,
): Promise<DataSetResult> {
  const { db, spec: row, kept } = context
  const { spec } = dataSet
  const last = reusable(spec, row.seed, earlier)
  await claimCollection(db, spec.collection)
  const { result, indexes } = last ? await reuse(db, spec, last, context) : await load(db, dataSet, context)
  const touched = touchAfter(last, row, spec)
  kept.collections.set(spec.collection, {
    fingerprint: computeFingerprint(spec, row.seed),
    rules: serializeRules(spec),
    filled: { rows: result.rows, meanDocumentBytes: result.meanDocumentBytes },
    indexes,
    touched,
    hasCopy: await keepCopy(spec, last?.hasCopy === true, { result, touched, context }),
  })
  return result
}

/**
 * Keeps a copy of the rows while a later row asks for them.
 * @returns whether there is one.
 */
async function keepCopy(
  spec: DataSetSpec,
  hadCopy: boolean,
  { result, touched, context: { db, spec: row, next } }: Prepared,
): Promise<boolean> {
  const later = findLaterRequest(next?.spec, spec, row.seed)
  const isWanted = later !== undefined && canBeCopied(spec)
  if (hadCopy && !isWanted) await dropCopy(db, spec.collection)
  if (hadCopy || !isWanted) return isWanted
  // What updates have changed is no longer what a later row asks for.
  const isNeeded = !takesAsLeft(later, touched) && result.source !== 'changed'
  return isNeeded && (await makeCopy(db, spec.collection))
}

type Prepared = { readonly result: DataSetResult; readonly touched: Touch; readonly context: PrepareContext }

/** Returns the changes to the rows by this row, and by those before it that left them in place. */
function touchAfter(last: KeptCollection | undefined, row: Spec, spec: DataSetSpec): Touch {
  const now = classifyWrites(row, spec)
  const isKept = last !== undefined && takesAsLeft(spec, last.touched)
  return now === 'nothing' && isKept ? last.touched : now
}

function load(db: Db, dataSet: DataSet, context: PrepareContext): Promise<Made> {
  const { spec } = dataSet
  const fill = spec.file === undefined ? loadRows : loadFile
  return makeCollection(db, spec, () => fill(db, dataSet, context), context)
}

async function reuse(db: Db, spec: DataSetSpec, last: KeptCollection, context: PrepareContext): Promise<Made> {
  const { filled, touched } = last
  if (!takesAsLeft(spec, touched))
    return await makeCollection(db, spec, () => fillFromCopy(db, spec.collection, filled), context)
  if (last.rules !== serializeRules(spec)) await changeRules(db, spec, context.onSent)
  const { value: indexes, seconds } = await timed(context.clock, fitIndexes(db, spec, last.indexes, context))
  const source = touched === 'nothing' ? 'kept' : 'changed'
  return { result: createDataResult(spec, { source, ...filled }, 0, seconds), indexes }
}

/** Reads a collection that mongo-perf did not create, and changes nothing. */
async function findExisting(client: MongoClient, { spec, namespace }: DataSet): Promise<DataSetResult> {
  const db = client.db(namespace.database)
  const names = (await db.listCollections({}, { nameOnly: true, authorizedCollections: true }).toArray()).map(
    ({ name }) => name,
  )
  if (!names.includes(namespace.collection)) {
    throw new Problem(
      'spec-invalid',
      `The server has no collection "${spec.existing}"${suggestion(namespace.collection, names)}`,
      {
        hint: 'Correct "existing" in the spec, or give the user of the URI the right to read it. To read a collection that does not exist, use a separate data set with "create": false.',
      },
    )
  }
  const collection = db.collection(namespace.collection)
  const rows = await countUpTo(collection, spec.rows)
  const found = { ...spec, indexes: await secondaryIndexes(collection) }
  return createDataResult(found, { source: 'existing', rows, meanDocumentBytes: null }, 0, 0)
}

/** The estimate of a server that was killed may be too low: then the documents that are needed are counted. */
async function countUpTo(collection: Collection, needed: number): Promise<number> {
  const estimate = await collection.estimatedDocumentCount()
  return estimate >= needed ? estimate : collection.countDocuments({}, { limit: needed })
}

async function secondaryIndexes(collection: Collection): Promise<DataSetSpec['indexes']> {
  try {
    const found = await collection.indexes()
    return found.filter(({ name }) => name !== '_id_') as DataSetSpec['indexes']
  } catch (error) {
    // A view has none, and refuses.
    if (error instanceof MongoServerError && error.codeName === 'CommandNotSupportedOnView') return []
    throw error
  }
}
