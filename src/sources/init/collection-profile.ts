import { type Columns } from './columns.ts'
import { type Shape } from './shape.ts'

/** An index as the server lists it. */
export type FoundIndex = { readonly name: string; readonly key: Readonly<Record<string, unknown>> } & Readonly<
  Record<string, unknown>
>

/** What a sample of a collection shows: size, options, indexes, and the shape of its documents. */
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
  /** Shape of the documents. */
  readonly shape: Shape
  /** Values of sampled documents in order of insertion; none where that order is not known. */
  readonly columns: Columns
  /** The collections whose `_id`s fields hold, by path. Default: not looked for. */
  readonly references?: ReadonlyMap<string, string>
}

/** "database.collection". */
export const formatNamespace = ({ database, collection }: CollectionProfile): string => `${database}.${collection}`
