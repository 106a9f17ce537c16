import type { MongoClient, MongoClientOptions } from 'mongodb'
import { type Clock, forMany, systemClock } from '../../../core/clock.ts'
import type { PhasePlan } from '../../plan/plan.ts'
import { countConnections } from '../count-connections.ts'
import { createDeadlines } from '../deadlines.ts'
import { type PhaseEngine, type RecordWait, methodsIn, readPreferencesIn, transactionsIn, usesPool } from '../engine.ts'
import type { OperationFunctions } from '../operation-functions.ts'
import { replyTraits } from '../reply-traits.ts'
import { clientOptions, commitOptions, createClient, functionOptions, toReadPreference } from './client-options.ts'
import type { LoadDriver } from './load-driver.ts'
import { createSenders, noSuchOperation } from './senders.ts'
import { createPoolWarmer } from './warm-pool.ts'

const maxWarmUpMs = 60_000
const maxDrainMs = 10_000

export type DriverSettings = {
  readonly driver: Pick<LoadDriver, 'module'>
  /** A secret: appears in no message. */
  readonly uri: string
  readonly database: string
  readonly phase: PhasePlan
  /** Functions that operations of the phase call. Default: none. */
  readonly functions?: OperationFunctions
  /** Times the steps of operations of several calls. Default: the system's. */
  readonly clock?: Clock
  /** Options on top of `clientOptions`. */
  readonly options?: MongoClientOptions
}

/** Runs the calls of one phase through the official driver, with a client of its own. */
export function createDriverEngine({
  driver: { module },
  uri,
  database: databaseName,
  phase,
  functions = {},
  clock = systemClock,
  options = {},
}: DriverSettings): PhaseEngine {
  const client = createClient(module, uri, {
    ...clientOptions(phase),
    ...commitOptions(phase),
    ...functionOptions(phase),
    ...options,
  })
  const openClient = (): MongoClient =>
    createClient(module, uri, { ...clientOptions({ ...phase, workers: 1, pool: undefined }), ...options })
  const database = client.db(databaseName)
  const senders = createSenders({ driver: module, client, databaseName, phase, functions, clock, openClient })
  const traits = methodsIn(phase.operations).map(({ reply }) => replyTraits[reply])
  const mayWrite = traits.some(({ writes }) => writes)
  const usesPrimary = mayWrite || transactionsIn(phase.operations).length > 0
  const isUnacknowledged = phase.writeConcern.w === 0 && mayWrite
  let isWarm = false
  const deadlines = createDeadlines(phase.deadlineMs)

  const warmPool = createPoolWarmer({
    client,
    database,
    readPreferences: [
      ...readPreferencesIn(phase.operations, phase).map((readPreference) =>
        toReadPreference(module, { readPreference }),
      ),
      ...(usesPrimary ? [module.ReadPreference.primary] : []),
    ],
    withinMs: maxWarmUpMs,
    maxConnecting: phase.pool?.maxConnecting,
  })

  /**
   * Writes with `w: 0` get no answer, but a server reads the messages of a connection in their order: what is answered after
   * them shows that they are done. Sent at once, no two of these share a connection. Closed without them, connections would
   * take along what still waits to be written.
   */
  const awaitUnacknowledged = async (): Promise<void> => {
    const asked = { readPreference: module.ReadPreference.primary, signal: forMany(AbortSignal.timeout(maxDrainMs)) }
    await Promise.allSettled(Array.from({ length: phase.workers }, () => database.command({ ping: 1 }, asked)))
  }

  return {
    send: (call, done) =>
      deadlines.bound((pending) => (senders[call.operation] ?? noSuchOperation)(call, pending), done),
    async warmUp(workers) {
      await warmPool(methodsIn(phase.operations).some(usesPool) ? countConnections(phase, workers) : 1)
      isWarm = true
    },
    watchPool: phase.pool && timePoolWaits(client, clock),
    async close() {
      deadlines.close()
      if (isWarm && isUnacknowledged) await awaitUnacknowledged()
      await client.close(true)
    },
  }
}

/**
 * Times how long calls wait for a connection, by the events of the driver: the durations in them are whole milliseconds. An
 * event does not name its call, but a pool serves calls in the order in which they came.
 */
export function timePoolWaits(
  client: Pick<MongoClient, 'on'>,
  { now }: Pick<Clock, 'now'>,
): NonNullable<PhaseEngine['watchPool']> {
  let record: RecordWait | undefined
  /** Times at which the calls that wait came, by server. */
  const since = new Map<string, number[]>()
  const end = ({ address }: { readonly address: string }): void => {
    const cameMs = since.get(address)?.shift()
    if (cameMs !== undefined) record?.(now() - cameMs)
  }
  client.on('connectionCheckOutStarted', ({ address }) => {
    const times = since.get(address)
    if (times === undefined) since.set(address, [now()])
    else times.push(now())
  })
  client.on('connectionCheckedOut', end)
  client.on('connectionCheckOutFailed', end)
  return (given) => void (record = given)
}
