import {
  type Db,
  type DbOptions,
  type MongoClient,
  type MongoClientOptions,
  type ReadConcernLevel,
  type ReadPreference,
  type ReadPreferenceMode,
  type WriteConcernSettings,
} from 'mongodb'
import { type Clock, systemClock } from '../../clock.ts'
import { type PhasePlan } from '../../plan/plan.ts'
import {
  type Arguments,
  type Call,
  type EngineMethod,
  methodsIn,
  type Outcome,
  type PhaseEngine,
  readReplies,
  type TransactionSettings,
} from '../engine.ts'
import { openBucket } from './bucket.ts'
import { createClient, type DriverModule } from './create-client.ts'
import { createDeadlines, type Flight, noAnswerWithin } from './deadlines.ts'
import { isUnanswered, toOutcome, toRetriedOutcome } from './outcomes.ts'
import { bulkWriterOf, commandsOf } from './owners.ts'
import { createRunner, type Owner, type Runner } from './replies.ts'
import { runSteps } from './run-steps.ts'
import { transactionSender } from './run-transaction.ts'
import { createPoolWarmer } from './warm-pool.ts'

const longestWarmUpMs = 60_000
const longestDrainMs = 10_000

/** Less than the driver's 30 s: a call waits for the connection that is opened for it. */
const longestConnectMs = 10_000

/**
 * How a client measures: every error shows, nothing is retried behind our back (unless that is what is measured), nothing is monitored, and neither finding a
 * server nor waiting for its answer lasts longer than the deadline. (`timeoutMS` would say that in one word, but does
 * nothing in driver 7.8.) `waitQueueTimeoutMS` stays off: it makes a timer per call, a tenth of a `findOne`, where no call
 * ever waits for a connection, because there is one for each worker.
 */
export function clientOptions({
  workers,
  deadlineMs,
  retries,
}: Pick<PhasePlan, 'workers' | 'deadlineMs' | 'retries'>): MongoClientOptions {
  return {
    appName: 'mongo-perf',
    maxPoolSize: workers,
    maxConnecting: workers,
    // Said, although they are the driver's defaults: the URI may say otherwise. For the pool's size see warm-pool.ts.
    minPoolSize: 0,
    maxIdleTimeMS: 0,
    waitQueueTimeoutMS: 0,
    // Left out where the driver is to do what it does by default, and to look for a server for as long.
    ...(retries === 'none' && {
      retryReads: false,
      retryWrites: false,
      maxAdaptiveRetries: 0,
      serverSelectionTimeoutMS: deadlineMs,
    }),
    monitorCommands: false,
    connectTimeoutMS: longestConnectMs,
    socketTimeoutMS: deadlineMs,
  }
}

/** The driver's default. */
const adaptiveRetries = 2

const transactionsIn = ({ operations }: Pick<PhasePlan, 'operations'>): readonly TransactionSettings[] =>
  operations.flatMap((operation) => ('steps' in operation ? (operation.transaction ?? []) : []))

/**
 * Without these retries the driver would not be measured as it is: `withTransaction` sends no commit again then, for one that
 * failed gets no label (7.8). Calls are not retried for all that: `retryReads` and `retryWrites` are asked first.
 */
const commitOptions = (phase: Pick<PhasePlan, 'operations'>): MongoClientOptions =>
  transactionsIn(phase).some(({ runner }) => runner === 'withTransaction')
    ? { maxAdaptiveRetries: adaptiveRetries }
    : {}

