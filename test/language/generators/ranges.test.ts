import { Binary, Decimal128, deserialize, Double, Int32, Long, serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'
import { harmonic } from '../../../src/language/generators/distributions/zipfian-rank.ts'

const onTheWire = (expression: Json, count = 200): unknown[] =>
  compileJson(expression)
    .first(count)
    .map((value) => deserialize(serialize({ value }), { promoteValues: false })['value'])

const countEach = (distribution: Json): readonly number[] => {
  const drawn = compileJson({ '@int': { min: 10, max: 19, distribution } }).first(2000)
  return Array.from({ length: 10 }, (_, i) => drawn.filter((value) => value === 10 + i).length)
}

describe('an int with a distribution', () => {
  test.each(['zipfian', { kind: 'zipfian', exponent: 0.5 }])('%j draws the first values most often', (distribution) => {
    const [first = 0, second = 0, ...others] = countEach(distribution)
    expect(first).toBeGreaterThan(second)
    expect(second).toBeGreaterThan(others.at(-1) ?? 0)
    expect(others.every((count) => count > 0)).toBe(true)
  })

  test('"sequential" takes one after the other', () => {
    const drawn = compileJson({ '@int': { min: -1, max: 1, distribution: 'sequential' } })
    expect(drawn.first(7)).toEqual([-1, 0, 1, -1, 0, 1, -1])
  })
})

describe('ranges are inclusive at both ends', () => {
  test.each<[Json, readonly unknown[]]>([
    [{ '@int': { min: -1, max: 1 } }, [-1, 0, 1]],
    [{ '@long': { min: -1, max: 1 } }, [-1n, 0n, 1n]],
    [{ '@toString': { '@decimal': { min: -0.01, max: '0.01' } } }, ['-0.01', '0.00', '0.01']],
    [
      { '@toString': { '@date': { min: '2026-01-01T00:00:00Z', max: '2026-01-01T01:00:00.001+01:00' } } },
      ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'],
    ],
  ])('%j', (expression, values) => expect(new Set(compileJson(expression).first(200))).toEqual(new Set(values)))

  test('@string', () => {
    const drawn = compileJson({ '@string': { length: { min: 0, max: 2 }, alphabet: 'é🙂' } }).first(200) as string[]
    expect(new Set(drawn.map((text) => [...text].length))).toEqual(new Set([0, 1, 2]))
    expect(new Set(drawn.join(''))).toEqual(new Set(['é', '🙂']))
  })

  test.each<[string, Json, unknown]>([
    ['@int', { min: 7, max: 7 }, 7],
    ['@long', { min: 7, max: 7 }, 7n],
    ['@double', { min: 0.1, max: 0.1 }, 0.1],
    ['@double', { min: 7, max: 7 }, new Double(7)],
    ['@decimal', { min: 7, max: 7, digits: 1 }, new Decimal128('7.0')],
    ['@date', { min: '2026-01-01T00:00:00Z', max: '2026-01-01T00:00:00Z' }, new Date('2026-01-01T00:00:00Z')],
    ['@string', { length: 3, alphabet: 'x' }, 'xxx'],
  ])('a range of one value gives that value: %s %j', (word, range, value) =>
    expect(compileJson({ [word]: range }).first(20)).toEqual(Array.from({ length: 20 }, () => value)),
  )
})

describe('without a range', () => {
  test('@int draws from 0 to the greatest int32', () => {
    const drawn = compileJson({ '@int': {} }).first(500) as number[]
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...drawn)).toBeGreaterThan(2 ** 30)
  })

  test('@long draws from 0 to the greatest int64', () => {
    const drawn = compileJson({ '@long': {} }).first(500) as bigint[]
    expect(drawn.every((value) => value >= 0n && value < 2n ** 63n)).toBe(true)
    expect(drawn.some((value) => value > 2n ** 62n)).toBe(true)
  })

  test('@string draws 16 small letters', () => {
    for (const text of compileJson({ '@string': {} }).first(50)) expect(text).toMatch(/^[a-z]{16}$/)
  })
})

test('the widest ranges stay inside themselves', () => {
  const widest = { $numberLong: '-9223372036854775808' }
  const longs = compileJson({ '@long': { min: widest } }).first(500) as bigint[]
  expect(longs.every((value) => value === BigInt.asIntN(64, value))).toBe(true)
  expect(longs.some((value) => value < 0n) && longs.some((value) => value > 0n)).toBe(true)
  const doubles = compileJson({ '@double': { min: -1.7e308, max: 1.7e308 } }).first(500) as (number | Double)[]
  expect(doubles.map(Number).every((value) => Math.abs(value) <= 1.7e308)).toBe(true)
  const ints = compileJson({ '@int': { min: -2147483648 } }).first(500) as number[]
  expect(ints.every((value) => value >= -2147483648 && value <= 2147483647)).toBe(true)
})

