import { defineDistribution } from './distribution.ts'
import { Fnv1a64 } from './fnv1a64.ts'
import { exponentField, zipfianRank } from './zipfian-rank.ts'

/**
 * Ranks that are scattered over the numbers: YCSB's `ITEM_COUNT`, the one that its precomputed sum of 26.46902820178302
 * belongs to. It is always the same, so the frequent numbers are as frequent among few rows as among many.
 */
const ranks = 10_000_000_000

/**
 * As YCSB's `ScrambledZipfianGenerator`: the FNV-1a hash of a zipfian rank (its eight octets, lowest first), taken as a signed
 * number without its sign, modulo the count.
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
