import { z } from 'zod'

/** A warning about the validity of a measurement. */
export const warning = z.object({
  code: z.string(),
  /** One sentence without a final period. */
  message: z.string(),
  advice: z.string(),
})

/** How steady the throughput of a phase was. */
export const steadiness = z.object({
  label: z.enum(['steady', 'drifting', 'unsettled', 'too short']),
  /** Throughput of the last third divided by that of the first third. */
  lastOverFirst: z.number().nullable(),
  /** Whether they differ by more than chance explains. Null: unknown, as in older results. */
  isDriftSignificant: z.boolean().nullable().default(null),
  /** Half width of the 95 % interval of mean throughput, in percent of it, by batch means. Null: too few batches, or an older result. */
  precisionPercent: z.number().nullable().default(null),
  checkpoints: z.number().nullable(),
})

export type Warning = z.output<typeof warning>
export type Steadiness = z.output<typeof steadiness>
