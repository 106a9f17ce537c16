import { calculateObjectSize, type Document, serialize } from 'bson'
import {
  type FoundIndex,
  type CollectionProfile,
  createColumns,
  flatten,
} from '../../src/sources/init/collection/collection-profile.ts'
import { decode } from '../../src/sources/init/collection/sample-collection.ts'
import { Shape, observe } from '../../src/sources/init/collection/shape.ts'

const decoded = (documents: readonly object[]): readonly Document[] =>
  documents.map((document) => decode(serialize(document, { ignoreUndefined: true })))

/** What a sample has, where these documents stand in order of insertion. */
export const inOrder = (documents: readonly object[]): Pick<CollectionProfile, 'columns'> => ({
  columns: createColumns(decoded(documents).map((document) => flatten(document))),
})

/** The profile of a collection of these documents, in no known order. */
export function profileOf(
  documents: readonly object[],
  { indexes = [], ...changes }: Partial<CollectionProfile> = {},
): CollectionProfile {
  const shape = new Shape()
  const all = decoded(documents)
  for (const document of all) observe(shape, document)
  return {
    database: 'shop',
    collection: 'orders',
    kind: 'collection',
    documents: documents.length,
    sampled: documents.length,
    meanBytes: all.reduce((sum, one) => sum + calculateObjectSize(one), 0) / Math.max(1, all.length),
    options: {},
    indexes: [{ name: '_id_', key: { _id: 1 } }, ...indexes],
    shape,
    columns: new Map(),
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
