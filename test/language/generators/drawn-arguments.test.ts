import { Binary } from 'bson'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'
import { isNumber, toNumber } from '../../../src/language/values/bson-types.ts'

/** The row in the place of a variable: an expression of its own for each value. */
const row: Json = { '@row': {} }

describe('bounds may be expressions, drawn for each value', () => {
  test.each<[string, Json, (value: unknown, n: number) => boolean]>([
    ['@int', { '@int': { min: row, max: { '@add': [row, 2] } } }, (v, n) => Number(v) >= n && Number(v) <= n + 2],
    ['@int, one bound', { '@int': { min: 0, max: row } }, (v, n) => Number(v) >= 0 && Number(v) <= n],
    [
      '@int above its default',
      { '@int': { min: 50, max: { '@add': [50, row] } } },
      (v, n) => Number(v) >= 50 && Number(v) <= 50 + n,
    ],
    [
      '@long',
      { '@long': { min: { '@toLong': row }, max: { '@add': [row, 1] } } },
      (v, n) => Number(v) >= n && Number(v) <= n + 1,
    ],
    [
      '@double',
      { '@double': { min: 5, max: { '@add': [5, row] } } },
      (v, n) => isNumber(v) && toNumber(v) >= 5 && toNumber(v) <= 5 + n,
    ],
    [
      '@date',
      { '@date': { min: '2026-01-01T00:00:00Z', max: { '@add': [{ $date: '2026-01-01T00:00:00Z' }, row] } } },
      (v, n) => v instanceof Date && v.getTime() - Date.UTC(2026, 0, 1) >= 0 && v.getTime() - Date.UTC(2026, 0, 1) <= n,
    ],
    ['@string', { '@string': { length: row } }, (v, n) => String(v).length === n],
    ['@binary', { '@binary': { size: row } }, (v, n) => v instanceof Binary && v.position === n],
    [
      '@array',
      { '@array': { size: { '@mod': [row, 7] }, of: { '@int': {} } } },
      (v, n) => Array.isArray(v) && v.length === n % 7,
    ],
  ])('%s', (_, expression, isRight) => {
    const compiled = compileJson(expression)
    for (const n of [0, 1, 2, 10, 99]) {
      const drawn = compiled.at(n)
      expect([n, drawn.value, isRight(drawn.value, n)]).toEqual([n, drawn.value, true])
      expect(compiled.at(n)).toEqual(drawn)
    }
  })

  test('and other draws stay what they are beside them', () =>
    expect(compileJson({ '@int': { min: 1, max: { '@add': [5, 1] } } }).first(50)).toEqual(
      compileJson({ '@int': { min: 1, max: 6 } }).first(50),
    ))
})

describe('bounds that have no value between them are refused with their values', () => {
  test.each<[Json, string]>([
    [{ '@int': { min: 5, max: row } }, 'drawn-bounds-reversed'],
    [{ '@int': { min: { '@concat': ['x', row] } } }, 'drawn-bound-no-int'],
    [{ '@int': { max: { '@add': [row, 0.5] } } }, 'drawn-bound-fraction'],
    [{ '@date': { max: row } }, 'drawn-bound-no-date'],
    [{ '@long': { max: { '@toString': row } } }, 'drawn-bound-no-long'],
    [{ '@double': { max: { '@toString': row } } }, 'drawn-bound-no-number'],
    [{ '@string': { length: { '@subtract': [row, 1] } } }, 'drawn-length-negative'],
    [{ '@array': { size: { '@add': [row, 100_001] }, of: 1 } }, 'drawn-size-too-large'],
  ])('%j', (expression, code) => expect(() => compileJson(expression).draw(0)).toSay(code))

  test.each<[Json, string]>([
    [{ '@int': { min: 0, max: row, distribution: 'zipfian' } }, 'drawn-bounds-with-distribution'],
    [{ '@pickValue': { of: 1, count: row } }, 'drawn-where-fixed'],
    [{ '@int': { min: 'x', max: row } }, 'drawn-beside-wrong'],
  ])('%j', (expression, code) => expect(() => compileJson(expression)).toSay(code))
})

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length
const deviation = (values: readonly number[]): number => Math.sqrt(mean(values.map((one) => (one - mean(values)) ** 2)))
const numbers = (expression: Json, count: number): readonly number[] =>
  compileJson(expression)
    .first(count)
    .map((one) => (isNumber(one) ? toNumber(one) : Number.NaN))

describe('doubles of a normal distribution', () => {
  const count = 20_000

  test('@gaussian has the mean and the deviation', () => {
    const drawn = numbers({ '@gaussian': { mean: 50, sigma: 10 } }, count)
    // Five standard errors of the mean and of the deviation.
    expect(Math.abs(mean(drawn) - 50)).toBeLessThan((5 * 10) / Math.sqrt(count))
    expect(Math.abs(deviation(drawn) - 10)).toBeLessThan((5 * 10) / Math.sqrt(2 * count))
    const within = drawn.filter((one) => one > 40 && one < 60).length / count
    expect(Math.abs(within - 0.6827)).toBeLessThan(5 * Math.sqrt((0.6827 * 0.3173) / count))
  })

  test('@logNormal has the median, and a logarithm with the deviation', () => {
    const logs = numbers({ '@logNormal': { median: 30, sigma: 0.5 } }, count).map(Math.log)
    expect(Math.abs(mean(logs) - Math.log(30))).toBeLessThan((5 * 0.5) / Math.sqrt(count))
    expect(Math.abs(deviation(logs) - 0.5)).toBeLessThan((5 * 0.5) / Math.sqrt(2 * count))
  })

  test('@exponential has the mean, and e times fewer values above each further mean', () => {
    const drawn = numbers({ '@exponential': { mean: 12 } }, count)
    expect(Math.abs(mean(drawn) - 12)).toBeLessThan((5 * 12) / Math.sqrt(count))
    const above = drawn.filter((one) => one > 24).length / count
    expect(Math.abs(above - Math.exp(-2))).toBeLessThan(5 * Math.sqrt(Math.exp(-2) / count))
    expect(Math.max(...numbers({ '@exponential': { mean: 12, max: 20 } }, 2000))).toBeLessThan(20)
  })

  test('what falls outside of the bounds is drawn again, and far from the mean the nearer bound is taken', () => {
    const drawn = numbers({ '@gaussian': { min: 0, max: 1 } }, 2000)
    expect(drawn.every((one) => one > 0 && one < 1)).toBe(true)
    expect(new Set(drawn).size).toBe(2000)
    expect(numbers({ '@gaussian': { min: 1000, max: 2000 } }, 3)).toEqual([1000, 1000, 1000])
    expect(() => compileJson({ '@logNormal': { min: 2, max: 1 } })).toSay('log-normal-bounds-reversed')
  })
})
