import { z } from 'zod'
import { figure } from './figure.ts'

/** A number in the message of a warning, rounded as the message shows it. */
const warningFigure = z.object({ value: figure, unit: z.string() })

/** A warning about the validity of a measurement. */
export const warning = z.object({
  code: z.string(),
  /** One sentence without a final period. */
  message: z.string(),
  /** The message as texts and figures, so that reports can show the range over several runs. Absent: it has no figures, or an older result. */
  parts: z.array(z.union([z.string(), warningFigure])).optional(),
  advice: z.string(),
})

/** How steady the throughput of a phase was. */
export const steadiness = z.object({
  label: z.enum(['steady', 'drifting', 'unsettled', 'too short']),
  /** Throughput of the last third divided by that of the first third. */
  lastOverFirst: figure.nullable(),
  /** Whether they differ by more than chance explains. Null: unknown, as in older results. */
  isDriftSignificant: z.boolean().nullable().default(null),
  /** Half width of the 95 % interval of mean throughput, in percent of it, by batch means. Null: too few batches, or an older result. */
  precisionPercent: figure.nullable().default(null),
  checkpoints: figure.nullable(),
  /** Longest time with less than a quarter of the median throughput. Null: too few calls, or an older result. */
  longestGapSeconds: figure.nullable().default(null),
})

/** A warning about the validity of a measurement. */
export interface Warning extends z.output<typeof warning> {}
export type WarningFigure = z.output<typeof warningFigure>
/** A text, or a figure of a message. */
export type WarningPart = string | WarningFigure
export type Steadiness = z.output<typeof steadiness>
