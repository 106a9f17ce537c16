import { z } from 'zod'
import { type ConnectionPool, driverPool } from '../../load/plan/plan.ts'
import { type PhaseSpec } from './phase-schema.ts'

const connections = z.int().min(1).max(10_000)

/** Schema of the connection pool of a phase. Its defaults are those of the driver. */
export const connectionPool = z
  .strictObject({
    maxPoolSize: connections
      .default(driverPool.maxPoolSize)
      .describe(
        'Maximum number of connections to each server, of all threads and agents together. The engine "wire" counts connections for each read preference, over all members. 1 to 10000. Default 100.',
      ),
    maxConnecting: connections
      .default(driverPool.maxConnecting)
      .describe('Connections that each thread opens to a server at the same time. 1 to 10000. Default 2.'),
    waitQueueTimeoutMS: z
      .int()
      .min(0)
      .max(3_600_000)
      .default(driverPool.waitQueueTimeoutMS)
      .describe(
        'Milliseconds after which an operation that waits for a connection fails with `MongoWaitQueueTimeoutError`; 0: it waits up to its deadline. 0 to 3600000. Default 0.',
      ),
  })
  .meta({ title: 'ConnectionPool' })

/**
 * The connection pool of a phase. Undefined: it has a connection for each call in flight, which is the default of closed loads,
 * and of open ones with no more calls in flight than the pool of the driver has connections.
 */
export const resolvePool = ({ load, pool }: Pick<PhaseSpec, 'load' | 'pool'>): ConnectionPool | undefined =>
  pool ?? (load.kind === 'open' && load.maxInFlight > driverPool.maxPoolSize ? driverPool : undefined)
