import type {
  DbOptions,
  MongoClient,
  MongoClientOptions,
  ReadPreference,
  TransactionOptions,
  W,
  WriteConcernSettings,
} from 'mongodb'
import type * as mongodb from 'mongodb'
import { Problem } from '../../../core/errors.ts'
import { boundSelection, connectTimeout, nameApplication } from '../../../servers/targets/connection/uri-options.ts'
import { type PhasePlan, driverPool } from '../../plan/plan.ts'
import type { Concerns, WriteConcern } from '../concerns.ts'
import { callsFunctions, transactionsIn } from '../engine.ts'
import { type ReplyKind, replyTraits } from '../reply-traits.ts'

export function toReadPreference(
  driver: DriverModule,
  { readPreference: { mode, tags, maxStalenessSeconds } }: Pick<Concerns, 'readPreference'>,
): ReadPreference {
  return new driver.ReadPreference(mode, tags, maxStalenessSeconds === undefined ? {} : { maxStalenessSeconds })
}

function toWriteConcern({ w, j, wtimeoutMS }: WriteConcern): WriteConcernSettings {
  return {
    // The driver's types know no modes that a set defines.
    w: w as W,
    ...(j !== undefined && { j }),
    ...(wtimeoutMS !== undefined && { wtimeoutMS }),
  }
}

/** Concerns that calls are sent with, by how their reply is read. */
export function toDbOptions(driver: DriverModule, reply: ReplyKind, concerns: Concerns): DbOptions {
  const { reads, writes } = replyTraits[reply]
  // Only what is needed: a `find` with a write concern on its handle costs a tenth more, because the driver deletes it from
  // the options of every call, and V8 makes objects slow that a property was deleted from.
  return {
    ...(writes && { writeConcern: toWriteConcern(concerns.writeConcern) }),
    ...(reads && {
      readConcern: new driver.ReadConcern(concerns.readConcern.level),
      readPreference: toReadPreference(driver, concerns),
    }),
  }
}

/** Converts the concerns of a phase to the driver's transaction options. */
export const transactionOptions = ({ readConcern, writeConcern, readPreference }: Concerns): TransactionOptions => ({
  readConcern,
  writeConcern: toWriteConcern(writeConcern),
  readPreference: readPreference.mode,
})

/**
 * How a client measures: every error shows, nothing is retried behind our back (unless that is what is measured), nothing is monitored, and neither finding a
 * server nor waiting for its answer lasts longer than the deadline. (`timeoutMS` would be all that is needed, but does
 * nothing in driver 7.8.) Without a pool `waitQueueTimeoutMS` stays off: it makes a timer per call, a tenth of a `findOne`,
 * where no call ever waits for a connection, because there is one for each worker.
 */
export function clientOptions({
  workers,
  deadlineMs,
  retries,
  pool = { maxPoolSize: workers, maxConnecting: workers, waitQueueTimeoutMS: 0 },
}: Pick<PhasePlan, 'workers' | 'deadlineMs' | 'retries' | 'pool'>): MongoClientOptions {
  return {
    ...pool,
    // Set, although they are the driver's defaults: the URI may set others. Pools are filled by `warmUp`.
    minPoolSize: 0,
    maxIdleTimeMS: 0,
    // Left out where the driver is to do what it does by default, and to look for a server for as long.
    ...(retries === 'none' && {
      retryReads: false,
      retryWrites: false,
      maxAdaptiveRetries: 0,
      serverSelectionTimeoutMS: deadlineMs,
    }),
    monitorCommands: false,
    socketTimeoutMS: deadlineMs,
  }
}

/** The driver's default. */
const adaptiveRetries = 2

/**
 * Without these retries the driver would not be measured as it is: `withTransaction` sends no commit again then, for one that
 * failed gets no label (7.8). Calls are not retried for all that: `retryReads` and `retryWrites` are asked first.
 */
export const commitOptions = ({ operations }: Pick<PhasePlan, 'operations'>): MongoClientOptions =>
  transactionsIn(operations).some(({ runner }) => runner === 'withTransaction')
    ? { maxAdaptiveRetries: adaptiveRetries }
    : {}

/** A function may make several calls at once, with the connections that it would have in its application. */
export const functionOptions = ({
  operations,
  workers,
  pool,
}: Pick<PhasePlan, 'operations' | 'workers' | 'pool'>): MongoClientOptions =>
  callsFunctions(operations) && pool === undefined ? { maxPoolSize: Math.max(workers, driverPool.maxPoolSize) } : {}

/** A version of the official driver: `import * as mongodb from 'mongodb'`. Handed in, so that two can be compared. */
export type DriverModule = typeof mongodb

/** The driver quotes a URI that it cannot read, password included, so its own words are not passed on. */
export function createClient(driver: DriverModule, uri: string, options: MongoClientOptions): MongoClient {
  try {
    const { serverSelectionTimeoutMS: maxMs } = options
    return new driver.MongoClient(uri, {
      appName: nameApplication(uri),
      ...connectTimeout(uri),
      ...driverPool,
      ...knownOptions(driver, options),
      ...(maxMs !== undefined && { serverSelectionTimeoutMS: boundSelection(uri, maxMs) }),
    })
  } catch {
    throw new Problem('usage', 'The driver does not accept the URI of the server or its options', {
      hint: 'Check its spelling; a "/", ":", "@" or "%" in a user name or password must be percent-encoded.',
    })
  }
}

/** A driver without adaptive retries (before 7.2) does none, and refuses an option that it does not know. */
export function knownOptions(driver: DriverModule, options: MongoClientOptions): MongoClientOptions {
  const { maxAdaptiveRetries, ...others } = options
  return maxAdaptiveRetries === undefined || hasAdaptiveRetries(driver) ? options : others
}

function hasAdaptiveRetries({ MongoClient: Client }: DriverModule): boolean {
  try {
    return new Client('mongodb://localhost', { maxAdaptiveRetries: 0 }).options.maxAdaptiveRetries === 0
  } catch {
    return false
  }
}
