import { z } from 'zod'
import { mixIn } from '../../core/random.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import type { DrawContext } from '../values/draw-context.ts'
import { hashDate } from '../values/size-and-hash.ts'
import { defineGenerator, drawBounds, drawableBounds } from './generator.ts'

const isoDate = z.iso.datetime({ offset: true }).transform((text) => new Date(text).getTime())
const milliseconds = z
  .strictObject({ $numberLong: z.string().regex(/^-?\d{1,16}$/) })
  .transform((long) => Number(long.$numberLong))
/** Schema of a date, as milliseconds: ISO 8601, or Extended JSON. */
export const date64 = z.union([
  isoDate,
  z.strictObject({ $date: z.union([isoDate, milliseconds]) }).transform((written) => written.$date),
])

export const date = defineGenerator({
  keyword: '@date',
  summary: 'A date of the range, to the millisecond.',
  args: z
    .strictObject({
      min: date64
        .prefault('2020-01-01T00:00:00Z')
        .describe('Earliest, inclusive. ISO 8601. Default 2020-01-01T00:00:00Z.'),
      max: date64
        .prefault('2029-12-31T23:59:59.999Z')
        .describe('Latest, inclusive. ISO 8601. Default 2029-12-31T23:59:59.999Z.'),
    })
    .refine(({ min, max }) => min <= max, '"min" is after "max"'),
  example: { min: '2026-01-01T00:00:00Z', max: '2026-12-31T00:00:00Z' },
  drawable: drawableBounds,
  compile({ min, max }, context) {
    const stream = context.stream()
    const drawn = drawBounds({ min, max }, context, readDate, 'a date')
    const span = max - min + 1
    function drawMs(drawContext: DrawContext): number {
      const { n, lane } = drawContext
      if (drawn === undefined) return min + stream.at(n, lane).below(span)
      const bounds = drawn(drawContext)
      return bounds.min + stream.at(n, lane).below(bounds.max - bounds.min + 1)
    }
    return {
      draw: (drawContext) => new Date(drawMs(drawContext)),
      write(drawContext, out) {
        const ms = drawMs(drawContext)
        drawContext.hash = mixIn(drawContext.hash, hashDate(ms))
        out.wholeInt64(ms)
        return bsonType.date
      },
    }
  },
})

const readDate = (value: unknown): number | undefined =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? value.getTime() : undefined
