import { expect, test } from 'vitest'
import { halfWidthPercent, rangeOfRuns, rangesRemark, rangeText } from '../../src/metrics/run-range.ts'

const six = [5281, 5338, 5228, 5270, 5491, 5189]

test('from six runs on it is an interval of their mean', () => {
  const range = rangeOfRuns(six)
  expect(range?.kind).toBe('interval')
  expect(range && rangeText(range, 0)).toBe('5189 to 5411 (95 %)')
  expect(halfWidthPercent(six)).toBeCloseTo(2.091, 3)
})

test('fewer have a lowest and a highest', () => {
  const range = rangeOfRuns(six.slice(1))
  expect(range).toEqual({ kind: 'ends', low: 5189, high: 5491 })
  expect(range && rangeText(range, 1)).toBe('5189.0 to 5491.0 (min, max)')
  expect(halfWidthPercent(six.slice(1))).toBeNull()
})

test('one has no range', () => expect([rangeOfRuns([1]), rangeOfRuns([])]).toEqual([null, null]))

test('a value without a logarithm leaves the lowest and the highest', () => {
  expect(rangeOfRuns([0, ...six])).toEqual({ kind: 'ends', low: 0, high: 5491 })
})

test('error bars say what they are', () => {
  const [interval, ends] = [rangeOfRuns(six), rangeOfRuns([1, 2])]
  expect(rangesRemark([null])).toBe('')
  expect(rangesRemark([null, ends])).toBe('Error bars: lowest to highest run')
  expect(rangesRemark([ends, interval])).toBe(
    'Error bars: 95 % intervals of the mean of 6 or more runs, or lowest to highest run',
  )
})
