import { type Collection, type Db, type Document } from 'mongodb'
import { type Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { createAdminClient } from '../../servers/targets/connection/admin-client.ts'
import {
  hintForCause,
  hintForMissingRole,
  isDriverError,
  messageWithoutSecrets,
  type Roles,
} from '../../servers/targets/connection/driver-error.ts'
import { dropInShell, type RecordChange } from '../../servers/targets/server/guardian/changed-servers.ts'

/** An index on a collection of the user, which is there for one comparison. Disposing drops it. */
export type TrialIndex = AsyncDisposable & {
  readonly collection: Collection
  readonly name: string
  readonly buildSeconds: number
  readonly megabytes: number
  /** Whether queries may use it. The server maintains it in any case. */
  readonly show: (isShown: boolean) => Promise<void>
}

export type TrialIndexOptions = {
  /** A secret. */
  readonly uri: string
  readonly database: string
  readonly collection: string
  readonly key: Readonly<Record<string, 1 | -1 | string>>
  readonly recordChange: RecordChange
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** The beginning of the names of indexes of ours. */
const prefix = 'mongoperf_trial_'

const replicated = { writeConcern: { w: 'majority', wtimeout: 10_000 } } as const

/**
 * Builds an index that no query uses until it is shown.
 * @throws {Problem} when the collection has an index with this key, or the server does not build it; nothing is left then.
 */
export async function buildTrialIndex(options: TrialIndexOptions): Promise<TrialIndex> {
  const { uri, database, collection, key, recordChange, clock, signal } = options
  const namespace = `${database}.${collection}`
  const client = createAdminClient(uri, { purpose: 'index' })
  const db = client.db(database)
  try {
    const name = `${prefix}${Object.entries(key).flat().join('_')}`.slice(0, 120)
    await refuseOthers(db, options)
    const drop = recordChange({ namespace, name })
    const begun = clock.now()
    const building = db.command({ createIndexes: collection, indexes: [{ key, name, hidden: true }] })
    try {
      await orAborted(building, signal)
      const buildSeconds = (clock.now() - begun) / 1000
      const megabytes = (await readBytes(db, collection, name)) / 1024 / 1024
      return {
        collection: db.collection(collection),
        name,
        buildSeconds,
        megabytes,
        async show(isShown) {
          try {
            await db.command({ collMod: collection, index: { name, hidden: !isShown }, ...replicated })
          } catch (error) {
            throw explained(error, options)
          }
        },
        async [Symbol.asyncDispose]() {
          await client.close()
          await drop()
        },
      }
    } catch (error) {
      await dropUnfinished(drop, building, clock)
      throw error
    }
  } catch (error) {
    await client.close()
    throw explained(error, options)
  }
}

/** A build goes on when its client is gone; dropping its index ends it. */
async function orAborted(building: Promise<Document>, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void =>
      reject(new Problem('aborted', 'Stopped while the index was built', { hint: 'It is dropped.' }))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
  building.catch(() => undefined)
  await Promise.race([building, aborted])
}

const pollMs = 200

/** Drops an index whose build may be under way, or may not even have begun: until the server has answered. */
async function dropUnfinished(drop: () => Promise<void>, building: Promise<Document>, clock: Clock): Promise<void> {
  const ended = building.then(isOver, isOver)
  const waits = (): Promise<boolean> => clock.sleep(pollMs).then(() => false)
  do await drop()
  while (!(await Promise.race([ended, waits()])))
  await drop()
}

const isOver = (): boolean => true

/** @throws {Problem} where the index is there, or one of another comparison, which may be in use. */
async function refuseOthers(db: Db, { collection, key }: TrialIndexOptions): Promise<void> {
  const namespace = `${db.databaseName}.${collection}`
  for (const { name, key: found } of await db.collection(collection).listIndexes().toArray()) {
    if (String(name).startsWith(prefix))
      throw new Problem('refused', `${namespace} has the index "${name}" of another comparison`, {
        hint: `If that was killed, drop it with mongo-perf clean --uri …, or in the shell: ${dropInShell({ namespace, name: String(name) })}`,
      })
    if (JSON.stringify(found) === JSON.stringify(key))
      throw new Problem('usage', `${namespace} has this index already: "${name}"`, {
        hint: `To compare it with reading the whole collection: mongo-perf init --from ${namespace} --existing --index … --query …`,
      })
  }
}

async function readBytes(db: Db, collection: string, name: string): Promise<number> {
  const stats = await db
    .collection(collection)
    .aggregate([{ $collStats: { storageStats: {} } }])
    .toArray()
  const sizes = stats.map(({ storageStats }) => (storageStats as Document)['indexSizes'] as Document)
  return sizes.reduce((sum, ofShard) => sum + Number(ofShard[name] ?? 0), 0)
}

/** The role for everything that an index needs beyond reading. */
const rolesForIndexes: Roles = () => ['dbAdmin']

function explained(error: unknown, { uri, database }: TrialIndexOptions): unknown {
  if (!isDriverError(error)) return error
  const missing = hintForMissingRole(error, { uri, database, roles: rolesForIndexes })
  return new Problem('target-unreachable', `The index cannot be used: ${messageWithoutSecrets(error, uri)}`, {
    hint: missing ?? hintForCause(error) ?? 'Check its key, and whether the server is reachable.',
  })
}
