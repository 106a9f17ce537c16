import { z } from 'zod'
import { readConcern, readPreference, writeConcern } from '../operations/concerns.ts'

const second = z
  .number()
  .min(0)
  .max(7 * 24 * 3600)

/** What only loads beside others have, and what they may have instead of their phase. */
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
      'The load is on and off in turn, in stretches of so many seconds: pairs of one with it and one without it, in random order. The report has the ratio of the other loads with it to without it, and an interval from six pairs on. A stretch begins when all calls of the one before have been answered, and a tenth of its length before it is not measured. 0.1 or more.',
    ),
  writeConcern: writeConcern.optional(),
  readConcern: readConcern.optional(),
  readPreference: readPreference.optional(),
  deadlineSeconds: second.positive().optional().describe('Default: as the phase has it.'),
}

/** Schema of `loads`. */
export const besideSchema = <Load extends z.ZodObject>(load: Load) =>
  z
    .array(load.meta({ title: 'LoadBeside' }))
    .min(1)
    .max(16)
    .describe(
      'Loads that run beside each other in one window, at most 16, instead of `load` and `operations`: each with a client, draws and figures of its own. In addresses its name stands where that of a phase does: "readers.p99Ms".',
    )

/** The place of a load among those of its phase. Seconds are counted from the beginning of the window. */
export type BesideSpec = {
  /** The phase. */
  readonly phase: string
  readonly from: number
  readonly until?: number | undefined
  /** Length of a stretch, where this load is on and off in turn. */
  readonly alternate?: number | undefined
  /** Which of the loads is on and off in turn. Absent: none is. */
  readonly alternation?: { readonly load: string; readonly seconds: number; readonly pairs: number } | undefined
}
