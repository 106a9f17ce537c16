import { expect, test } from 'vitest'
import { medianInterval } from '../../../src/report/history/median-interval.ts'

const oneTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)

test.each([
  [1, 1, 1],
  [2, 1, 2],
  [5, 1, 5],
  [6, 1, 6],
  [8, 1, 8],
  [9, 2, 8],
  [10, 2, 9],
  [12, 3, 10],
  [20, 6, 15],
])('of %i runs it is from the value %i to the value %i', (count, low, high) =>
  expect(medianInterval(oneTo(count).toReversed())).toEqual({ median: (count + 1) / 2, low, high, runs: count }),
)

test('of no run there is none', () => expect(medianInterval([])).toBeNull())
