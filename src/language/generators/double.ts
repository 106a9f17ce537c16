import { z } from 'zod'
import { asDouble, isNumber, toNumber } from '../values/bson-types.ts'
import { defineGenerator, drawBounds, drawableBounds } from './generator.ts'

export const double = defineGenerator({
  keyword: '@double',
  summary: 'A double of the range, uniformly distributed.',
  args: z
    .strictObject({
      min: z.number().default(0).describe('Minimum. Default 0.'),
      max: z.number().default(1).describe('Maximum. Default 1.'),
    })
    .refine(({ min, max }) => min <= max, '"min" is above "max"'),
  example: { min: 1, max: 500 },
  drawable: drawableBounds,
  compile(fixed, context) {
    const drawn = drawBounds(fixed, context, (bound) => (isNumber(bound) ? toNumber(bound) : undefined), 'a number')
    const stream = context.stream()
    // 2^53 - 1 steps instead of 2^53, so that both ends can be drawn.
    const widen = 2 ** 53 / (2 ** 53 - 1)
    return (drawContext) => {
      const { min, max } = drawn === undefined ? fixed : drawn(drawContext)
      const share = stream.at(drawContext.n, drawContext.lane).float() * widen
      // A weighted sum, because max - min may overflow; rounding may lead it past the ends.
      return asDouble(Math.min(max, Math.max(min, min * (1 - share) + max * share)))
    }
  },
})
