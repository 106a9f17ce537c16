import { z } from 'zod'
import { readConcern, readPreference, writeConcern } from '../operations/concerns.ts'

const second = z
  .number()
  .min(0)
  .max(7 * 24 * 3600)

/** Fields that only parallel loads have, or may have instead of their phase. */
export const ownFields = {
  from: second
    .default(0)
    .describe('When it begins, in seconds after the beginning of the window. Later ones do not warm up. Default 0.'),
  until: second
    .optional()
    .describe('When it ends, in seconds after the beginning of the window. Default: when the phase does.'),
  alternate: second
    .min(0.1)
    .optional()
    .describe(
      'Seconds for which the load is on and off in turn, 0.1 or more: pairs of windows with and without it, in random order. The report compares the other loads in them; an interval needs six pairs.',
    ),
  writeConcern: writeConcern.optional(),
  readConcern: readConcern.optional(),
  readPreference: readPreference.optional(),
  deadlineSeconds: second
    .positive()
    .optional()
    .describe('Deadline of its operations. Default: the deadline of the phase.'),
}

/** Schema of `loads`. */
export const parallelSchema = <Load extends z.ZodObject>(load: Load) =>
  z
    .array(load.meta({ title: 'ParallelLoad' }))
    .min(1)
    .max(16)
    .describe(
      'Loads that run in parallel (up to 16), each with its own clients, random values and results; use instead of `load` and `operations`. Addresses name each like a phase: "readers.p99Ms".',
    )

/** The place of a load among those of its phase. Seconds are counted from the beginning of the window. */
export type ParallelSpec = {
  readonly phase: string
  readonly from: number
  readonly until?: number | undefined
  /** Length of a window, where this load is on and off in turn. */
  readonly alternate?: number | undefined
  /** The load that is on and off in turn. Absent: none is. */
  readonly alternation?: { readonly load: string; readonly seconds: number; readonly pairs: number } | undefined
}
