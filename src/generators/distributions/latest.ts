import { defineDistribution } from './distribution.ts'
import { exponentField, zipfianRank } from './zipfian-rank.ts'

/** As YCSB's `SkewedLatestGenerator`: the newest number less a zipfian rank. */
export const latest = defineDistribution({
  kind: 'latest',
  summary: 'The last ones most often: the newest less a number of "zipfian", as in YCSB.',
  source: 'YCSB, `SkewedLatestGenerator`.',
  fields: exponentField,
  create(count, stream, { exponent }) {
    const rank = zipfianRank(count, exponent)
    return ({ n, lane }) => count - 1 - rank(stream.at(n, lane).float())
  },
})
