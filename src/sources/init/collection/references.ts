import { type Db, type Document, type Filter } from 'mongodb'
import { type CallGroups } from '../profile/call-groups.ts'
import { joinsIn } from '../profile/parameterize-pipeline.ts'
import { type CollectionProfile, type Reference } from './collection-profile.ts'
import { mainKind } from './field-path.ts'
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
  others: readonly string[],
  joined: ReadonlySet<string> = new Set(),
): Promise<CollectionProfile> {
  const references = new Map<string, Reference>()
  for (const [path, shape] of placesIn(profile.shape)) {
    const kind = mainKind(shape)
    const seen = [...(shape.scalars.get(kind as Kind)?.seen.values() ?? [])].slice(0, tried)
    const values = seen.flatMap(({ value }) => (value === undefined ? [] : [value as unknown]))
    if (path === '_id' || values.length === 0) continue
    if (!telling.has(kind) && !joined.has(`${profile.collection}.${path}`)) continue
    for (const other of others) {
      if (other === profile.collection || references.has(path)) continue
      const filter = { _id: { $in: values } } as Filter<Document>
      const count = await db.collection(other).countDocuments(filter, { maxTimeMS: 10_000 })
      const share = count / values.length
      if (share >= minFound) references.set(path, { collection: other, share })
    }
  }
  return { ...profile, references }
}

/** Every path with its shape; elements of arrays have the path of the array. */
function placesIn({ object, array }: Shape, path = ''): readonly (readonly [path: string, shape: Shape])[] {
  const fields = [...(object?.fields ?? [])].map(
    ([name, field]) => [path === '' ? name : `${path}.${name}`, field] as const,
  )
  const inner = array ? [...fields, [path, array.element] as const] : fields
  return inner.flatMap(([at, shape]) => [[at, shape] as const].concat(placesIn(shape, at)))
}
