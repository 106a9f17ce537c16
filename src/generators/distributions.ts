import { type Stream } from '../random.ts'
import { type Moment } from './../values/moment.ts'

/** Draws a number in [0, count). */
export type Picker = (moment: Moment) => number

export type Distribution = {
  readonly name: string
  readonly summary: string
  readonly create: (count: number, stream: Stream) => Picker
}

/** Exponent of YCSB's zipfian generator (`ZIPFIAN_CONSTANT`). */
const zipfianExponent = 0.99

/** Terms added one by one; the rest of the sum is an integral with its first corrections (Euler-Maclaurin), exact to double precision. */
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
 * Zipfian numbers as YCSB draws them: Gray et al., "Quickly generating billion-record synthetic databases", SIGMOD 1994,
 * figure 2. Number 0 is the most frequent, number i about (i + 1)^-0.99 as frequent.
 */
function zipfian(count: number, stream: Stream): Picker {
  const total = harmonic(count, zipfianExponent)
  const alpha = 1 / (1 - zipfianExponent)
  const eta = (1 - (2 / count) ** (1 - zipfianExponent)) / (1 - harmonic(2, zipfianExponent) / total)
  const secondBound = 1 + 0.5 ** zipfianExponent
  return ({ n, lane }) => {
    const u = stream.at(n, lane).float()
    const share = u * total
    if (share < 1 || count === 1) return 0
    if (share < secondBound || count === 2) return 1
    return Math.min(count - 1, Math.floor(count * (eta * u - eta + 1) ** alpha))
  }
}

/** A new distribution is one entry. */
export const distributions: readonly Distribution[] = [
  {
    name: 'sequential',
    summary: 'One after the other from the first, over all workers; from the start again at the end.',
    create: (count) => {
      let next = 0
      return () => next++ % count
    },
  },
  {
    name: 'reverse',
    summary: 'One after the other from the last, over all workers; from the end again at the start.',
    create: (count) => {
      let next = 0
      return () => count - 1 - (next++ % count)
    },
  },
  {
    name: 'uniform',
    summary: 'Each equally often.',
    create: (count, stream) => (moment) => stream.at(moment.n, moment.lane).below(count),
  },
  {
    name: 'zipfian',
    summary: 'The first ones most often: number i about 1 / (i + 1)^0.99 as often as the first, as in YCSB.',
    create: zipfian,
  },
]
