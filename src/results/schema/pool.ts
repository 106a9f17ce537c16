import { z } from 'zod'
import { latency } from './latency.ts'

/** Connection pool through which the calls of a phase went. */
export const poolResult = z.object({
  /** Connections to each server, at most. */
  maxPoolSize: z.int(),
  maxConnecting: z.int(),
  waitQueueTimeoutMS: z.int(),
  /** Null: nothing was sent. */
  wait: latency.nullable(),
})
