import { expect, test } from 'vitest'
import { cellText } from '../../src/metrics/format.ts'

test.each([
  [105.842, '105.84'],
  [139.8, '139.8'],
  [12.001, '12'],
  [100, '100'],
  [0, '0'],
  [0.0012, '0.0012'],
])('up to two decimals of %d: %s', (value, text) => {
  expect(cellText(value, { upTo: 2 })).toBe(text)
})

test('up to no decimals keeps the zeros of whole numbers', () => {
  expect(cellText(99.7, { upTo: 0 })).toBe('100')
})

test('a number of decimals is printed whole', () => {
  expect(cellText(139.8, 2)).toBe('139.80')
})

test.each([
  [0.3, '0.30'],
  [0.0998, '0.10'],
  [0.000996, '0.0010'],
  [-0.0998, '-0.10'],
  [0, '0'],
])('a small number keeps two significant digits: %d as %s', (value, text) => {
  expect(cellText(value, 0)).toBe(text)
})
