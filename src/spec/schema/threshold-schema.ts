import { z } from 'zod'
import { parseThreshold, thresholdForm } from '../../language/thresholds.ts'

export const thresholdText = z
  .string()
  .refine((given) => parseThreshold(given) !== undefined, `must be ${thresholdForm}`)
  .meta({ format: 'threshold' })

export const threshold = z
  .union([
    thresholdText,
    z
      .strictObject({
        holds: thresholdText.describe('What must hold, such as "errors == 0".'),
        abort: z
          .boolean()
          .default(false)
          .describe('Whether the run ends after the first row that misses it. Default false.'),
      })
      .meta({ title: 'Threshold' }),
  ])
  .transform((given) => (typeof given === 'string' ? { holds: given, abort: false } : given))

export type ThresholdSpec = z.output<typeof threshold>
