import { z } from 'zod'
import { readConcern, readPreference, writeConcern } from '../operations/concerns.ts'

const second = z
  .number()
  .min(0)
  .max(7 * 24 * 3600)

/** Fields that only loads beside others have, or may have instead of their phase. */
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
      'Seconds for which the load is on and off in turn, 0.1 or more: pairs of stretches with and without it, in random order. The report compares the other loads in them; an interval needs six pairs.',
    ),
  writeConcern: writeConcern.optional(),
  readConcern: readConcern.optional(),
  readPreference: readPreference.optional(),
  deadlineSeconds: second.positive().optional().describe('Deadline of its calls. Default: that of the phase.'),
}

/** Schema of `loads`. */
export const besideSchema = <Load extends z.ZodObject>(load: Load) =>
  z
    .array(load.meta({ title: 'LoadBeside' }))
    .min(1)
    .max(16)
    .describe(
      'Loads that run beside each other in one window, at most 16, instead of `load` and `operations`: each with clients, draws and figures of its own. Addresses name it like a phase: "readers.p99Ms".',
    )

/** The place of a load among those of its phase. Seconds are counted from the beginning of the window. */
export type BesideSpec = {
  readonly phase: string
  readonly from: number
  readonly until?: number | undefined
  /** Length of a stretch, where this load is on and off in turn. */
  readonly alternate?: number | undefined
  /** The load that is on and off in turn. Absent: none is. */
  readonly alternation?: { readonly load: string; readonly seconds: number; readonly pairs: number } | undefined
}
