import { expect, test } from 'vitest'
import { cellText, halfWidthPercent, rangeOfRuns, rangeText } from '../../src/metrics/format.ts'

test.each([
  [105.842, '105.8'],
  [139.8, '139.8'],
  [12.001, '12'],
  [100, '100'],
  [0, '0'],
  [0.0012, '0.0012'],
])('up to two decimals of %d: %s', (value, text) => expect(cellText(value, { upTo: 2 })).toBe(text))

test('up to no decimals keeps the zeros of whole numbers', () => expect(cellText(99.7, { upTo: 0 })).toBe('100'))

test('a number of decimals is printed whole, as far as four digits go', () => {
  expect(cellText(13.8, 2)).toBe('13.80')
  expect(cellText(139.8, 2)).toBe('139.8')
  expect(cellText(18_137.09, 2)).toBe('18,137')
  expect(cellText(0.031_25, 2)).toBe('0.03')
})

test.each([
  [0.3, '0.30'],
  [0.0998, '0.10'],
  [0.000996, '0.0010'],
  [-0.0998, '-0.10'],
  [0, '0'],
])('a small number keeps two significant digits: %d as %s', (value, text) => expect(cellText(value, 0)).toBe(text))

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
  expect(range && rangeText(range, 1)).toBe('5189 to 5491 (min, max)')
  expect(halfWidthPercent(six.slice(1))).toBeNull()
})

test('one has no range', () => expect([rangeOfRuns([1]), rangeOfRuns([])]).toEqual([null, null]))

test('a value without a logarithm leaves the lowest and the highest', () =>
  expect(rangeOfRuns([0, ...six])).toEqual({ kind: 'ends', low: 0, high: 5491 }))
