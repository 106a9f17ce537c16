import { type Db, type MongoClient, type MongoClientOptions, type ReadPreference } from 'mongodb'
import { type Clock, forMany, systemClock } from '../../../core/clock.ts'
import { Problem } from '../../../core/errors.ts'
import { type PhasePlan } from '../../plan/plan.ts'
import { createDeadlines } from '../deadlines.ts'
import { methodsIn, type PhaseEngine, readPreferencesIn, transactionsIn } from '../engine.ts'
import { type OperationFunctions } from '../operation-functions.ts'
import { replyTraits } from '../reply-traits.ts'
import { unreachable } from '../unreachable.ts'
import { clientOptions, commitOptions, functionOptions, createClient } from './client-options.ts'
import { toReadPreference } from './concerns.ts'
import { type LoadDriver } from './load-driver.ts'
import { createSenders, noSuchOperation } from './senders.ts'

const maxWarmUpMs = 60_000
const maxDrainMs = 10_000

/** Settings of the driver engine. */
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
  const database = client.db(databaseName)
  const senders = createSenders({ driver: module, client, databaseName, phase, functions, clock })
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
      if (isWarm && isUnacknowledged) await awaitUnacknowledged()
      await client.close(true)
    },
  }
}

const connectionsToWarm = ({ load, workers }: PhasePlan): number => (load.kind === 'findPeak' ? load.from : workers)

/** With fewer, a read preference that spreads calls over members could miss one of them. */
const minRounds = 3
/** Where calls are spread, each member gets only a share; so every round sends more, up to so many per connection. */
const maxPings = 8

/**
 * Opens a connection for every worker to every server that the phase will use, and waits until they stand. `minPoolSize`
 * would open one per 100 ms, also to members that the phase never asks, and go on inside of the timed window. So the pools
 * are opened by demand: pings that are sent at once cannot share a connection that is still being opened.
 * @returns Takes the number of connections for each server; it may be asked again for more.
 */
function createPoolWarmer({
  client,
  database,
  readPreferences,
  withinMs,
}: {
  readonly client: MongoClient
  readonly database: Db
  /** Read preferences of the calls of the phase. */
  readonly readPreferences: readonly ReadPreference[]
  readonly withinMs: number
}): (connections: number) => Promise<void> {
  const open = new Map<string, number>()
  const asked = new Set<string>()
  const count = (address: string, by: number): void => void open.set(address, (open.get(address) ?? 0) + by)
  const minOpen = (): number => Math.min(...Array.from(asked, (address) => open.get(address) ?? 0))
  client.on('connectionReady', ({ address }) => count(address, 1))
  client.on('connectionClosed', ({ address }) => count(address, -1))

  const pingAll = (times: number): Promise<unknown> =>
    Promise.all(
      readPreferences.flatMap((readPreference) =>
        Array.from({ length: times }, () => database.command({ ping: 1 }, { readPreference })),
      ),
    )

  async function warm(connections: number): Promise<void> {
    const untilMs = performance.now() + withinMs
    await client.connect()
    // Connecting may use a member that the phase does not.
    asked.clear()
    for (let round = 1; round <= minRounds || minOpen() < connections; round += 1) {
      if (performance.now() > untilMs) throw tooFew(minOpen(), connections)
      await pingAll(connections * Math.min(round, maxPings))
    }
  }

  const noteAsked = ({ address }: { readonly address: string }): void => void asked.add(address)
  return async (connections) => {
    client.on('connectionCheckedOut', noteAsked)
    try {
      await warm(connections)
    } catch (error) {
      throw unreachable(error)
    } finally {
      client.off('connectionCheckedOut', noteAsked)
    }
  }
}

const tooFew = (open: number, wanted: number): Problem =>
  new Problem('target-unreachable', `Only ${open} of ${wanted} connections to a server could be opened`, {
    hint: "Use fewer workers (of an open load, a smaller `maxInFlight`), or raise the server's limits of connections and open files.",
  })
