import { z } from 'zod'
import { figure } from './figure.ts'

/** One of the two sides of a comparison. */
export const sideName = z.enum(['a', 'b'])

/** Marks a result as one side of a comparison whose runs were interleaved: run *n* of both sides is round *n*, or pair *n* of stretches. */
export const pairing = z.object({
  /** The same in the results of both sides. */
  id: z.string(),
  side: sideName,
  /** Settings that this side alone has, such as "workers=8" or "engine:wire". */
  settings: z.array(z.string()),
  /** The side that ran first in each round, or in each pair of stretches. */
  first: z.array(sideName),
  /** Whether rounds were added until verdicts were clear, or until the budget for that was spent, or their number was fixed before the first one. */
  rounds: z.enum(['fixed', 'until clear', 'budget spent']),
  /**
   * Absent: each run was one of a whole spec. Else run *n* is a stretch, of the pair *n*: both sides were ready, one sent its calls, and then the
   * other one.
   */
  stretches: z
    .object({
      /** Length of a stretch. */
      seconds: figure,
      /** Beginning of each stretch, besides, whose calls are not measured. */
      leadInSeconds: figure,
      /** The round of each pair, from 1: in each round, all that is ours was started anew. */
      rounds: z.array(z.int()),
    })
    .optional(),
})

/** One of the two sides of a comparison. */
export type SideName = z.output<typeof sideName>

/** Marks a result as one side of a comparison. */
export type Pairing = z.output<typeof pairing>
