import { type Shape } from './shape.ts'

/** An index as the server lists it. */
export type FoundIndex = { readonly name: string; readonly key: Readonly<Record<string, unknown>> } & Readonly<
  Record<string, unknown>
>

/** What was seen of a collection. */
export type CollectionProfile = {
  readonly database: string
  readonly collection: string
  readonly kind: 'collection' | 'view' | 'timeseries'
  /** Documents in all, and how many of them were looked at. */
  readonly documents: number
  readonly sampled: number
  readonly meanBytes: number
  /** Options of `create`. */
  readonly options: Readonly<Record<string, unknown>>
  readonly indexes: readonly FoundIndex[]
  /** Of whole documents. */
  readonly shape: Shape
}

export const namespaceOf = ({ database, collection }: CollectionProfile): string => `${database}.${collection}`
