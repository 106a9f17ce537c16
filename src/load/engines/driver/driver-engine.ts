import { type MongoClientOptions } from 'mongodb'
import { type Clock, forMany, systemClock } from '../../../core/clock.ts'
import { type PhasePlan } from '../../plan/plan.ts'
import { methodsIn, type PhaseEngine, readPreferencesIn, transactionsIn } from '../engine.ts'
import { replyTraits } from '../reply-traits.ts'
import { clientOptions, commitOptions, functionOptions } from './client-options.ts'
import { readPreferenceOf } from './concerns.ts'
import { createClient } from './create-client.ts'
import { createDeadlines } from '../deadlines.ts'
import { type OperationFunctions } from '../operation-functions.ts'
import { type LoadDriver } from './load-driver.ts'
import { createSenders, noSuchOperation } from './senders.ts'
import { createPoolWarmer } from './warm-pool.ts'

const maxWarmUpMs = 60_000
const maxDrainMs = 10_000

/** What the driver engine needs. */
export type DriverSettings = {
  readonly driver: Pick<LoadDriver, 'module'>
  /** A secret: appears in no message. */
  readonly uri: string
  readonly database: string
  readonly phase: PhasePlan
  /** Those that operations of the phase call. Default: none. */
  readonly functions?: OperationFunctions
  /** Times the steps of operations of several calls. Default: the system's. */
  readonly clock?: Clock
  /** On top of `clientOptions`. */
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
  const database = client.db(databaseName)
  const senders = createSenders({ driver: module, client, databaseName, phase, functions, clock })
  const traits = methodsIn(phase.operations).map(({ reply }) => replyTraits[reply])
  const mayWrite = traits.some(({ writes }) => writes)
  const usesPrimary = mayWrite || transactionsIn(phase.operations).length > 0
  const sendsBlindly = phase.writeConcern.w === 0 && mayWrite
  let isWarm = false
  const deadlines = createDeadlines(phase.deadlineMs)

  const warmPool = createPoolWarmer({
    client,
    database,
    readPreferences: [
      ...readPreferencesIn(phase.operations, phase).map((readPreference) =>
        readPreferenceOf(module, { readPreference }),
      ),
      ...(usesPrimary ? [module.ReadPreference.primary] : []),
    ],
    withinMs: maxWarmUpMs,
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
    async warmUp(connections = connectionsToWarm(phase)) {
      await warmPool(connections)
      isWarm = true
    },
    async close() {
      deadlines.close()
      if (isWarm && sendsBlindly) await awaitUnacknowledged()
      await client.close(true)
    },
  }
}

const connectionsToWarm = ({ load, workers }: PhasePlan): number => (load.kind === 'findPeak' ? load.from : workers)
