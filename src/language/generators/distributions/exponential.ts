import { z } from 'zod'
import { type Stream } from '../../../core/random.ts'
import { type DrawContext } from '../../values/draw-context.ts'
import { defineDistribution } from './distribution.ts'

type Shares = { readonly hotSet: number; readonly hotTraffic: number }

/** Draws how far back from the newest of `count` numbers. What lies before the first is drawn again. */
function distancePicker(first: number, stream: Stream, { hotSet, hotTraffic }: Shares) {
  const mean = (first * hotSet) / -Math.log1p(-hotTraffic)
  return ({ n, lane }: DrawContext, count: number): number => {
    stream.at(n, lane)
    // The bounds of the shares put the mean at a few ranges at most, so that a draw in a hundred falls inside at least.
    for (;;) {
      const distance = Math.floor(-mean * Math.log1p(-stream.float()))
      if (distance < count) return distance
    }
  }
}

/** Follows YCSB's `ExponentialGenerator`, counted back from the newest number; its mean belongs to the range at the beginning. */
export const exponential = defineDistribution({
  kind: 'exponential',
  summary: 'The last ones most often, exponentially rarer further back, as in YCSB. It follows inserts like "latest".',
  source: 'YCSB, `ExponentialGenerator`, with `exponential.frac` and `exponential.percentile`.',
  fields: {
    hotSet: z
      .number()
      .min(0.0001)
      .max(1)
      .default(0.8571428571)
      .describe('Share of the numbers that is hot: the last ones. 0.0001 to 1. Default 0.8571428571.'),
    hotTraffic: z
      .number()
      .min(0.01)
      .max(0.9999)
      .default(0.95)
      .describe(
        'Share of the draws that goes to them, before those beyond the range are repeated. 0.01 to 0.9999. Default 0.95.',
      ),
  },
  create(count, stream, shares) {
    const distance = distancePicker(count, stream, shares)
    return (drawContext) => count - 1 - distance(drawContext, count)
  },
  createGrowing(first, stream, shares) {
    const distance = distancePicker(first, stream, shares)
    return (drawContext, count) => count - 1 - distance(drawContext, count)
  },
})
