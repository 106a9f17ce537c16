import { Problem } from '../core/errors.ts'
import { formatQuantity } from '../core/quantities.ts'
import { type BsonDocument } from '../language/values/bson-types.ts'
import { readableNumber } from '../metrics/format.ts'
import { type CallGroup, type CallGroups } from '../sources/init/profile/call-groups.ts'
import { HotValues } from '../sources/init/profile/hot-values.ts'
import { type OwnQuery, readDocument } from '../sources/init/query/read-query.ts'
import { readCalls } from '../sources/init/recording/read-calls.ts'
import { indexKey, indexSpec } from '../spec/schema/data-schema.ts'
import { type Candidate, type IndexKey, nameIndex } from './candidate.ts'

/** The operations of an application on one database. */
export type Workload = Pick<CallGroups, 'groups'> & {
  readonly database: string
  /** The recording, the collection or the profile that they are from. */
  readonly source: string
  /** All of them for a sentence: "the 415 operations of shop.mprec in 56.7 s". */
  readonly text: string
  readonly calls: number
  /** Time in which they came. Null: not known. */
  readonly seconds: number | null
  /** Whether their values are known or were hidden when they were recorded. */
  readonly values: 'known' | 'hidden'
  /** Absent: they were sent by a program. */
  readonly question?: Question
}

/** A person's question about operations that were not recorded. */
export type Question = {
  /** Fields whose values stay as they are written. */
  readonly keep: ReadonlySet<string>
  /** The indexes that are asked about. Empty: any. */
  readonly indexes: readonly Candidate[]
}

/** Reads the operations of a recording. */
export async function readRecording(source: string): Promise<Workload> {
  const { database, found, summary } = await readCalls(source)
  const seconds = summary.durationUs > 0 ? summary.durationUs / 1e6 : null
  const text = `the ${formatQuantity(found.entries, 'operation')} of ${source}${seconds === null ? '' : ` in ${readableNumber(seconds)} s`}`
  const values = summary.header.values === 'keep' ? 'known' : 'hidden'
  return { database, source, text, groups: found.groups, calls: found.entries, seconds, values }
}

/** Makes a workload of the operations in a profile. */
export function workloadFromProfile(database: string, { groups, entries: calls }: CallGroups): Workload {
  const source = `the profile of ${database}`
  const text = `the ${formatQuantity(calls, 'operation')} in ${source}`
  return { database, source, text, groups, calls, seconds: null, values: 'known' }
}

/** Makes a workload of queries on a collection that were written by hand. */
export function workloadFromQueries(
  { database, collection }: { readonly database: string; readonly collection: string },
  queries: readonly OwnQuery[],
  indexes: readonly Candidate[],
): Workload {
  const groups = queries.map(({ call }): CallGroup => {
    const own = { ...call, collection }
    return { call: own, examples: [own], values: new HotValues(), count: 1, found: 0, documents: 0 }
  })
  const text = queries.length === 1 ? 'your query' : `your ${queries.length} queries`
  const question = { keep: new Set(queries.flatMap(({ keep }) => [...keep])), indexes }
  const source = `${database}.${collection}`
  return { database, source, text, groups, calls: queries.length, seconds: null, values: 'known', question }
}

/** Reads an index that the user names: its key, or an object with its key and its options as the server takes them. */
export function readIndex(text: string, collection: string): Candidate {
  const document = readDocument('--index', text)
  const isKey = indexKey.safeParse(document).success
  const index = indexSpec.safeParse(isKey ? { key: document } : document)
  if (!index.success)
    throw new Problem('usage', `--index ${text} is not an index`, {
      hint: 'Write its fields in order, such as {"customer":1,"at":-1}, or its key with options: {"key":{"customer":1},"unique":true}. Values are 1, -1, "text", "hashed", "2d" and "2dsphere".',
    })
  const { key, name: _, hidden: __, ...options } = isKey ? { key: document } : document
  if (options['expireAfterSeconds'] !== undefined)
    throw new Problem('refused', 'An index with "expireAfterSeconds" would delete documents, even while it is hidden', {
      hint: 'Leave the option out: queries use the index in the same way.',
    })
  return nameIndex(collection, Object.entries(key as BsonDocument) as unknown as IndexKey, options)
}
