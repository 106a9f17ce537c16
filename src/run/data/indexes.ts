import { type Db, type IndexDescription, MongoServerError } from 'mongodb'
import { Problem } from '../../core/errors.ts'
import { type Json, type JsonObject } from '../../core/json.ts'
import { fixedValue } from '../../language/values/fixed-value.ts'
import { type DataSetSpec } from '../../spec/schema/data-schema.ts'

/** Names of the secondary indexes that a collection has, by what the spec says of each. */
export type BuiltIndexes = ReadonlyMap<string, string>

/** Takes the commands that made a collection what it is, as Extended JSON: to "admin" unless they name another `$db`. */
export type OnSent = (collection: string, commands: readonly JsonObject[]) => void

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
    ' Of a dump, "metadata": false leaves out its indexes: write those that this server takes.',
  )
  const sent = missing.map(([, index], i): JsonObject => ({ ...(index as JsonObject), name: names[i] ?? '' }))
  onSent(collection, [{ createIndexes: collection, indexes: sent, ...options, $db: db.databaseName }])
  return new Map([...kept, ...missing.map(([key], i) => [key, names[i] ?? ''] as const)])
}

/** Refusals that have nothing to do with what the spec says: Unauthorized, AuthenticationFailed. */
const refusedUsers: ReadonlySet<unknown> = new Set([13, 18])

/** A server that is there and says no (a validator, an index that cannot be, a key that stands twice) says no to the spec. */
export async function explained<Reply>(what: string, call: Promise<Reply>, further = ''): Promise<Reply> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof MongoServerError) || refusedUsers.has(error.code)) throw error
    if (error.hasErrorLabel('RetryableWriteError')) throw error
    throw new Problem('spec-invalid', `The server refused ${what}: ${error.message}`, {
      hint: `Correct "data" in the spec.${further}`,
    })
  }
}
