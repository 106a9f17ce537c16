import { type Decimal128 } from 'bson'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'
import { forAll } from '../../fakes/for-all.ts'

const drawn = (argument: Json, count: number): readonly string[] =>
  (compileJson({ '@decimal': argument }).first(count) as Decimal128[]).map(String)

test('every value of a range is drawn equally often', () => {
  const values = drawn({ min: -1, max: 1, digits: 1 }, 42_000)
  const times = new Map<string, number>()
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1)
  expect(times.size).toBe(21)
  // 2000 of each; chi-square of 21 cells has the mean 20 and the deviation 6.3.
  const statistic = [...times.values()].reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0)
  expect(statistic).toBeLessThan(20 + 5 * Math.sqrt(40))
})

test('every value has the decimals that are asked for', () => {
  expect(new Set(drawn({ max: 0.5, digits: 1 }, 100))).toEqual(new Set(['0.0', '0.1', '0.2', '0.3', '0.4', '0.5']))
  for (const value of drawn({ min: 100, max: 200 }, 100)) expect(value).toMatch(/^\d{3}\.\d\d$/)
  for (const value of drawn({ min: 100, max: 200, digits: 0 }, 100)) expect(value).toMatch(/^\d{3}$/)
})

describe('ends', () => {
  test.each<[Json, Json]>([
    ['12.50', 12.5],
    [{ $numberDecimal: '1.25E+1' }, 12.5],
    [1e1, '10.00'],
    ['-.5', -0.5],
  ])('%j and %j are the same', (one, other) => {
    const values = drawn({ min: one, max: one }, 1)
    expect(values).toEqual(drawn({ min: other, max: other }, 1))
  })

  test('that no double holds are exact', () => {
    const max = '1234567890123456789012345678.123456'
    expect(drawn({ min: max, max, digits: 6 }, 1)).toEqual([max])
    expect(new Set(drawn({ min: '9007199254740992', max: '9007199254740993', digits: 0 }, 50))).toEqual(
      new Set(['9007199254740992', '9007199254740993']),
    )
  })
})

test('the widest range is used to its ends', () => {
  const nines = '9'.repeat(34)
  const leading = drawn({ min: `-${nines}`, max: nines, digits: 0 }, 2000).map((value) => BigInt(value) / 10n ** 33n)
  expect(new Set(leading)).toEqual(new Set(Array.from({ length: 19 }, (_, i) => BigInt(i - 9))))
})

test('any value lies inside of its range', () => {
  const units = fc.bigInt({ min: -(10n ** 34n) + 1n, max: 10n ** 34n - 1n })
  forAll(units, units, fc.nat(1000), (one, other, row) => {
    const [min, max] = one < other ? [one, other] : [other, one]
    const value = BigInt(
      String(compileJson({ '@decimal': { min: String(min), max: String(max), digits: 0 } }).draw(row)),
    )
    expect(value >= min && value <= max).toBe(true)
  })
})

test('values that differ in their last digit give different digests', () => {
  const { at } = compileJson({ '@decimal': { min: '1e30', max: '2e30', digits: 3 } })
  const { at: small } = compileJson({ '@decimal': {} })
  expect(new Set(Array.from({ length: 100 }, (_, row) => at(row).hash)).size).toBe(100)
  expect(new Set([0, 1, 2].map((row) => small(row).hash)).size).toBe(3)
})
