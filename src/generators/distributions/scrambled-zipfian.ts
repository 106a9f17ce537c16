import { defineDistribution } from './distribution.ts'
import { Fnv1a64 } from './fnv1a64.ts'
import { exponentField, zipfianRank } from './zipfian-rank.ts'

/**
 * Number of zipfian ranks: YCSB's `ITEM_COUNT`, to which its precomputed sum of 26.46902820178302 belongs. It does not depend
 * on the range, so the frequent numbers are as frequent among few rows as among many.
 */
const ranks = 10_000_000_000

/**
 * As YCSB's `ScrambledZipfianGenerator`: the FNV-1a hash of a zipfian rank (its eight octets, lowest first), the absolute value
 * of it as a signed number, modulo the count.
 */
export const scrambledZipfian = defineDistribution({
  kind: 'scrambledZipfian',
  summary: 'A few most often, as with "zipfian", but scattered over the whole range, as in YCSB.',
  source: 'YCSB, `ScrambledZipfianGenerator`: the FNV-1a hash of a zipfian rank among 10^10.',
  fields: exponentField,
  create(count, stream, { exponent }) {
    const rank = zipfianRank(ranks, exponent)
    const hash = new Fnv1a64()
    return ({ n, lane }) => hash.ofNumber(rank(stream.at(n, lane).float())).magnitudeModulo(count)
  },
})