test.each<[Json, new (...args: never[]) => unknown]>([
  [{ '@int': {} }, Int32],
  [{ '@long': { max: 5 } }, Long],
  [{ '@double': { min: 3, max: 3 } }, Double],
  [{ '@double': {} }, Double],
  [{ '@decimal': { max: 100, digits: 0 } }, Decimal128],
  [{ '@date': {} }, Date],
])('the type on the wire is the one that the word names, also for small and whole values: %j', (expression, type) =>
  expect(onTheWire(expression).every((value) => value instanceof type)).toBe(true),
)

test('a range may be computed: dates out of a list, whole numbers beyond 2^31', () => {
  const dates: Json = [{ $date: '1960-01-01T00:00:00Z' }, { $date: '2026-01-01T00:00:00Z' }]
  const min: Json = { '@arrayElemAt': [dates, 0] }
  expect(compileJson({ '@date': { min, max: { '@arrayElemAt': [dates, 1] } } }).draw(0)).toBeInstanceOf(Date)
  const big: Json = { '@multiply': [100_000, 100_000] }
  expect(compileJson({ '@long': { min: big, max: big } }).draw(0)).toBe(10_000_000_000n)
})

test.each<[string, Json, string]>([
  ['@int', { min: 2, max: 1 }, 'range-reversed'],
  ['@int', { max: 2147483648 }, 'int-too-large'],
  ['@int', { min: 0.5 }, 'int-half'],
  ['@long', { min: { $numberLong: '9223372036854775808' } }, 'long-too-large'],
  ['@double', { min: 2, max: 1 }, 'range-reversed'],
  ['@decimal', { min: 2, max: 1 }, 'range-reversed'],
  ['@decimal', { min: 0.001 }, 'decimal-digits'],
  ['@decimal', { max: '1e34', digits: 0 }, 'decimal-too-large'],
  ['@decimal', { max: 'ten' }, 'decimal-word'],
  ['@decimal', { max: { $numberDecimal: 'NaN' } }, 'decimal-nan'],
  ['@decimal', { digits: 35 }, 'decimal-too-many-digits'],
  ['@date', { min: '2027-01-01T00:00:00Z', max: '2026-01-01T00:00:00Z' }, 'date-range-reversed'],
  ['@date', { min: 'yesterday' }, 'date-word'],
  ['@string', { length: -1 }, 'string-length-negative'],
  ['@string', { length: { min: 3, max: 2 } }, 'string-length-reversed'],
  ['@string', { alphabet: '' }, 'string-alphabet-empty'],
])('%s refuses %j', (word, range, code) =>
  expect(() => compileJson({ [word]: range })).toSay(code, code === 'range-reversed' ? { word } : {}),
)

const lengthOf = (value: unknown): number =>
  value instanceof Binary ? value.length() : (value as { readonly length: number }).length

describe('a length with a distribution', () => {
  const size = { min: 3, max: 1002, distribution: 'zipfian' }

  test.each<[Json]>([[{ '@binary': { size } }], [{ '@string': { length: size } }], [{ '@array': { size, of: 1 } }]])(
    'is drawn by it from the minimum on: %j',
    (node) => {
      const drawn = compileJson(node).first(5000).map(lengthOf)
      const shareOf = (length: number): number => drawn.filter((one) => one === length).length / drawn.length
      // Five deviations of 5000 draws are below 0.025.
      expect(Math.abs(shareOf(3) - 1 / harmonic(1000, 0.99))).toBeLessThan(0.025)
      expect(Math.abs(shareOf(4) - 0.5 ** 0.99 / harmonic(1000, 0.99))).toBeLessThan(0.025)
      expect(Math.min(...drawn)).toBe(3)
      expect(Math.max(...drawn)).toBeLessThanOrEqual(1002)
    },
  )

  test('leaves what is drawn behind it random', () => {
    const drawn = compileJson({ '@binary': { size: { min: 8, max: 9, distribution: 'hotspot' } } }).first(100)
    expect(new Set(drawn.map((value) => (value as Binary).toString('hex'))).size).toBe(100)
  })
})
