import { defineDistribution } from './distribution.ts'
import { exponentField, growingZipfianRank, zipfianRank } from './zipfian-rank.ts'

/** Follows YCSB's `SkewedLatestGenerator`: the newest number minus a zipfian rank, over the range at the time of the draw. */
export const latest = defineDistribution({
  kind: 'latest',
  summary:
    'The last ones most often: the newest minus a number of "zipfian", as in YCSB. Without a `count` the newest is the last row before the first insert that has not ended yet, so it follows the inserts of the phase.',
  source: 'YCSB, `SkewedLatestGenerator` and `AcknowledgedCounterGenerator`.',
  fields: exponentField,
  create(count, stream, { exponent }) {
    const rank = zipfianRank(count, exponent)
    return ({ n, lane }) => count - 1 - rank(stream.at(n, lane).float())
  },
  createGrowing(first, stream, { exponent }) {
    const rank = growingZipfianRank(first, exponent)
    return ({ n, lane }, count) => Math.max(0, count - 1 - rank(stream.at(n, lane).float(), count))
  },
})
