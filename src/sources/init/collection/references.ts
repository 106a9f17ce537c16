import { type Db, type Document, type Filter } from 'mongodb'
import { type CallGroups } from '../profile/call-groups.ts'
import { joinsIn } from '../profile/parameterize-pipeline.ts'
import { type CollectionProfile } from './collection-profile.ts'
import { mainKind } from './field-path.ts'
import { type Kind } from './kinds.ts'
import { type Shape } from './shape.ts'

/** Kinds of which two equal values are no accident; numbers point into another collection only where a `$lookup` says so. */
const telling: ReadonlySet<Kind | 'object' | 'array' | undefined> = new Set(['objectId', 'uuid', 'string'])
const tried = 20
/** Share of the values that must be keys of the other collection. */
const minFound = 0.8

/** The collections with the fields that hold `_id`s of another one, by looking up some of their values. */
export async function withReferences(
  db: Db,
  { groups }: CallGroups,
  collections: readonly CollectionProfile[],
): Promise<readonly CollectionProfile[]> {
  const joined = new Set(
    groups.flatMap(({ call }) => joinsIn(call.pipeline).map((path) => `${call.collection}.${path}`)),
  )
  const found: CollectionProfile[] = []
  for (const profile of collections) {
    const references = new Map<string, string>()
    for (const [path, shape] of placesIn(profile.shape)) {
      const kind = mainKind(shape)
      const seen = [...(shape.scalars.get(kind as Kind)?.seen.values() ?? [])].slice(0, tried)
      const values = seen.flatMap(({ value }) => (value === undefined ? [] : [value as unknown]))
      if (path === '_id' || values.length === 0) continue
      if (!telling.has(kind) && !joined.has(`${profile.collection}.${path}`)) continue
      for (const other of collections) {
        const id = other.shape.object?.fields.get('_id')
        if (other === profile || references.has(path) || !id || mainKind(id) !== kind) continue
        const filter = { _id: { $in: values } } as Filter<Document>
        const count = await db.collection(other.collection).countDocuments(filter, { maxTimeMS: 10_000 })
        if (count >= minFound * values.length) references.set(path, other.collection)
      }
    }
    found.push({ ...profile, references })
  }
  return found
}

/** Every path with its shape; elements of arrays have the path of the array. */
function placesIn({ object, array }: Shape, path = ''): readonly (readonly [path: string, shape: Shape])[] {
  const fields = [...(object?.fields ?? [])].map(
    ([name, field]) => [path === '' ? name : `${path}.${name}`, field] as const,
  )
  const inner = array ? [...fields, [path, array.element] as const] : fields
  return inner.flatMap(([at, shape]) => [[at, shape] as const].concat(placesIn(shape, at)))
}
