import { z } from 'zod'
import { peakStep } from './peak.ts'

/** One stretch of a load beside one that is on and off in turn. Latency is that of responses in an open loop. */
export const stretch = peakStep.omit({ workers: true }).extend({
  /** Number of its pair, from 0. */
  pair: z.int(),
  /** Whether the other load was on. */
  on: z.boolean(),
})

export type Stretch = z.output<typeof stretch>
