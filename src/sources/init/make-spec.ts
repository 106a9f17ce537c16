import { Problem } from '../../core/errors.ts'
import { type Db, type Document, type MongoClient } from 'mongodb'
import { type StartContext } from '../../servers/targets/target.ts'
import { type CallGroups, createGrouping } from './call-groups.ts'
import { type Comparison } from './comparison.ts'
import { decode, sampleCollection } from './sample-collection.ts'
import { type CollectionProfile } from './collection-profile.ts'
import { collectionsOf, specOfProfile } from './spec-of-profile.ts'
import { type MadeSpec, specOfCollection, specOfExisting } from './spec-of-collection.ts'
import { specOfComparison } from './spec-of-comparison.ts'
import { withReferences } from './references.ts'
import { withFittingValidators } from './fitting-validators.ts'
import { holdsText } from './indexes.ts'
import { collectionsIn, isCopyable } from './parameterize-pipeline.ts'
import { onSameTopology, readTopology } from './topology.ts'
import { tryOperations } from './trial.ts'
import { visit, visitorName } from './visit.ts'

/** Options for making a spec from a server. */
export type MakeOptions = {
  /** Documents to sample, per collection. */
  readonly sample: number
  /** Whether the spec may contain short real values that repeat. */
  readonly keepValues: boolean
}

/** Options for making a spec from one collection. */
export type CollectionOptions = MakeOptions & {
  /** Whether the spec reads the existing collection instead of a generated one. */
  readonly existing: boolean
  /** What the variants of the spec differ in. Default: nothing. */
  readonly comparison?: Comparison
}

/**
 * Makes a spec from a collection of the server of MONGO_PERF_URI, which is only read.
 * @param namespace "database.collection".
 * @throws {Problem} when the collection does not exist or cannot be read.
 */
export async function specFromCollection(
  namespace: string,
  { sample, keepValues, existing, comparison }: CollectionOptions,
  start: StartContext,
): Promise<MadeSpec> {
  const cut = namespace.indexOf('.')
  if (cut < 1 || cut === namespace.length - 1)
    throw new Problem('usage', `--from ${namespace} does not name a database and a collection`, {
      hint: 'Write --from database.collection.',
    })
  return await visit(start, async (client) => {
    const db = client.db(namespace.slice(0, cut))
    const profile = await sampleCollection(db, namespace.slice(cut + 1), sample)
    const server = await readTopology(client)
    if (existing) return specOfExisting(profile, keepValues)
    const base = comparison ? undefined : await baseOf(profile, db, { sample, keepValues })
    const made = comparison
      ? specOfComparison(profile, comparison, { keepValues, server })
      : specOfCollection(base ?? profile, keepValues, base && profile)
    return await withFittingValidators(onSameTopology(made, server), db)
  })
}

/** The collection of which a view shows documents. Undefined if it is no view, or one that a spec cannot make. */
async function baseOf({ kind, options }: CollectionProfile, db: Db, { sample, keepValues }: MakeOptions) {
  const { viewOn, pipeline = [] } = options as { readonly viewOn?: string; readonly pipeline?: readonly Document[] }
  if (kind !== 'view' || viewOn === undefined || collectionsIn(pipeline).length > 0 || !isCopyable(pipeline))
    return undefined
  if (!keepValues && holdsText(pipeline)) return undefined
  const base = await sampleCollection(db, viewOn, sample)
  return base.kind === 'collection' ? base : undefined
}

/**
 * Makes a spec from the operations in a database's profile. It reads the profile and never turns it on.
 * @throws {Problem} when there is no profile, or no operation in it that a spec can run.
 */
export async function specFromProfile(
  database: string,
  { sample, keepValues }: MakeOptions,
  start: StartContext,
): Promise<MadeSpec> {
  const { expected, ...made } = await visit(start, async (client: MongoClient) => {
    const db = client.db(database)
    const found = await readProfile(db)
    if (found.entries === 0) throw noProfile(database)
    const sampled = await profileCollections(db, collectionsOf(found), sample)
    const collections = await withReferences(db, found, sampled)
    const profiled = specOfProfile(database, found, collections, keepValues)
    if (profiled === undefined) throw nothingToDo(database)
    const fitting = await withFittingValidators(onSameTopology(profiled, await readTopology(client)), db)
    return { ...fitting, expected: profiled.expected }
  })
  return await tryOperations(made, expected, start)
}

async function readProfile(db: Db): Promise<CallGroups> {
  const grouping = createGrouping(db.databaseName)
  const others = { appName: { $ne: visitorName } }
  const entries = db.collection('system.profile').find(others, { raw: true, batchSize: 1000, maxTimeMS: 60_000 })
  for await (const entry of entries) grouping.add(decode(entry))
  return grouping.result()
}

/** Skips collections that no longer exist. */
async function profileCollections(
  db: Db,
  names: readonly string[],
  sample: number,
): Promise<readonly CollectionProfile[]> {
  const there = await db.listCollections({ name: { $in: [...names] } }, { nameOnly: true }).toArray()
  const collections: CollectionProfile[] = []
  for (const { name } of there) collections.push(await sampleCollection(db, name, sample))
  return collections
}

function noProfile(database: string): Problem {
  return new Problem('usage', `The server has no profile of "${database}"`, {
    hint: 'Turn it on yourself for a while (db.setProfilingLevel(2), or 1 for slow operations), let your program work, turn it off, and run this again.',
  })
}

function nothingToDo(database: string): Problem {
  return new Problem('usage', `The profile of "${database}" holds no operation that a spec can run`, {
    hint: 'Let your program work while the profile is on; failed operations alone make no spec.',
  })
}
