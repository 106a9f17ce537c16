import { MongoServerError } from 'mongodb'
import { Problem } from '../core/errors.ts'
import { stateFolder, thisMachine } from '../servers/machine.ts'
import { createAdminClient } from '../servers/targets/connection/admin-client.ts'
import {
  hintForCause,
  hintForMissingRole,
  isDriverError,
  messageWithoutSecrets,
} from '../servers/targets/connection/driver-error.ts'
import { startTarget, targetSpec } from '../servers/targets/index.ts'
import { guardChanges, isGone } from '../servers/targets/server/guardian/changed-servers.ts'
import { type StartContext } from '../servers/targets/target.ts'
import { type Place } from './place.ts'

export type ServerOptions = {
  readonly database: string
  /** Collections on which indexes may be built, as "database.collection". */
  readonly allowed: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called when all is dropped. */
  readonly log: (line: string) => void
}

/**
 * Opens a database of the server of MONGO_PERF_URI, which mongo-perf did not start. What is built there is dropped in any case.
 * @throws {Problem} when it cannot be reached, leads to another machine without permission.
 */
export async function openServer(start: StartContext, options: ServerOptions): Promise<Place> {
  const { database, allowed, env, log } = options
  await using target = await startTarget(targetSpec.parse({ kind: 'existing' }), start)
  const { uri } = target
  const recordChange = await guardChanges(uri, start.supervisor, stateFolder(thisMachine(env)))
  const client = createAdminClient(uri, { purpose: 'index' })
  const left = new Set<() => Promise<void>>()
  let isChanged = false
  return {
    db: client.db(database),
    uri,
    data: 'server',
    recordChange(change) {
      const takeBack = recordChange(change)
      const drop = async (): Promise<void> => {
        await takeBack()
        left.delete(drop)
      }
      left.add(drop)
      isChanged = true
      return drop
    },
    async requirePermission(collections) {
      const missing = collections.map((one) => `${database}.${one}`).filter((one) => !allowed.includes(one))
      if (missing.length > 0) throw notAllowed(missing)
      // Who may not drop an index must not build one.
      for (const dropIndexes of collections)
        await client.db(database).command({ dropIndexes, index: 'mongoperf_none' }).catch(ignoreGone)
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      for (const drop of left) await drop()
      if (isChanged) log('no index of this run is left on the server\n')
    },
  }
}

function ignoreGone(error: unknown): void {
  if (!isGone(error)) throw error
}

const notAllowed = (namespaces: readonly string[]): Problem =>
  new Problem('refused', `advise builds indexes on ${namespaces.join(', ')}, which mongo-perf did not create`, {
    hint: `If that is what you want, add ${namespaces.map((one) => `--allow-index ${one}`).join(' ')}. Other programs may use an index only while it is measured, and it is dropped at the end. With --data dump/, indexes are tried on a copy instead.`,
  })

/** Does something on a place. Errors of its server become problems. */
export async function workOn<Value>(place: Place, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw explained(error, place)
  }
}

function explained(error: unknown, { uri, db }: Place): unknown {
  if (!isDriverError(error)) return error
  const missing = hintForMissingRole(error, { uri, database: db.databaseName, roles: () => ['read', 'dbAdmin'] })
  const code = error instanceof MongoServerError ? 'refused' : 'target-unreachable'
  return new Problem(code, `Indexes cannot be tried: ${messageWithoutSecrets(error, uri)}`, {
    hint: missing ?? hintForCause(error) ?? 'Check that the server runs and that this machine can reach it.',
  })
}
