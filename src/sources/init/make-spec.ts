import { type Db, type Document, type MongoClient, MongoServerError } from 'mongodb'
import { Problem } from '../../core/errors.ts'
import { type JsonObject } from '../../core/json.ts'
import { appNameFor, createAdminClient } from '../../servers/targets/connection/admin-client.ts'
import {
  hintForCause,
  isDriverError,
  messageWithoutSecrets,
  hintForMissingRole,
  rolesToRead,
} from '../../servers/targets/connection/driver-error.ts'
import { startTarget, targetSpec } from '../../servers/targets/index.ts'
import { type StartContext } from '../../servers/targets/target.ts'
import { type CollectionProfile } from './collection/collection-profile.ts'
import { holdsText } from './collection/indexes.ts'
import { withReferences, withReferencesToAll } from './collection/references.ts'
import { decode, sampleCollection } from './collection/sample-collection.ts'
import { specOfCollection, specOfExisting, specOfQuery } from './collection/spec-of-collection.ts'
import { type Comparison, specOfComparison } from './comparison/spec-of-comparison.ts'
import { specOfExistingIndexes } from './comparison/spec-of-existing-indexes.ts'
import { loadDataSets, makeDocuments } from './data/data-set.ts'
import { type Draft, listSets, type MadeSpec, writeDraft } from './draft.ts'
import { type CallGroups, createGrouping } from './profile/call-groups.ts'
import { collectionsIn, isCopyable } from './profile/parameterize-pipeline.ts'
import { listUsedCollections, specOfProfile } from './profile/spec-of-profile.ts'
import { describePlan, explainCall } from './query/describe-call.ts'
import { type OwnQuery } from './query/read-query.ts'
import { readCalls } from './recording/read-calls.ts'
import { specOfRecording } from './recording/spec-of-recording.ts'
import { onSameTopology, readTopology, type Topology } from './topology.ts'
import { tryOperations } from './trial.ts'

export type MakeOptions = {
  /** Documents to sample, per collection. */
  readonly sample: number
  /** Whether the spec may contain short real values that repeat. */
  readonly keepValues: boolean
}

export type CollectionOptions = MakeOptions & {
  /** Whether the spec reads the existing collection instead of a generated one. */
  readonly existing: boolean
  /** Differences between the variants of the spec. Default: none. */
  readonly comparison?: Comparison | undefined
  /** A call of the user's program, which is measured instead of what indexes are for. */
  readonly query?: OwnQuery | undefined
}

/**
 * Makes a spec from a collection of the server of MONGO_PERF_URI, which is only read.
 * @param namespace "database.collection".
 * @throws {Problem} when the collection does not exist or cannot be read.
 */
export async function specFromCollection(
  namespace: string,
  options: CollectionOptions,
  start: StartContext,
): Promise<MadeSpec> {
  const { database, collection } = splitNamespace('--from', namespace)
  const { query } = options
  return await visit(start, async (client) => {
    const db = client.db(database)
    const profile = await sampleCollection(db, collection, options.sample)
    const server = await readTopology(client)
    const plan = query && (await explainCall(db.collection(profile.collection), query.call))
    const made = writeDraft(await draftFromCollection(profile, db, server, options))
    // It is about the server of today, so that it is not in the spec.
    return plan ? { ...made, notes: [`As you wrote it: ${describePlan(plan)}`, ...made.notes] } : made
  })
}

/** @throws {Problem} when an option does not name a collection. */
export function splitNamespace(
  option: string,
  namespace: string,
): { readonly database: string; readonly collection: string } {
  const cut = namespace.indexOf('.')
  if (cut > 0 && cut < namespace.length - 1)
    return { database: namespace.slice(0, cut), collection: namespace.slice(cut + 1) }
  throw new Problem('usage', `${option} ${namespace} does not name a database and a collection`, {
    hint: `Write ${option} database.collection.`,
  })
}

async function draftFromCollection(
  profile: CollectionProfile,
  db: Db,
  server: Topology,
  options: CollectionOptions,
): Promise<Draft> {
  const { keepValues, existing, comparison, query } = options
  if (existing)
    return comparison && comparison.indexes.length > 0
      ? specOfExistingIndexes(profile, comparison.indexes, query)
      : specOfExisting(profile, keepValues, query)
  const draft = comparison
    ? specOfComparison(profile, comparison, { keepValues, server, query })
    : query
      ? specOfQuery(profile, query, keepValues)
      : await draftMix(profile, db, options)
  return await withFittingValidators(onSameTopology(draft, server), db)
}

async function draftMix(profile: CollectionProfile, db: Db, options: MakeOptions): Promise<Draft> {
  const base = await sampleViewSource(profile, db, options)
  if (base) return specOfCollection(base, options.keepValues, { view: profile })
  if (profile.kind !== 'collection') return specOfCollection(profile, options.keepValues)
  const { profile: referring, names } = await withReferencesToAll(db, profile)
  const referred: CollectionProfile[] = []
  for (const name of names) referred.push(await sampleCollection(db, name, options.sample))
  return specOfCollection(referring, options.keepValues, { referred })
}

