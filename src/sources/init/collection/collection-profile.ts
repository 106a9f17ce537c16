import { type BsonDocument, isDocument } from '../../../language/values/bson-types.ts'
import { type Shape } from './shape.ts'

/** An index as the server lists it. */
export type FoundIndex = { readonly name: string; readonly key: Readonly<Record<string, unknown>> } & Readonly<
  Record<string, unknown>
>

/** Findings about a sample of a collection: size, options, indexes, and the shape of its documents. */
export type CollectionProfile = {
  readonly database: string
  readonly collection: string
  readonly kind: 'collection' | 'view' | 'timeseries'
  /** Number of documents, and how many of them were sampled. */
  readonly documents: number
  readonly sampled: number
  readonly meanBytes: number
  /** Options of the `create` command. */
  readonly options: Readonly<Record<string, unknown>>
  readonly indexes: readonly FoundIndex[]
  readonly shape: Shape
  /** Values of sampled documents in order of insertion; none where that order is not known. */
  readonly columns: Columns
  /** The collections whose `_id`s fields hold, by path. Default: not looked for. */
  readonly references?: ReadonlyMap<string, Reference>
}

/** A collection whose `_id`s a field holds, and the share of the field's values that occur there. */
export type Reference = { readonly collection: string; readonly share: number }

/** "database.collection". */
export const formatNamespace = ({ database, collection }: CollectionProfile): string => `${database}.${collection}`

/** Scalar values of one document by path, outside of lists. Lists are there without their values. */
export type FlatDocument = ReadonlyMap<string, unknown>

/** Values of the sampled documents at each path, in order of insertion; undefined where one has no value. */
export type Columns = ReadonlyMap<string, readonly unknown[]>

/** Limits that bound memory, whatever the documents are. */
const maxPaths = 200
const maxText = 40

export function flatten(document: BsonDocument, prefix = '', into = new Map<string, unknown>()): FlatDocument {
  for (const [name, value] of Object.entries(document)) {
    if (into.size >= maxPaths) break
    const path = `${prefix}${name}`
    if (isDocument(value)) flatten(value, `${path}.`, into)
    else into.set(path, typeof value === 'string' ? value.slice(0, maxText) : Array.isArray(value) ? [] : value)
  }
  return into
}

export function createColumns(documents: readonly FlatDocument[]): Columns {
  const paths = new Set(documents.flatMap((document) => [...document.keys()]))
  return new Map([...paths].map((path) => [path, documents.map((document) => document.get(path))]))
}
