import { type Collection, type Db, type WriteConcernSettings } from 'mongodb'
import { Problem } from '../../core/errors.ts'

/** Prefix of every database that we work in. */
const databasePrefix = 'mongoperf_'

/** The database that runs of a spec work in. */
export const toDatabaseName = (specName: string): string => `${databasePrefix}${specName.replaceAll('-', '_')}`

/** Holds the proof that a database is ours, and what in it is. No spec may name a collection so. */
export const markerCollection = '__mongo_perf_marker'

const markerId = 'mongo-perf'

type Marker = {
  readonly _id: typeof markerId
  readonly tool: 'mongo-perf'
  readonly createdAt: Date
  /** Collections that we created. */
  readonly collections: readonly string[]
}

/**
 * A majority, so that what is ours stays ours. A handle that asks for some members, and not for a majority, is of a set in
 * which none may be left that can be reached: it gets what it asks for.
 */
function acknowledgedBy({ writeConcern }: Db): { readonly writeConcern: WriteConcernSettings } {
  const given = writeConcern?.w
  return { writeConcern: { w: typeof given === 'number' && given > 0 ? given : 'majority', wtimeoutMS: 10_000 } }
}

const markers = (db: Db): Collection<Marker> => db.collection<Marker>(markerCollection)

/** An empty list comes back as nothing from some servers, such as FerretDB. */
async function readMarker(db: Db): Promise<Marker | null> {
  const found = await markers(db).findOne({ _id: markerId }, { readPreference: 'primary' })
  return found && { ...found, collections: found.collections ?? [] }
}

/** Makes a database ours whose name says so: an empty one gets our marker, one with our marker is taken, any other is refused. */
export async function claimDatabase(db: Db): Promise<void> {
  const name = db.databaseName
  if (!name.startsWith(databasePrefix) || name === databasePrefix) {
    throw new Problem('refused', `The database "${name}" is not one that we may work in`, {
      hint: `Choose a name that begins with "${databasePrefix}".`,
    })
  }
  await claimNamedDatabase(
    db,
    'Drop it yourself if it is not needed. A spec with another "name" works in a database of another name.',
  )
}

/** Does the same with a database of any name. @param hint The next step where it is not ours. */
export async function claimNamedDatabase(db: Db, hint: string): Promise<void> {
  if (await readMarker(db)) return
  if ((await collectionNames(db)).length > 0)
    throw new Problem('refused', `The database "${db.databaseName}" exists and was not made by mongo-perf`, { hint })
  const marker: Marker = { _id: markerId, tool: 'mongo-perf', createdAt: new Date(), collections: [] }
  await markers(db).updateOne({ _id: markerId }, { $setOnInsert: marker }, { upsert: true, ...acknowledgedBy(db) })
}

/** Makes a collection of a claimed database ours, before it is created. One that others put there is refused. */
export const claimCollection = (db: Db, collection: string): Promise<void> => claimCollections(db, [collection])

/** Makes collections of a claimed database ours, before they are created. One that others put there is refused. */
export async function claimCollections(db: Db, names: readonly string[]): Promise<void> {
  const ours = new Set((await requireMarker(db)).collections)
  const missing = names.filter((name) => !ours.has(name))
  if (missing.length === 0) return
  const taken = new Set([markerCollection, ...(await collectionNames(db))])
  const other = missing.find((name) => taken.has(name))
  if (other !== undefined) {
    throw new Problem('refused', `The collection "${db.databaseName}.${other}" was not made by mongo-perf`, {
      hint: 'Choose another name in the spec.',
    })
  }
  await markers(db).updateOne({ _id: markerId }, { $push: { collections: { $each: missing } } }, acknowledgedBy(db))
}

/** Collections that are dropped at the same time. */
const atOnce = 16

/**
 * Drops the collections that are ours by the marker, and no other. The database stays claimed.
 * @param keep Collections of ours that stay.
 */
export async function dropManagedCollections(db: Db, keep: ReadonlySet<string> = new Set()): Promise<void> {
  const { collections } = await requireMarker(db)
  await dropClaimed(db, new Set(collections.filter((name) => !keep.has(name))))
}

/** Drops those of these collections that are ours by the marker. */
export async function dropClaimed(db: Db, names: ReadonlySet<string>): Promise<void> {
  const { collections } = await requireMarker(db)
  const ours = collections.filter((name) => names.has(name))
  for (let at = 0; at < ours.length; at += atOnce) {
    const some = ours.slice(at, at + atOnce)
    await Promise.all(some.map((name) => db.dropCollection(name, acknowledgedBy(db))))
    await markers(db).updateOne({ _id: markerId }, { $pullAll: { collections: some } }, acknowledgedBy(db))
  }
}

/** Drops what is ours; a database in which nothing else is left ends with it. Without our marker nothing is dropped. */
export async function dropManagedDatabase(db: Db): Promise<void> {
  await dropManagedCollections(db)
  await markers(db).drop(acknowledgedBy(db))
}

export const isOurs = async (db: Db): Promise<boolean> => (await readMarker(db)) !== null

/** Does the same where mongo-perf made the database, and nothing elsewhere. */
export async function dropDatabaseIfOurs(db: Db): Promise<void> {
  if (await isOurs(db)) await dropManagedDatabase(db)
}

async function requireMarker(db: Db): Promise<Marker> {
  const marker = await readMarker(db)
  if (marker) return marker
  throw new Problem('refused', `The database "${db.databaseName}" does not have the marker of mongo-perf`, {
    hint: 'Only databases that mongo-perf made are changed. Drop this one yourself if it is not needed.',
  })
}

/** Without the server's own ("system.views"), which stay behind when the last of their kind is gone. */
async function collectionNames(db: Db): Promise<string[]> {
  const list = await db.listCollections({}, { nameOnly: true, authorizedCollections: false }).toArray()
  return list.map(({ name }) => name).filter((name) => !name.startsWith('system.'))
}
