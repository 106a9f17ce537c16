import { type Db, type Document, type Filter } from 'mongodb'
import { type CallGroups } from '../profile/call-groups.ts'
import { joinsIn } from '../profile/parameterize-pipeline.ts'
import { type CollectionProfile, type Reference } from './collection-profile.ts'
import { mainKind, placesIn } from './field-path.ts'
import { type Kind } from './kinds.ts'
import { type Shape } from './shape.ts'

/** Kinds of which two equal values are no accident; numbers point into another collection only where a `$lookup` says so. */
const telling: ReadonlySet<Kind | 'object' | 'array' | undefined> = new Set(['objectId', 'uuid', 'string'])
const tried = 100
/** Share of the values that must be keys of the other collection. */
const minFound = 0.8
/** Collections of a database that are looked at. */
const maxOthers = 50

/** The collections with the fields that hold `_id`s of another one, by looking up some of their values. */
export async function withReferences(
  db: Db,
  { groups }: CallGroups,
  collections: readonly CollectionProfile[],
): Promise<readonly CollectionProfile[]> {
  const joined = new Set(
    groups.flatMap(({ call }) => joinsIn(call.pipeline).map((path) => `${call.collection}.${path}`)),
  )
  const names = collections.map(({ collection }) => collection)
  const found: CollectionProfile[] = []
  for (const profile of collections) found.push(await withReferencesTo(db, profile, names, joined))
  return found
}

/** A collection with its references to others of its database, and the names of these. */
export async function withReferencesToAll(
  db: Db,
  profile: CollectionProfile,
): Promise<{ readonly profile: CollectionProfile; readonly names: readonly string[] }> {
  const all = await db
    .listCollections({ type: 'collection' }, { nameOnly: false, authorizedCollections: true })
    .toArray()
  const others = all.map(({ name }) => name).filter((name) => !name.startsWith('system.'))
  const referring = await withReferencesTo(db, profile, others.toSorted().slice(0, maxOthers))
  const names = [...(referring.references?.values() ?? [])].map(({ collection }) => collection)
  return { profile: referring, names: [...new Set(names)] }
}

async function withReferencesTo(
  db: Db,
  profile: CollectionProfile,
  names: readonly string[],
  joined: ReadonlySet<string> = new Set(),
): Promise<CollectionProfile> {
  const references = new Map<string, Reference>()
  const others = names.filter((name) => name !== profile.collection)
  for (const [path, shape] of placesIn(profile.shape)) {
    if (path === '_id' || references.has(path)) continue
    const isJoined = joined.has(`${profile.collection}.${path}`)
    const found = await findReferred(db, listTellingValues(shape, isJoined), others)
    if (found) references.set(path, found)
  }
  return { ...profile, references }
}

/** Some of the values that may be keys of another collection. */
function listTellingValues({ scalars, ...shape }: Shape, isJoined: boolean): readonly unknown[] {
  const kind = mainKind({ scalars, ...shape })
  const seen = isJoined || telling.has(kind) ? [...(scalars.get(kind as Kind)?.seen.values() ?? [])] : []
  return seen.slice(0, tried).flatMap(({ value }) => (value === undefined ? [] : [value]))
}

async function findReferred(
  db: Db,
  values: readonly unknown[],
  names: readonly string[],
): Promise<Reference | undefined> {
  const filter = { _id: { $in: values } } as Filter<Document>
  for (const collection of values.length > 0 ? names : []) {
    const share = (await db.collection(collection).countDocuments(filter, { maxTimeMS: 10_000 })) / values.length
    if (share >= minFound) return { collection, share }
  }
  return undefined
}
