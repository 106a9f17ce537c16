import { Problem } from '../errors.ts'
import { type Db, type MongoClient } from 'mongodb'
import { type StartContext } from '../targets/target.ts'
import { type CallGroups, createGrouping } from './call-groups.ts'
import { type Comparison } from './comparison.ts'
import { decode, sampleCollection } from './sample-collection.ts'
import { type CollectionProfile } from './collection-profile.ts'
import { collectionsOf, specOfProfile } from './spec-of-profile.ts'
import { type MadeSpec, specOfCollection, specOfExisting } from './spec-of-collection.ts'
import { specOfComparison } from './spec-of-comparison.ts'
import { withReferences } from './references.ts'
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
  const { profile, server } = await visit(start, async (client) => ({
    profile: await sampleCollection(client.db(namespace.slice(0, cut)), namespace.slice(cut + 1), sample),
    server: await readTopology(client),
  }))
  if (existing) return specOfExisting(profile, keepValues)
  const made = comparison
    ? specOfComparison(profile, comparison, { keepValues, server })
    : specOfCollection(profile, keepValues)
  return onSameTopology(made, server)
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
    return { ...onSameTopology(profiled, await readTopology(client)), expected: profiled.expected }
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
