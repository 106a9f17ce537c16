import { expect, test } from 'vitest'
import { chooseSideOrder } from '../../../src/verdicts/ab/alternate.ts'

const firstOf = (seed: number, rounds: number): string =>
  Array.from({ length: rounds }, (_, index) => chooseSideOrder(seed, index + 1)[0]).join('')

test('of two rounds, each side is first in one', () => {
  for (const pair of firstOf(1, 100).match(/../g) ?? []) expect(['ab', 'ba']).toContain(pair)
})

test('which of them is drawn from the seed, the same every time', () => {
  expect(firstOf(1, 40)).toBe(firstOf(1, 40))
  expect(firstOf(1, 40)).not.toBe(firstOf(2, 40))
  const begunByA = Array.from({ length: 1000 }, (_, seed) => chooseSideOrder(seed, 1)[0]).filter((side) => side === 'a')
  expect(begunByA.length).toBeGreaterThan(440)
  expect(begunByA.length).toBeLessThan(560)
})

test('both sides are in every round', () => expect(chooseSideOrder(3, 1).toSorted()).toEqual(['a', 'b']))
