import { z } from 'zod'
import type { Stream } from '../../core/random.ts'
import type { DrawContext } from '../values/draw-context.ts'
import { type DistributionSpec, createDistributionPicker, distributionSpec } from './distributions/index.ts'
import { type GeneratorContext, readWhole } from './generator.ts'

/** Bounds of a length, both included, and how often each length between them is drawn. */
type Length = { readonly min: number; readonly max: number; readonly distribution?: DistributionSpec | undefined }

/** Schema of a length: fixed, or drawn between two, both included. */
export function lengthUpTo(maxLength: number) {
  const length = z.int().min(0).max(maxLength)
  return z.union([
    length.transform((n): Length => ({ min: n, max: n })),
    z
      .strictObject({
        min: length.describe('Minimum.'),
        max: length.describe('Maximum.'),
        distribution: distributionSpec.optional().describe('Distribution of the draws. Default: uniform.'),
      })
      .refine(({ min, max }) => min <= max, '"min" is above "max"'),
  ])
}

/**
 * Compiles the draw of a length. It moves the stream to the number of the draw context, so that what is drawn from it next
 * comes behind the length. A fixed one takes no number from the stream, nor does one that an expression gives.
 */
export function compileLength(
  { min, max, distribution }: Length,
  stream: Stream,
  { counter, drawn, refuse }: Pick<GeneratorContext, 'counter' | 'drawn' | 'refuse'>,
  { name, most }: { readonly name: string; readonly most: number },
): (drawContext: DrawContext) => number {
  const given = drawn.get(name)
  if (given !== undefined)
    return (drawContext) => {
      const length =
        readWhole(given(drawContext), 0, most) ?? refuse(`"${name}" must be a whole number from 0 to ${most}`)
      stream.at(drawContext.n, drawContext.lane)
      return length
    }
  const span = max - min + 1
  if (distribution === undefined || span === 1)
    return ({ n, lane }) => {
      stream.at(n, lane)
      return span === 1 ? min : min + stream.below(span)
    }
  const pick = createDistributionPicker(distribution, span, stream, counter)
  return (drawContext) => {
    stream.at(drawContext.n, drawContext.lane)
    return min + pick(drawContext)
  }
}
