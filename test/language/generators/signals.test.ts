import { Double } from 'bson'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'
import { toNumber, type NumberValue } from '../../../src/language/values/bson-types.ts'

const draw = (expression: Json, count: number): readonly number[] =>
  (compileJson(expression).first(count) as readonly NumberValue[]).map(toNumber)

const steps = (values: readonly number[]): readonly number[] =>
  values.slice(1).map((value, i) => value - (values[i] ?? 0))

const meanOfSquares = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value * value, 0) / values.length

const walkOf = (of: Json) => draw({ '@walk': { of, start: { min: 0, max: 100 } } }, 20)

/** Draws values of a season at an hour of a day. */
function drawAt(hours: number, more: object = {}): readonly number[] {
  const date = { $date: new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000).toISOString() }
  return draw({ '@season': { at: date, mean: 15, amplitude: 8, ...more } as Json }, 200)
}

describe('a walk', () => {
  test('begins at its start, and goes on by its steps, over any distance', () => {
    const values = draw({ '@walk': { start: 20, step: 0.5 } }, 100_000)
    expect(values[0]).toBe(20)
    expect(meanOfSquares(steps(values))).toBeCloseTo(0.25, 2)
    const everyHundredth = values.filter((_, i) => i % 100 === 0)
    expect(meanOfSquares(steps(everyHundredth)) / 25).toBeCloseTo(1, 0)
  })

  test('has no break where its blocks meet', () => {
    const { draw: at } = compileJson({ '@walk': {} })
    for (const border of [2 ** 20, 3 * 2 ** 20]) {
      const values = [-2, -1, 0, 1, 2].map((offset) => toNumber(at(border + offset) as NumberValue))
      for (const step of steps(values)) expect(Math.abs(step)).toBeLessThan(6)
    }
  })

  test('turns back at its bounds, or at one of them', () => {
    const both = draw({ '@walk': { step: 3, min: -5, max: 5 } }, 2000)
    expect([Math.min(...both) >= -5, Math.max(...both) <= 5]).toEqual([true, true])
    expect(Math.max(...both) - Math.min(...both)).toBeGreaterThan(9)
    expect(Math.min(...draw({ '@walk': { step: 3, min: 0 } }, 2000))).toBeGreaterThanOrEqual(0)
    expect(Math.max(...draw({ '@walk': { step: 3, max: 0 } }, 2000))).toBeLessThanOrEqual(0)
  })

  test('is rounded to its decimals, and stays a double', () => {
    const values = compileJson({ '@walk': { start: 20, step: 0.5, digits: 0 } }).first(50)
    expect(values.every((value) => value instanceof Double && Number.isInteger(value.value))).toBe(true)
  })

  test('is another one for each series', () => {
    expect(walkOf(1)).toEqual(walkOf(1))
    expect(new Set([walkOf(1), walkOf(2), walkOf('a')].map(([first]) => first)).size).toBe(3)
  })
})

describe('a season', () => {
  test.each([
    [0, 15],
    [6, 23],
    [12, 15],
    [18, 7],
    [24 + 6, 23],
  ])('has at hour %d of a day the value %d', (hours, value) => {
    const [drawn] = drawAt(hours)
    expect(drawn).toBeCloseTo(value, 6)
  })

  test('has the noise that is asked for, around the same mean', () => {
    const values = drawAt(0, { noise: 2 })
    expect(Math.sqrt(meanOfSquares(values.map((value) => value - 15)))).toBeCloseTo(2, 0)
  })

  test('peaks for each series at its own time where they are shifted', () => {
    const values = [1, 2, 3, 4].map((of) => drawAt(6, { of, shift: 1 })[0])
    expect(new Set(values).size).toBe(4)
    expect(new Set([1, 2, 3, 4].map((of) => drawAt(6, { of })[0])).size).toBe(1)
  })
})

describe('a counter', () => {
  test('never falls, and rises by its step in the mean', () => {
    const values = draw({ '@counter': { start: 1000, step: 10 } }, 1000)
    expect(steps(values).every((step) => step >= 0 && step <= 20)).toBe(true)
    expect(Math.abs((values.at(-1) ?? 0) - 1000 - 9990)).toBeLessThanOrEqual(20)
  })

  test('starts anew where it is reset', () => {
    const falls = steps(draw({ '@counter': { step: 10, resetEvery: 50 } }, 1000)).filter((step) => step < 0)
    expect([19, 20]).toContain(falls.length)
  })

  test('has a step of its own for each series', () => {
    const ends = [1, 2, 3].map((of) => draw({ '@counter': { of, step: { min: 1, max: 100 } } }, 1000).at(-1))
    expect(new Set(ends).size).toBe(3)
  })
})

test('a value is that of its tick, whichever row it is drawn for', () => {
  const byTick = compileJson({ '@walk': { tick: { '@toInt': { '@floor': { '@divide': [{ '@row': {} }, 4] } } } } })
  const values = byTick.first(12)
  expect(values).toEqual(
    [0, 1, 2].flatMap((tick) => Array.from({ length: 4 }, () => compileJson({ '@walk': {} }).draw(tick))),
  )
})
