import { serialize } from 'bson'
import { decode } from '../../src/init/sample-collection.ts'
import { type FoundIndex, type CollectionProfile } from '../../src/init/collection-profile.ts'
import { newShape, observe } from '../../src/init/shape.ts'

/** The profile of a collection of these documents. */
export function profileOf(
  documents: readonly object[],
  { indexes = [], ...changes }: Partial<CollectionProfile> = {},
): CollectionProfile {
  const shape = newShape()
  for (const document of documents) observe(shape, decode(serialize(document, { ignoreUndefined: true })))
  return {
    database: 'shop',
    collection: 'orders',
    kind: 'collection',
    documents: documents.length,
    sampled: documents.length,
    meanBytes: 200,
    options: {},
    indexes: [{ name: '_id_', key: { _id: 1 } }, ...indexes],
    shape,
    ...changes,
  }
}

/** An index as the server lists it. */
export const foundIndex = (key: FoundIndex['key'], options: object = {}): FoundIndex => ({
  v: 2,
  key,
  name: Object.entries(key).flat().join('_'),
  ...options,
})
