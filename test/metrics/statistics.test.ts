import { describe, expect, test } from 'vitest'
import { median, ratio } from '../../src/metrics/statistics.ts'

describe('median', () => {
  test('is the middle value, whatever the order', () => expect(median([9, 1, 5])).toBe(5))
  test('is between the two middle values of an even number', () => expect(median([4, 1, 3, 2])).toBe(2.5))
  test('is unknown without values', () => expect(median([])).toBeNull())
})

describe('ratio', () => {
  test('divides', () => expect(ratio(6, 3)).toBe(2))
  test('is unknown over nothing, and where a part is unknown', () =>
    expect([ratio(6, 0), ratio(null, 3), ratio(3, null)]).toEqual([null, null, null]))
})
