import { z } from 'zod'
import { hashText, mixIn } from '../../core/random.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import type { DrawContext } from '../values/draw-context.ts'
import { defineGenerator, drawBounds, drawableBounds, readWhole } from './generator.ts'

const int64 = z
  .union([
    z.int().transform(BigInt),
    z.strictObject({ $numberLong: z.string().regex(/^-?\d{1,19}$/) }).transform((long) => BigInt(long.$numberLong)),
  ])
  .refine((value) => value === BigInt.asIntN(64, value), 'does not fit an int64')

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
  drawable: drawableBounds,
  compile({ min, max }, context) {
    const stream = context.stream()
    const drawn = drawBounds({ min, max }, context, readLong, 'an int64')
    if (drawn !== undefined)
      return (drawContext) => {
        const bounds = drawn(drawContext)
        return bounds.min + stream.at(drawContext.n, drawContext.lane).bigBelow(bounds.max - bounds.min + 1n)
      }
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

function readLong(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  const whole = readWhole(value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  return whole === undefined ? undefined : BigInt(whole)
}
