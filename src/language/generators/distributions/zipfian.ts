import { defineDistribution } from './distribution.ts'
import { exponentField, zipfianRank } from './zipfian-rank.ts'

export const zipfian = defineDistribution({
  kind: 'zipfian',
  summary: 'The first ones most often: number i about 1 / (i + 1)^0.99 as often as the first, as in YCSB.',
  source:
    'YCSB, `ZipfianGenerator`: Gray et al., "Quickly generating billion-record synthetic databases", SIGMOD 1994, figure 2.',
  fields: exponentField,
  create(count, stream, { exponent }) {
    const rank = zipfianRank(count, exponent)
    return ({ n, lane }) => rank(stream.at(n, lane).float())
  },
})
