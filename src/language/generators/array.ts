import { z } from 'zod'
import { mixIn } from '../../core/random.ts'
import { type BsonWriter } from '../../protocol/bson/writer.ts'
import { value } from '../value-schema.ts'
import { type DrawContext, writeDrawn } from '../values/draw-context.ts'
import { toJson } from '../values/extended-json.ts'
import { frameBytes, indexKeyBytes } from '../values/size-and-hash.ts'
import { writeItems } from '../values/write-document.ts'
import { defineGenerator } from './generator.ts'
import { compileLength, lengthUpTo } from './length.ts'

/** Draws for one distinct element before the array is left shorter. */
const maxTries = 1000

/** Each element has draws of its own. */
const deriveElementSeed = (outer: number, i: number): number => mixIn(outer ^ 0x5bd1e995, i + 1)

const longest = 100_000

export const array = defineGenerator({
  keyword: '@array',
  summary: 'A list of draws.',
  args: z.strictObject({
    size: lengthUpTo(longest).describe('Number of elements, 0 to 100000, or {"min", "max"}, both included.'),
    of: value.describe('Drawn again for each element.'),
    distinct: z
      .boolean()
      .default(false)
      .describe('Whether all elements differ. The list is shorter if too few values differ. Default false.'),
  }),
  example: { size: 3, of: { '@int': { min: 1, max: 6 } } },
  countsItself: true,
  drawable: { size: 0 },
  compile({ size, of, distinct }, context) {
    const { draw, write } = context.value(of, 'of')
    const stream = context.stream()
    const drawSize = compileLength(size, stream, context, { name: 'size', most: longest })
    const element = (drawContext: DrawContext, outer: number, before: number, i: number): unknown => {
      drawContext.lane = deriveElementSeed(outer, i)
      const drawn = draw(drawContext)
      context.keepWithin(drawContext.bytes - before)
      return drawn
    }
    return { draw: drawList, write: distinct ? writeDrawn(drawList) : writeList }

    function drawList(drawContext: DrawContext): unknown[] {
      const { lane: outer, bytes: before } = drawContext
      const length = drawSize(drawContext)
      const list = distinct
        ? drawDistinct(drawContext, outer, before, length)
        : Array.from({ length }, (_, i) => element(drawContext, outer, before, i))
      drawContext.lane = outer
      drawContext.bytes += frameBytes + indexKeyBytes(list.length)
      return list
    }

    function writeList(drawContext: DrawContext, out: BsonWriter): number {
      const { lane: outer } = drawContext
      const type = writeItems(out, drawSize(drawContext), context.keepWithin, (i) => {
        drawContext.lane = deriveElementSeed(outer, i)
        return write(drawContext, out)
      })
      drawContext.lane = outer
      return type
    }

    function drawDistinct(drawContext: DrawContext, outer: number, start: number, length: number): unknown[] {
      const seen = new Map<string, unknown>()
      for (let tries = 0, i = 0; seen.size < length && tries < maxTries; i++) {
        const before = drawContext.bytes
        const drawn = element(drawContext, outer, start, i)
        const identity = JSON.stringify(toJson(drawn))
        tries = seen.has(identity) ? tries + 1 : 0
        if (seen.has(identity)) drawContext.bytes = before
        else seen.set(identity, drawn)
      }
      return [...seen.values()]
    }
  },
})
