import { z } from 'zod'
import { defineDistribution } from './distribution.ts'

/**
 * A normal distribution (Box and Muller, "A note on the generation of random normal deviates", 1958), truncated at both ends.
 * Values outside are drawn again: clamping them would make the first and the last number hot.
 */
export const gaussian = defineDistribution({
  kind: 'gaussian',
  summary: 'Normal distribution centred on the range.',
  source:
    'Box and Muller, "A note on the generation of random normal deviates", 1958; what falls outside is drawn again.',
  fields: {
    mean: z.number().min(0).max(1).default(0.5).describe('Top of the bell, as a share of the range. Default 0.5.'),
    sigma: z
      .number()
      .min(0.000001)
      .max(1)
      .default(1 / 6)
      .describe('Standard deviation, as a share of the range. Default one sixth, so that 99.7% would fall into it.'),
  },
  create(count, stream, { mean, sigma }) {
    return ({ n, lane }) => {
      stream.at(n, lane)
      // Within the bounds of the arguments at least a third of the draws falls inside.
      for (;;) {
        const radius = Math.sqrt(-2 * Math.log(1 - stream.float()))
        const normal = radius * Math.cos(2 * Math.PI * stream.float())
        const drawn = Math.floor((mean + sigma * normal) * count)
        if (drawn >= 0 && drawn < count) return drawn
      }
    }
  },
})
