import { z } from 'zod'

/** Threads setting for every kind of load. */
export const threadsOfLoad = z
  .int()
  .min(1)
  .max(64)
  .optional()
  .describe(
    'Threads of the operating system over which the load is split evenly, each with its own client: for a client that is the bottleneck on a machine with cores to spare. Each makes every nth operation, so one that is slow is not helped by the others; `latest`, and others that follow inserts, pick among the inserts of their own thread. 1 to 64, at most one per worker. Default 1.',
  )
