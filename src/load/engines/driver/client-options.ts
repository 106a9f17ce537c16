import { type MongoClientOptions } from 'mongodb'
import { type PhasePlan } from '../../plan/plan.ts'
import { callsFunctions, transactionsIn } from '../engine.ts'

/**
 * How a client measures: every error shows, nothing is retried behind our back (unless that is what is measured), nothing is monitored, and neither finding a
 * server nor waiting for its answer lasts longer than the deadline. (`timeoutMS` would be all that is needed, but does
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
    // Set, although they are the driver's defaults: the URI may set others. For the pool's size see warm-pool.ts.
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

/** The driver's default. */
const defaultPoolSize = 100

/** A function may make several calls at once, with the connections that it would have in its application. */
export const functionOptions = ({
  operations,
  workers,
}: Pick<PhasePlan, 'operations' | 'workers'>): MongoClientOptions =>
  callsFunctions(operations) ? { maxPoolSize: Math.max(workers, defaultPoolSize) } : {}
