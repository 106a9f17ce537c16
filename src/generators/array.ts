import { z } from 'zod'
import { mixIn } from '../random.ts'
import { value } from '../language/value-place.ts'
import { toJson } from '../values/extended-json.ts'
import { type Moment } from '../values/moment.ts'
import { frameBytes, indexKeyBytes } from '../values/size.ts'
import { defineGenerator } from './generator.ts'
import { drawLength, lengthUpTo } from './length.ts'

/** Draws for one distinct element before the list is left shorter. */
const mostTries = 1000

export const array = defineGenerator({
  word: '@array',
  summary: 'A list of draws.',
  args: z.strictObject({
    size: lengthUpTo(100_000).describe('Number of elements, 0 to 100000, or {"min", "max"}, both included.'),
    of: value.describe('Drawn anew for each element.'),
    distinct: z
      .boolean()
      .default(false)
      .describe('Whether all elements differ. Shorter when there are not enough different ones. Default false.'),
  }),
  example: { size: 3, of: { '@int': { min: 1, max: 6 } } },
  countsItself: true,
  compile({ size, of, distinct }, context) {
    const draw = context.value(of, 'of')
    const stream = context.stream()
    const drawSize = ({ n, lane }: Moment): number => drawLength(size, stream.at(n, lane))
    const element = (moment: Moment, outer: number, before: number, i: number): unknown => {
      moment.lane = mixIn(outer ^ 0x5bd1e995, i + 1)
      const drawn = draw(moment)
      context.keepWithin(moment.bytes - before)
      return drawn
    }
    return (moment) => {
      const { lane: outer, bytes: before } = moment
      const length = drawSize(moment)
      const list = distinct
        ? drawDistinct(moment, outer, before, length)
        : Array.from({ length }, (_, i) => element(moment, outer, before, i))
      moment.lane = outer
      moment.bytes += frameBytes + indexKeyBytes(list.length)
      return list
    }

    function drawDistinct(moment: Moment, outer: number, start: number, length: number): unknown[] {
      const seen = new Map<string, unknown>()
      for (let tries = 0, i = 0; seen.size < length && tries < mostTries; i++) {
        const before = moment.bytes
        const drawn = element(moment, outer, start, i)
        const identity = JSON.stringify(toJson(drawn))
        tries = seen.has(identity) ? tries + 1 : 0
        if (seen.has(identity)) moment.bytes = before
        else seen.set(identity, drawn)
      }
      return [...seen.values()]
    }
  },
})
