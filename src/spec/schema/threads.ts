import { z } from 'zod'

export const threadsOfLoad = z
  .int()
  .min(1)
  .max(64)
  .optional()
  .describe(
    'Threads of the operating system over which the load is split evenly, each with its own client: for a client that is the bottleneck on a machine with cores to spare. Each makes every nth operation, so no thread helps a slow one; `latest`, and other distributions that follow inserts, pick among the inserts of the same thread. 1 to 64, at most one per worker. Default 1.',
  )
