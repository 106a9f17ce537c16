import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'
import { upperBounds } from '../../../src/language/generators/choice.ts'

function shares(values: readonly Json[], weights?: readonly number[]): readonly number[] {
  const drawn = compileJson({ '@choice': { values, ...(weights && { weights }) } }).first(20_000)
  return values.map((value) => drawn.filter((one) => one === value).length / drawn.length)
}

test.each<[readonly number[] | undefined]>([[undefined], [[1, 3, 6]], [[0, 1, 0]], [[0.5, 0, 0.5]], [[1e9, 1e9, 0]]])(
  'values are chosen as often as the weights %j',
  (weights) => {
    const whole = weights?.reduce((sum, weight) => sum + weight, 0) ?? 0
    const expected = weights?.map((weight) => weight / whole) ?? [1 / 3, 1 / 3, 1 / 3]
    // Five deviations of 20,000 draws are below two per cent.
    for (const [i, share] of shares(['a', 'b', 'c'], weights).entries())
      expect(Math.abs(share - (expected[i] ?? 0))).toBeLessThan(expected[i] === 0 || expected[i] === 1 ? 1e-9 : 0.02)
  },
)

test('the last weight above 0 ends at 1, whatever the rounding', () =>
  expect(upperBounds([0.1, 0.2, 0.3, 0])).toEqual([expect.closeTo(1 / 6), expect.closeTo(0.5), 1, 1]))

test('null is a value like any other, and so is a document with "when"', () => {
  const values = [null, { when: false, a: null }]
  const drawn = compileJson({ '@choice': { values } }).first(50)
  expect(new Set(drawn.map((value) => JSON.stringify(value)))).toEqual(
    new Set(values.map((value) => JSON.stringify(value))),
  )
})

test.each<[Json, string]>([
  [{ values: [] }, 'choice-empty'],
  [{ values: ['a'], weights: [1, 2] }, 'choice-weights-missing'],
  [{ values: ['a', 'b'], weights: [0, 0] }, 'choice-weights-zero'],
  [{ values: ['a'], weights: [-1] }, 'choice-weight-negative'],
])('refuses %j', (argument, code) => expect(() => compileJson({ '@choice': argument })).toSay(code))

const distinctUpTo = (max: number) =>
  compileJson({ '@array': { size: 10, of: { '@int': { min: 1, max } }, distinct: true } })

const ofUpTo = (max: number): number[][] =>
  compileJson({ '@array': { size: { min: 2, max }, of: { '@int': {} } } }).first(3000) as number[][]

describe('an array', () => {
  test('has its size, and elements that are drawn anew', () => {
    const list = compileJson({ '@array': { size: 1000, of: { '@int': { min: 1, max: 6 } } } }).draw(0) as number[]
    expect(list).toHaveLength(1000)
    for (const side of [1, 2, 3, 4, 5, 6]) expect(list.filter((one) => one === side).length).toBeGreaterThan(100)
  })

  test('of arrays draws every element anew', () => {
    const inner = { '@array': { size: 20, of: { '@int': {} } } }
    const list = compileJson({ '@array': { size: 20, of: inner } }).draw(0) as number[][]
    expect(new Set(list.flat()).size).toBe(400)
  })

  test('that is distinct repeats nothing, and is shorter when there is not enough', () => {
    for (const list of distinctUpTo(10).first(20) as number[][])
      expect(list.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(new Set(distinctUpTo(3).draw(0) as number[])).toEqual(new Set([1, 2, 3]))
    expect(distinctUpTo(3).draw(0)).toHaveLength(3)
  })

  test('that is distinct distinguishes values of different types', () => {
    const values = [null, 'null', 5, '5', { $numberDouble: '5.0' }, { $numberLong: '5' }, { a: 1 }, '{"a":1}']
    expect(compileJson({ '@array': { size: 8, of: { '@choice': { values } }, distinct: true } }).draw(0)).toHaveLength(
      8,
    )
  })

  test('may be empty', () => expect(compileJson({ '@array': { size: 0, of: 1 } }).draw(0)).toEqual([]))

  test('have a length between two, each equally often, and the same elements whatever their length', () => {
    const lengths = ofUpTo(4).map((list) => list.length)
    for (const length of [2, 3, 4])
      expect(lengths.filter((each) => each === length).length / 3000).toBeCloseTo(1 / 3, 1)
    expect(new Set(lengths)).toEqual(new Set([2, 3, 4]))
    expect(ofUpTo(9).map((list) => list.slice(0, 2))).toEqual(ofUpTo(4).map((list) => list.slice(0, 2)))
    expect(() => compileJson({ '@array': { size: { min: 2, max: 1 }, of: 1 } })).toSay('array-size-reversed')
  })
})
