import { z } from 'zod'

/** One of the two sides of a comparison. */
export const sideName = z.enum(['a', 'b'])

/** Marks a result as one side of a comparison whose rounds were interleaved: run *n* of both sides is round *n*. */
export const pairing = z.object({
  /** The same in the results of both sides. */
  id: z.string(),
  side: sideName,
  /** Settings that this side alone has, such as "workers=8" or "engine:wire". */
  settings: z.array(z.string()),
  /** The side that ran first in each round. */
  first: z.array(sideName),
  /** Whether rounds were added until verdicts were clear, or their number was fixed before the first one. */
  rounds: z.enum(['fixed', 'until clear']),
})

/** One of the two sides of a comparison. */
export type SideName = z.output<typeof sideName>

/** Marks a result as one side of a comparison. */
export type Pairing = z.output<typeof pairing>
