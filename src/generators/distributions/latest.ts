import { defineDistribution } from './distribution.ts'
import { exponentField, growingZipfianRank, zipfianRank } from './zipfian-rank.ts'

/** As YCSB's `SkewedLatestGenerator`: the newest number less a zipfian rank, over the range as it is by then. */
export const latest = defineDistribution({
  kind: 'latest',
  summary:
    'The last ones most often: the newest less a number of "zipfian", as in YCSB. Without a `count` the newest is the last row of those whose inserts have all ended by then, so it follows the inserts of the phase.',
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
