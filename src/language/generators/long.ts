import { z } from 'zod'
import { hashText, mixIn } from '../../core/random.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { type DrawContext } from '../values/draw-context.ts'
import { defineGenerator } from './generator.ts'

const int64 = z
  .union([
    z.int().transform(BigInt),
    z.strictObject({ $numberLong: z.string().regex(/^-?\d{1,19}$/) }).transform((long) => BigInt(long.$numberLong)),
  ])
  .refine((value) => value === BigInt.asIntN(64, value), 'does not fit an int64')

/** The generator `@long`. */
export const long = defineGenerator({
  keyword: '@long',
  summary: 'An int64 of the range, uniformly distributed.',
  args: z
    .strictObject({
      min: int64.prefault(0).describe('Minimum, inclusive. Default 0. Beyond 2^53 write {"$numberLong": "…"}.'),
      max: int64
        .prefault({ $numberLong: '9223372036854775807' })
        .describe('Maximum, inclusive. Default 9223372036854775807.'),
    })
    .refine(({ min, max }) => min <= max, '"min" is above "max"'),
  example: { min: 1, max: 999999 },
  compile({ min, max }, context) {
    const stream = context.stream()
    const span = max - min + 1n
    if (span > BigInt(Number.MAX_SAFE_INTEGER))
      return (drawContext) => min + stream.at(drawContext.n, drawContext.lane).bigBelow(span)
    const smallSpan = Number(span)
    const drawOffset = ({ n, lane }: DrawContext): number => stream.at(n, lane).below(smallSpan)
    const draw = (drawContext: DrawContext): bigint => min + BigInt(drawOffset(drawContext))
    const from = Number(min)
    if (![from, Number(max)].every(Number.isSafeInteger)) return draw
    return {
      draw,
      write(drawContext, out) {
        const value = from + drawOffset(drawContext)
        drawContext.hash = mixIn(drawContext.hash, hashText(String(value)))
        out.wholeInt64(value)
        return bsonType.int64
      },
    }
  },
})
