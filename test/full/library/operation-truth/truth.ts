import { calculateObjectSize } from 'bson'
import { type Collection, type Document } from 'mongodb'
import { type Json, type JsonObject } from '../../../../src/core/json.ts'

/** What a call came to, as the driver tells it. */
export type Counts = {
  /** Null where calls give none. */
  readonly documents: number | null
  readonly matched: number
  readonly modified: number
  readonly upserted: number
  readonly inserted: number
  readonly deleted: number
  /** BSON bytes of the documents that were read or carried; null where none are. */
  readonly bytes: number | null
}

/** An operation, how it is called by hand, and a case for each of its options. */
export type Truth = {
  /** Its arguments, unless a case has others. */
  readonly args: JsonObject
  /** The same call through the driver. */
  readonly byHand: (collection: Collection, args: Document, options: Document) => Promise<Counts>
  readonly options: Readonly<Record<string, TruthCase>>
  /** What a call counts that the server refuses. Default: 0 of everything. */
  readonly refused?: Counts
}

/** A value of an option, in a call in which it makes a difference. */
export type TruthCase = {
  readonly given: Json
  /** Other arguments than those of the operation. */
  readonly args?: JsonObject
  /** The arguments by hand, where the spec draws them. */
  readonly drawn?: JsonObject
  /** What else is given, with and without the option. */
  readonly beside?: JsonObject
  /** Other arguments are the option: what they are without it. */
  readonly without?: JsonObject
}

export const none: Counts = {
  documents: 0,
  matched: 0,
  modified: 0,
  upserted: 0,
  inserted: 0,
  deleted: 0,
  bytes: null,
}

/** As they lie in the collection: the `_id` that one of them still lacks is an ObjectId. */
export const storedBytes = (documents: readonly Document[]): number =>
  bytesOf(documents) + documents.filter((document) => !('_id' in document)).length * 17

export const bytesOf = (documents: readonly Document[]): number =>
  documents.reduce((sum, document) => sum + calculateObjectSize(document), 0)

/** The documents of every collection: `n` is 0 to 4, many times, with an index; no document may have an `n` above 99. */
export const rows: readonly Document[] = Array.from({ length: 20 }, (_, i) => ({
  _id: i,
  n: (19 - i) % 5,
  text: ['A', 'a', 'b', 'B'][i % 4],
  list: Array.from({ length: (i % 3) + 1 }, (__, k) => ({ k, v: i })),
}))

/** Some documents. The index is on `n`, so they do not come in the order of their `_id`. */
export const some: JsonObject = { n: { $gte: 2 } }

const byText: JsonObject = { text: 'a' }
const byVariable: JsonObject = { $expr: { $eq: ['$n', '$$x'] } }

export const always = {
  maxTimeMS: { given: 60_000 },
} satisfies Record<string, TruthCase>

/** Options of everything that has a filter. */
export const filtered = {
  ...always,
  hint: { given: { _id: 1 } },
  collation: { given: { locale: 'en', strength: 2 }, args: { filter: byText } },
  let: { given: { x: 3 }, args: { filter: byVariable } },
} satisfies Record<string, TruthCase>
