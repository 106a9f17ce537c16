import { z } from 'zod'
import { createDistributionPicker, distributionSpec } from './distributions/index.ts'
import { defineGenerator, drawBounds, drawableBounds, readWhole } from './generator.ts'

const int32 = z
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1)

export const int = defineGenerator({
  keyword: '@int',
  summary: 'An int32 of the range, uniformly distributed unless a distribution is given.',
  args: z
    .strictObject({
      min: int32.default(0).describe('Minimum, inclusive. Default 0.'),
      max: int32.default(2 ** 31 - 1).describe('Maximum, inclusive. Default 2147483647.'),
      distribution: distributionSpec
        .optional()
        .describe('Distribution of the values, counted from "min" on. Default: uniform.'),
    })
    .refine(({ min, max }) => min <= max, '"min" is above "max"'),
  example: { min: 1, max: 6 },
  drawable: drawableBounds,
  compile({ min, max, distribution }, context) {
    const stream = context.stream()
    const drawn = drawBounds({ min, max }, context, (bound) => readWhole(bound, -(2 ** 31), 2 ** 31 - 1), 'an int32')
    if (drawn !== undefined) {
      if (distribution !== undefined) context.report('"distribution" needs bounds that are the same for all values')
      return (drawContext) => {
        const bounds = drawn(drawContext)
        return bounds.min + stream.at(drawContext.n, drawContext.lane).below(bounds.max - bounds.min + 1)
      }
    }
    const span = max - min + 1
    if (distribution !== undefined) {
      const pick = createDistributionPicker(distribution, span, stream, context.counter)
      return (drawContext) => min + pick(drawContext)
    }
    return (drawContext) => min + stream.at(drawContext.n, drawContext.lane).below(span)
  },
})
