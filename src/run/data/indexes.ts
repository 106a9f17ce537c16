import { type Db, type IndexDescription } from 'mongodb'
import { type Json, type JsonObject } from '../../core/json.ts'
import { fixedValue } from '../../language/values/fixed-value.ts'
import { type DataSetSpec } from '../../spec/schema/data-schema.ts'
import { explained } from './refusals.ts'

/** Names of the secondary indexes that a collection has, by what the spec says of each. */
export type BuiltIndexes = ReadonlyMap<string, string>

/** Takes the commands that made a collection what it is, as Extended JSON: to "admin" unless they name another `$db`. */
export type OnSent = (collection: string, commands: readonly JsonObject[]) => void

/** How indexes are built. */
export type IndexBuild = {
  /** Members that must be ready before a build ends. Undefined: every one that votes, and where one is down, that is never. */
  readonly commitQuorum: number | undefined
  readonly onSent: OnSent
}

/** Drops and builds indexes until a collection has those that its spec names; those that fit stay. Waits for the builds. */
export async function fitIndexes(
  db: Db,
  { collection, indexes }: Pick<DataSetSpec, 'collection' | 'indexes'>,
  built: BuiltIndexes,
  { commitQuorum, onSent }: IndexBuild,
): Promise<BuiltIndexes> {
  const wanted = new Map(indexes.map((index) => [JSON.stringify(index), index]))
  const kept = [...built].filter(([key]) => wanted.has(key))
  const missing = [...wanted].filter(([key]) => !built.has(key))
  // First, so that none of them is in the way of a new one with the same keys.
  for (const [key, name] of built) {
    if (wanted.has(key)) continue
    await db.collection(collection).dropIndex(name)
    onSent(collection, [{ dropIndexes: collection, index: name, $db: db.databaseName }])
  }
  if (missing.length === 0) return new Map(kept)
  const descriptions = missing.map(([, index]) => fixedValue(index as Json) as IndexDescription)
  const options = commitQuorum === undefined ? {} : { commitQuorum }
  const names = await explained(
    `the indexes of "${collection}"`,
    db.collection(collection).createIndexes(descriptions, options),
  )
  const sent = missing.map(([, index], i): JsonObject => ({ ...(index as JsonObject), name: names[i] ?? '' }))
  onSent(collection, [{ createIndexes: collection, indexes: sent, ...options, $db: db.databaseName }])
  return new Map([...kept, ...missing.map(([key], i) => [key, names[i] ?? ''] as const)])
}
