import { expect, test } from 'vitest'
import { harmonic } from '../../../../src/language/generators/distributions/zipfian-rank.ts'
import { deviationsFrom, pick } from './draws.ts'

const rows = 1000

/** What Gray's formula makes of a uniform number: rank i from where i / rows = (eta u - eta + 1)^alpha on. */
function probabilities(exponent: number): number[] {
  const total = harmonic(rows, exponent)
  const firstTwo = 1 + 0.5 ** exponent
  const eta = (1 - (2 / rows) ** (1 - exponent)) / (1 - firstTwo / total)
  const starts = Array.from({ length: rows + 1 }, (_, i) => ((i / rows) ** (1 - exponent) - 1 + eta) / eta)
  return Array.from({ length: rows }, (_, i) => {
    if (i === 0) return 1 / total
    if (i === 1) return 0.5 ** exponent / total
    return (starts[i + 1] ?? 1) - (starts[i] ?? 0)
  })
}

test.each([0.2, 0.5, 0.8, 0.99])('with exponent %d rows are drawn as often as by the formula', (exponent) => {
  const drawn = pick({ kind: 'zipfian', exponent }, rows, 200_000)
  expect(deviationsFrom(probabilities(exponent), drawn)).toBeLessThan(5)
})

test('the exponent is 0.99 by default', () => {
  expect(pick('zipfian', rows, 100)).toEqual(pick({ kind: 'zipfian', exponent: 0.99 }, rows, 100))
  expect(pick('zipfian', rows, 100)).not.toEqual(pick({ kind: 'zipfian', exponent: 0.9 }, rows, 100))
})
