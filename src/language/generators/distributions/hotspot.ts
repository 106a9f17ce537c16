import { z } from 'zod'
import { defineDistribution } from './distribution.ts'

/**
 * Follows YCSB's `HotspotIntegerGenerator`, with the defaults of its `hotspotdatafraction` and `hotspotopnfraction`. YCSB
 * divides by zero where one of the two sets is empty; here at least one number is hot, and where none is cold all draws are
 * hot.
 */
export const hotspot = defineDistribution({
  kind: 'hotspot',
  summary: '80 % of draws hit the first 20 %; uniform within each part, as in YCSB.',
  source: 'YCSB, `HotspotIntegerGenerator`.',
  fields: {
    hotSet: z
      .number()
      .positive()
      .max(1)
      .default(0.2)
      .describe('Share of the numbers that is hot: the first ones, at least one. Default 0.2.'),
    hotTraffic: z.number().min(0).max(1).default(0.8).describe('Share of the draws that goes to them. Default 0.8.'),
  },
  create(count, stream, { hotSet, hotTraffic }) {
    const hot = Math.max(1, Math.floor(count * hotSet))
    const cold = count - hot
    return ({ n, lane }) => {
      const isHot = stream.at(n, lane).float() < hotTraffic || cold === 0
      return isHot ? stream.below(hot) : hot + stream.below(cold)
    }
  },
})