/** The collection of which a view shows documents. Undefined if it is no view, or one that a spec cannot make. */
async function sampleViewSource({ kind, options }: CollectionProfile, db: Db, { sample, keepValues }: MakeOptions) {
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
export const specFromProfile = async (database: string, options: MakeOptions, start: StartContext): Promise<MadeSpec> =>
  writeDraft(await draftFromCalls(database, groupProfile, options, start))

/**
 * Makes a spec from the calls of a recording, with the rate at which they came, on data like that of the server.
 * @throws {Problem} when it cannot be read, or has no operation that a spec can run.
 */
export async function specFromRecording(file: string, options: MakeOptions, start: StartContext): Promise<MadeSpec> {
  const calls = await readCalls(file)
  const draft = await draftFromCalls(calls.database, async () => calls.found, options, start)
  return writeDraft(specOfRecording(calls, draft))
}

async function draftFromCalls(
  database: string,
  readGroups: (db: Db) => Promise<CallGroups>,
  { sample, keepValues }: MakeOptions,
  start: StartContext,
): Promise<Draft> {
  const draft = await visit(start, async (client: MongoClient) => {
    const db = client.db(database)
    const found = await readGroups(db)
    const sampled = await profileCollections(db, listUsedCollections(found), sample)
    const profiled = specOfProfile(database, found, await withReferences(db, found, sampled), keepValues)
    if (profiled === undefined) throw nothingToDo(database)
    return await withFittingValidators(onSameTopology(profiled, await readTopology(client)), db)
  })
  const tried = await tryOperations(writeDraft(draft), draft.expected, start)
  tried.forEach(draft.notes.trail)
  return draft
}

/** Reads the calls in the profile of a database of the server of MONGO_PERF_URI. @throws {Problem} when there is no profile. */
export const readProfile = (database: string, start: StartContext): Promise<CallGroups> =>
  visit(start, async (client) => groupProfile(client.db(database)))

async function groupProfile(db: Db): Promise<CallGroups> {
  const grouping = createGrouping(db.databaseName)
  const others = { appName: { $nin: visitorNames } }
  const entries = db.collection('system.profile').find(others, { raw: true, batchSize: 1000, maxTimeMS: 60_000 })
  for await (const entry of entries) grouping.add(decode(entry))
  const found = grouping.result()
  if (found.entries === 0) throw noProfile(db.databaseName)
  return found
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
  return new Problem('usage', `There is no operation on "${database}" that a spec can run`, {
    hint: 'Let your program work while it is profiled or recorded; failed operations alone make no spec.',
  })
}

/** The application names of mongo-perf's own operations in a server's profile and log. */
const visitorNames = (['init', 'index'] as const).map(appNameFor)

/** Code of the server's error MaxTimeMSExpired. */
const maxTimeExpired = 50

/** Connects to the server of MONGO_PERF_URI, under the same rules as a run, and calls `read` with the client. */
async function visit<Result>(start: StartContext, read: (client: MongoClient) => Promise<Result>): Promise<Result> {
  await using target = await startTarget(targetSpec.parse({ kind: 'existing' }), start)
  if (start.signal.aborted) throw stopped()
  await using client = createAdminClient(target.uri, { purpose: 'init' })
  const leave = (): void => void client.close()
  start.signal.addEventListener('abort', leave)
  try {
    return await read(client)
  } catch (error) {
    throw start.signal.aborted ? stopped() : explained(error, target.uri)
  } finally {
    start.signal.removeEventListener('abort', leave)
  }
}

const stopped = (): Problem => new Problem('aborted', 'Stopped before a spec was written', { hint: 'Run it again.' })

function explained(error: unknown, uri: string): unknown {
  if (!isDriverError(error)) return error
  const reason = messageWithoutSecrets(error, uri)
  const code = error instanceof MongoServerError ? error.code : undefined
  const hint = hintForMissingRole(error, { uri, database: 'admin', roles: rolesToRead })
  if (hint !== undefined)
    return new Problem('target-unreachable', `The user of the URI may not read the collection: ${reason}`, { hint })
  if (code === maxTimeExpired)
    return new Problem('target-unreachable', `The server needed too long to sample the collection: ${reason}`, {
      hint: 'Take a smaller sample with --sample; the server computes a whole view to sample it.',
    })
  return new Problem('target-unreachable', `The server could not be read: ${reason}`, {
    hint: hintForCause(error) ?? 'Check that it runs and that this machine can reach it.',
  })
}

/** Rows whose documents are looked at. */
const triedRows = Array.from({ length: 50 }, (_, row) => row)

/** Removes the validators that made-up documents do not pass, as the server says: it looks at some without storing them. */
async function withFittingValidators<Some extends Draft>(draft: Some, db: Db): Promise<Some> {
  const sets = listSets(draft)
  if (!JSON.stringify(sets).includes('"validator"')) return draft
  const loaded = loadDataSets(writeDraft(draft).spec)
  const fitted: JsonObject[] = []
  for (const [i, set] of sets.entries()) {
    const validator = loaded[i]?.options?.['validator']
    const refused = validator && (await refusedBy(db, validator as Document, makeDocuments(loaded, i, triedRows)))
    if (refused) draft.notes.trail(`The validator of ${String(set['collection'])} is left out: ${refused}.`)
    fitted.push(refused ? withoutValidator(set) : set)
  }
  return { ...draft, sets: fitted }
}

function withoutValidator({ options, ...set }: JsonObject): JsonObject {
  const { validator: _, validationLevel: __, validationAction: ___, ...others } = options as JsonObject
  return { ...set, ...(Object.keys(others).length > 0 && { options: others }) }
}

async function refusedBy(db: Db, validator: Document, documents: readonly object[]): Promise<string | undefined> {
  try {
    const passing = await db.aggregate([{ $documents: documents }, { $match: validator }, { $count: 'n' }]).toArray()
    const count = Number(passing[0]?.['n'] ?? 0)
    return count === documents.length
      ? undefined
      : `${documents.length - count} of ${documents.length} made-up documents do not pass it`
  } catch (error) {
    if (!(error instanceof MongoServerError)) throw error
    return 'this server cannot say whether made-up documents pass it'
  }
}
