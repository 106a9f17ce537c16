import { z } from 'zod'

/** The argument of all zipfian distributions; the default is YCSB's `ZIPFIAN_CONSTANT`. */
export const exponentField = {
  exponent: z
    .number()
    .positive()
    .max(0.999)
    .default(0.99)
    .describe('How steeply the frequencies fall: above 0, which is nearly uniform, up to 0.999. Default 0.99.'),
}

/** Terms that are summed directly; the rest is an integral with its first corrections (Euler-Maclaurin), exact to double precision. */
const exactTerms = 10_000

/** Generalised harmonic number: the sum of 1 / i^exponent for i from 1 to n. */
export function harmonic(n: number, exponent: number): number {
  let sum = 0
  const exact = Math.min(n, exactTerms)
  for (let i = 1; i <= exact; i++) sum += i ** -exponent
  if (n === exact) return sum
  const integral = (n ** (1 - exponent) - exact ** (1 - exponent)) / (1 - exponent)
  const ends = (n ** -exponent - exact ** -exponent) / 2
  const slopes = (exponent * (exact ** (-exponent - 1) - n ** (-exponent - 1))) / 12
  return sum + integral + ends + slopes
}

/**
 * Turns a uniform number of [0, 1) into a rank in [0, count), as YCSB's `ZipfianGenerator` does: Gray et al., "Quickly
 * generating billion-record synthetic databases", SIGMOD 1994, figure 2. Rank 0 is the most frequent, rank i about
 * (i + 1)^-exponent as frequent: exact for the first two, approximated by an integral for the others.
 */
export function zipfianRank(count: number, exponent: number): (u: number) => number {
  const rank = growingZipfianRank(count, exponent)
  return (u) => rank(u, count)
}

/** The same for a growing count: as in YCSB, the sum continues from its last value. The count never shrinks. */
export function growingZipfianRank(first: number, exponent: number): (u: number, count: number) => number {
  const alpha = 1 / (1 - exponent)
  const secondBound = 1 + 0.5 ** exponent
  let known = first
  let total = harmonic(first, exponent)
  let eta = etaOf()

  function etaOf(): number {
    return (1 - (2 / known) ** (1 - exponent)) / (1 - secondBound / total)
  }

  function growTo(count: number): void {
    for (let i = known + 1; i <= count; i++) total += i ** -exponent
    known = count
    eta = etaOf()
  }

  return (u, count) => {
    if (count > known) growTo(count)
    const share = u * total
    if (share < 1 || known === 1) return 0
    if (share < secondBound || known === 2) return 1
    return Math.min(known - 1, Math.floor(known * (eta * u - eta + 1) ** alpha))
  }
}
