import { z } from 'zod'
import { mixIn } from '../../core/random.ts'
import { value } from '../value-schema.ts'
import { type CompiledValue, type DrawContext } from '../values/draw-context.ts'
import { defineGenerator } from './generator.ts'

export const choice = defineGenerator({
  keyword: '@choice',
  summary: 'One of the values; only the chosen one is evaluated.',
  args: z
    .strictObject({
      values: z.array(value).min(1).describe('What to choose from; may contain expressions.'),
      weights: z.array(z.number().min(0)).optional().describe('Relative weights. Default: uniform.'),
    })
    .refine(
      ({ values, weights }) => weights === undefined || weights.length === values.length,
      '"weights" must be as many as "values"',
    )
    .refine(
      ({ weights }) => weights === undefined || weights.some((weight) => weight > 0),
      'one of the "weights" must be above 0',
    ),
  example: { values: ['open', 'paid', 'sent'], weights: [1, 3, 6] },
  countsItself: true,
  compile({ values, weights }, context) {
    const stream = context.stream()
    const items = values.map((item, i) => context.value(item, 'values', i))
    const bounds = upperBounds(weights ?? values.map(() => 1))
    const choose = (drawContext: DrawContext): CompiledValue => {
      const drawn = stream.at(drawContext.n, drawContext.lane).float()
      let chosen = 0
      while (drawn >= (bounds[chosen] ?? 1)) chosen++
      drawContext.hash = mixIn(drawContext.hash, chosen)
      return items[chosen] as CompiledValue
    }
    return {
      draw: (drawContext) => choose(drawContext).draw(drawContext),
      write: (drawContext, out) => choose(drawContext).write(drawContext, out),
    }
  },
})

/** Cumulative shares of the weights, in [0, 1]. The last weight above 0 ends at exactly 1, whatever the rounding. */
export function upperBounds(weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const last = weights.findLastIndex((weight) => weight > 0)
  let sum = 0
  return weights.map((weight, i) => (i >= last ? 1 : (sum += weight) / total))
}
