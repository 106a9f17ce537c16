import { Problem } from '../core/errors.ts'
import { describeServerVersion } from '../servers/resources/server-version.ts'
import { createAdminClient } from '../servers/targets/connection/admin-client.ts'
import {
  hintForCause,
  isDriverError,
  messageWithoutSecrets,
  hintForMissingRole,
  rolesToWrite,
} from '../servers/targets/connection/driver-error.ts'
import { startTarget } from '../servers/targets/index.ts'
import { claimCollection, claimDatabase } from '../servers/targets/ownership.ts'
import { guardChanges } from '../servers/targets/server/guardian/changed-servers.ts'
import { type RunningTarget, type StartContext } from '../servers/targets/target.ts'
import { collectionNames, microDatabase } from './collections.ts'

/** Large enough for the largest data set (565 MB), so that tasks measure the driver and not the disk of the server. */
const cacheGB = 1

/** A server with our own database for the tasks. Disposing drops the database, and stops the server if mongo-perf started it. */
export type MicroServer = AsyncDisposable & {
  /** A secret. */
  readonly uri: string
  readonly version: string
  readonly startedByUs: boolean
  /** Null for an existing server. */
  readonly cacheGB: number | null
}

/**
 * Starts or connects to the server of the tasks.
 * @param variable Variable with the URI of an existing server, see `StartContext.uri`. Absent: one is started.
 * @param stateFolder Where the database is written down, so that it is dropped if this process is killed.
 */
export async function useServer(
  variable: string | undefined,
  start: StartContext,
  stateFolder: string,
): Promise<MicroServer> {
  if (variable !== undefined) refuseOtherWriteConcern(start.uri(variable))
  const target = await startTarget(
    variable === undefined
      ? { kind: 'standalone', fresh: false, facts: {}, server: { cacheGB } }
      : { kind: 'existing', uriFrom: variable, facts: {} },
    start,
  )
  const { uri, startedByUs } = target
  // A server started by mongo-perf is removed anyway.
  let drop: (() => Promise<void>) | undefined
  try {
    if (!startedByUs) drop = (await guardChanges(uri, start.supervisor, stateFolder))({ namespace: microDatabase })
    return {
      uri,
      version: await makeDatabase(target),
      startedByUs,
      cacheGB: startedByUs ? cacheGB : null,
      async [Symbol.asyncDispose]() {
        try {
          await drop?.()
        } finally {
          await target[Symbol.asyncDispose]()
        }
      },
    }
  } catch (error) {
    await drop?.().catch(() => undefined)
    await target[Symbol.asyncDispose]()
    throw asServerProblem(error, target.uri)
  }
}

/**
 * Refuses a URI with another write concern than the one that the specification requires of every task.
 * @throws {Problem} "usage" with the options.
 */
export function refuseOtherWriteConcern(uri: string | undefined): void {
  const searchParams = new URLSearchParams(uri?.slice(uri.indexOf('?') + 1).toLowerCase())
  const others = ['w', 'journal', 'j', 'wtimeoutms'].filter(
    (name) => searchParams.has(name) && !(name === 'w' && searchParams.get(name) === '1'),
  )
  if (others.length === 0) return
  const options = others.map((name) => `${name}=${searchParams.get(name)}`).join(', ')
  throw new Problem('usage', `The URI sets ${options}, and the driver benchmarks write with w=1`, {
    hint: 'Leave it out of the URI: the specification of these benchmarks requires w=1, and nothing else.',
  })
}

/** Creates the database. Resolves to the version of the server. */
async function makeDatabase({ uri }: RunningTarget): Promise<string> {
  await using client = createAdminClient(uri)
  const db = client.db(microDatabase)
  await claimDatabase(db)
  for (const name of collectionNames) await claimCollection(db, name)
  return describeServerVersion({ buildInfo: await client.db('admin').command({ buildInfo: 1 }) })
}

function asServerProblem(error: unknown, uri: string): unknown {
  if (!isDriverError(error)) return error
  return new Problem('target-unreachable', `The server could not be used: ${messageWithoutSecrets(error, uri)}`, {
    hint:
      hintForMissingRole(error, { uri, database: microDatabase, roles: rolesToWrite }) ??
      hintForCause(error) ??
      'Check that it runs, and that the user of the URI may read and write in mongoperf_micro.',
  })
}
