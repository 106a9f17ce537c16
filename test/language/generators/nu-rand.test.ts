import { expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'

const draw = (argument: object, count = 4000): readonly number[] =>
  compileJson({ '@nuRand': { ...argument } }).first(count) as readonly number[]

/** The share of numbers with a bit set. */
const shareWith = (numbers: readonly number[], bit: number): number =>
  numbers.filter((number) => (number & bit) !== 0).length / numbers.length

test('numbers lie in the range, both ends included', () => {
  const drawn = draw({ a: 3, min: 5, max: 8 })
  expect(new Set(drawn)).toEqual(new Set([5, 6, 7, 8]))
})

test('the bits of A are set in three of four numbers, the others in half of them', () => {
  const drawn = draw({ a: 255, max: 1023 })
  for (const bit of [1, 2, 64, 128]) expect(shareWith(drawn, bit)).toBeCloseTo(0.75, 1)
  for (const bit of [256, 512]) expect(shareWith(drawn, bit)).toBeCloseTo(0.5, 1)
})

test('C moves every number by as much, around the range', () => {
  const plain = draw({ a: 1023, min: 1, max: 3000 }, 200)
  const moved = draw({ a: 1023, min: 1, max: 3000, c: 511 }, 200)
  expect(moved).toEqual(plain.map((number) => ((number - 1 + 511) % 3000) + 1))
})

test('a minimum above the maximum is refused', () =>
  expect(() => draw({ a: 1, min: 2, max: 1 })).toSay('nu-rand-reversed'))
