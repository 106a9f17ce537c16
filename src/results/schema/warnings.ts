import { z } from 'zod'

export const warning = z.object({
  code: z.string(),
  /** What is in doubt, a sentence without a final period. */
  message: z.string(),
  advice: z.string(),
})

export const steadiness = z.object({
  label: z.enum(['steady', 'drifting', 'unsettled', 'too short']),
  /** Throughput of the last third over that of the first third. */
  lastOverFirst: z.number().nullable(),
  /** (90th - 10th percentile) / median of the per-second throughput. */
  spread: z.number().nullable(),
  checkpoints: z.number().nullable(),
})

export type Warning = z.output<typeof warning>
export type Steadiness = z.output<typeof steadiness>
