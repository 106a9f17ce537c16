import { z } from 'zod'
import { type Stream } from '../../../core/random.ts'
import { defineDistribution, type GrowingPicker } from './distribution.ts'
import { Fnv1a64 } from './fnv1a64.ts'
import { exponentField, zipfianRank } from './zipfian-rank.ts'

/**
 * Number of zipfian ranks: YCSB's `ITEM_COUNT`, to which its precomputed sum of 26.46902820178302 belongs. It does not depend
 * on the range, so the frequent numbers are as frequent among few rows as among many.
 */
const ranks = 10_000_000_000

/** Draws for one number: where nearly the whole range is yet to be inserted, the search must end. */
const maxTries = 10_000

/**
 * Follows YCSB's `ScrambledZipfianGenerator`: the FNV-1a hash of a zipfian rank (its eight octets, lowest first), the
 * absolute value of it as a signed number, modulo the count. Draws again what is beyond the numbers that there are.
 */
function scatteredPicker(space: number, stream: Stream, exponent: number): GrowingPicker {
  const rank = zipfianRank(ranks, exponent)
  const hash = new Fnv1a64()
  return ({ n, lane }, count) => {
    stream.at(n, lane)
    for (let tries = 1; ; tries++) {
      const drawn = hash.ofNumber(rank(stream.float())).magnitudeModulo(space)
      if (drawn < count) return drawn
      if (tries === maxTries) return drawn % count
    }
  }
}

export const scrambledZipfian = defineDistribution({
  kind: 'scrambledZipfian',
  summary: 'A few most often, as with "zipfian", but scattered over the whole range, as in YCSB.',
  source: 'YCSB, `ScrambledZipfianGenerator`: the FNV-1a hash of a zipfian rank among 10^10.',
  fields: {
    ...exponentField,
    newRows: z
      .int()
      .min(0)
      .default(0)
      .describe(
        'Rows that the phase is expected to insert; YCSB takes twice as many as it inserts. Draws are scattered over them too, so that inserts do not change which rows are frequent; one that is not there yet is drawn again. Default 0: the range does not grow.',
      ),
  },
  create(count, stream, { exponent, newRows }) {
    const pick = scatteredPicker(count + newRows, stream, exponent)
    return (drawContext) => pick(drawContext, count)
  },
  createGrowing: (first, stream, { exponent, newRows }) =>
    newRows === 0 ? undefined : scatteredPicker(first + newRows, stream, exponent),
})