/** Runs the calls of one phase through the official driver, with a client of its own. */
export function createDriverEngine({
  driver,
  uri,
  database: databaseName,
  phase,
  clock = systemClock,
  options = {},
}: {
  readonly driver: DriverModule
  /** A secret: appears in no message. */
  readonly uri: string
  readonly database: string
  readonly phase: PhasePlan
  /** Times the steps of operations of several calls. */
  readonly clock?: Clock
  /** On top of `clientOptions`. */
  readonly options?: MongoClientOptions
}): PhaseEngine {
  const client = createClient(driver, uri, { ...clientOptions(phase), ...commitOptions(phase), ...options })
  const database = client.db(databaseName)
  const readPreference = readPreferenceOf(driver, phase)
  const sendMethod = methodSender({ driver, client, databaseName, phase, readPreference })
  const runInTransaction = transactionRunner(driver, client, databaseName)
  const senders = phase.operations.map((operation): Sender => {
    if (!('steps' in operation)) return sendMethod(operation)
    if (operation.transaction)
      return transactionSender({
        client,
        settings: operation.transaction,
        runners: operation.steps.map(runInTransaction),
        clock,
      })
    const sendStep = operation.steps.map(sendMethod)
    return ({ steps = [] }, flight) =>
      runSteps(steps, (step, given, inFlight) => (sendStep[step] ?? noSuchOperation)(given, inFlight), flight, clock)
  })
  const methods = methodsIn(phase.operations)
  const usesPrimary = !methods.every(reads) || transactionsIn(phase).length > 0
  const sendsBlindly = phase.writeConcern['w'] === 0 && !methods.every(reads)
  let isWarm = false
  const deadlines = createDeadlines(phase.deadlineMs)

  const warmPool = createPoolWarmer({
    client,
    database,
    readPreferences: [
      ...(methods.some((method) => reads(method) || method.reply === 'output') ? [readPreference] : []),
      ...(usesPrimary ? [driver.ReadPreference.primary] : []),
    ],
    withinMs: longestWarmUpMs,
  })

  /**
   * Nobody answers writes with `w: 0`, but a server reads the messages of a connection in their order: what is answered after
   * them says that they are done. Sent at once, no two of these share a connection. Closed without them, connections would
   * take along what still waits to be written.
   */
  const awaitUnacknowledged = async (): Promise<void> => {
    const asked = { readPreference: driver.ReadPreference.primary, signal: AbortSignal.timeout(longestDrainMs) }
    await Promise.allSettled(Array.from({ length: phase.workers }, () => database.command({ ping: 1 }, asked)))
  }

  return {
    send: (call, done) => deadlines.bound((flight) => (senders[call.operation] ?? noSuchOperation)(call, flight), done),
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

/** Sends one call and never throws. */
type Sender = (call: Arguments & Pick<Call, 'steps' | 'aborts'>, flight: Flight) => Promise<Outcome>

const noSuchOperation: Sender = async () => toOutcome(new RangeError('The phase has no such operation'))

function methodSender({
  driver,
  client,
  databaseName,
  phase,
  readPreference,
}: {
  readonly driver: DriverModule
  readonly client: MongoClient
  readonly databaseName: string
  readonly phase: PhasePlan
  readonly readPreference: ReadPreference
}): (method: EngineMethod) => Sender {
  // Apart from each other: a `find` with a write concern on its handle costs a tenth more, because the driver deletes it
  // from the options of every call, and V8 makes objects slow that a property was deleted from.
  const forWrites = { writeConcern: phase.writeConcern as WriteConcernSettings }
  const forReads = { readConcern: phase.readConcern as { level: ReadConcernLevel }, readPreference }
  // What an output reads goes where reads go: from 5.0 on a secondary has the primary write it.
  const forOutputs = { ...forWrites, ...forReads }
  return (method) => {
    const outcomeOf = phase.retries === 'driver' && !reads(method) ? toRetriedOutcome : toOutcome
    const concerns = reads(method) ? forReads : method.reply === 'output' ? forOutputs : forWrites
    const database = client.db(method.database ?? databaseName, concerns as DbOptions)
    const owner = ownerOf(driver, method, client, database)
    const run = createRunner(method, owner, driver.BSON)
    return async ({ args }, flight) => {
      try {
        return { kind: 'ok', reply: await run(args, flight) }
      } catch (error) {
        const outcome = outcomeOf(error)
        return isUnanswered(outcome) ? { ...outcome, ...noAnswerWithin(phase.deadlineMs) } : outcome
      }
    }
  }
}

/** Of the steps of transactions, which bring the concerns, and in which nothing is read but from the primary. */
const transactionRunner =
  (driver: DriverModule, client: MongoClient, databaseName: string) =>
  (method: EngineMethod): Runner => {
    const database = client.db(method.database ?? databaseName, { readPreference: driver.ReadPreference.primary })
    return createRunner(method, ownerOf(driver, method, client, database), driver.BSON)
  }

/** Collections take their concerns from the database. */
function ownerOf(driver: DriverModule, { on, collection }: EngineMethod, client: MongoClient, database: Db): Owner {
  switch (on) {
    case 'collection':
      return database.collection(collection) as Owner
    case 'database':
      return commandsOf(database)
    case 'client':
      return bulkWriterOf(client, database)
    case 'bucket':
      return openBucket(driver, database, collection)
  }
}

const reads = ({ reply }: EngineMethod): boolean => readReplies.has(reply)

export function readPreferenceOf(driver: DriverModule, phase: PhasePlan): ReadPreference {
  const named = driver.ReadPreference.fromOptions({
    readPreference: phase.readPreference as { mode: ReadPreferenceMode },
  })
  return named ?? driver.ReadPreference.primary
}
