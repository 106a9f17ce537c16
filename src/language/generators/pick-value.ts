import { z } from 'zod'
import { value } from '../value-schema.ts'
import { type DrawContext } from '../values/draw-context.ts'
import { defineGenerator } from './generator.ts'

export const pickValue = defineGenerator({
  keyword: '@pickValue',
  summary: 'Picks one of `count` distinct values, e.g. one of 5000 customers.',
  args: z.strictObject({
    of: value.describe('How the values are drawn: value number n as the draw of row n.'),
    count: z
      .int()
      .min(1)
      .max(2 ** 40)
      .describe('Number of distinct values to pick from, uniformly.'),
  }),
  example: { of: { '@string': { length: 8 } }, count: 100 },
  countsItself: true,
  compile({ of, count }, context) {
    const stream = context.stream()
    const { draw, write } = context.value(of, 'of')
    const atPicked = <Made>(drawContext: DrawContext, make: () => Made): Made => {
      const { n, lane } = drawContext
      drawContext.n = stream.at(n, lane).below(count)
      // Elements of a list pick from the same values as each other.
      drawContext.lane = 0
      const made = make()
      drawContext.n = n
      drawContext.lane = lane
      return made
    }
    return {
      draw: (drawContext) => atPicked(drawContext, () => draw(drawContext)),
      write: (drawContext, out) => atPicked(drawContext, () => write(drawContext, out)),
    }
  },
})
