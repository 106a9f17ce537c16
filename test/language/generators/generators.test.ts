import { calculateObjectSize, serialize } from 'bson'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'
import { generators } from '../../../src/language/generators/index.ts'
import { forAll } from '../../fakes/for-all.ts'
import { documents } from '../../fakes/random-documents.ts'

const bytesOf = (value: unknown): string => Buffer.from(serialize({ value })).toString('hex')
const texts = (values: readonly unknown[]): readonly string[] => values.map(bytesOf)

describe.each(generators)('$keyword', ({ keyword, example }) => {
  const expression: Json = { [keyword]: example }
  // Counts, so that what it gives depends on what was given before; so does the clock.
  const isCounter = keyword === '@nextRow' || keyword === '@now'
  // The number of a row is the same under every seed, and so is that of a worker.
  const isNumber = keyword === '@row' || keyword === '@worker'

  test('draws the same for the same seed, place and row', () =>
    expect(texts(compileJson(expression).first(50))).toEqual(texts(compileJson(expression).first(50))))

  test.skipIf(isCounter)('draws the same in whichever order the rows are made', () => {
    const { draw, first } = compileJson(expression)
    const inOrder = texts(first(50))
    const backwards = Array.from({ length: 50 }, (_, i) => bytesOf(draw(49 - i)))
    expect(backwards.toReversed()).toEqual(inOrder)
  })

  test('draws different values for different rows', () =>
    expect(new Set(texts(compileJson(expression).first(50))).size).toBeGreaterThan(1))

  test.skipIf(isNumber || isCounter)('draws other values under another seed, and at another place', () => {
    const values = texts(compileJson(expression).first(50))
    expect(texts(compileJson(expression, { seed: 2 }).first(50))).not.toEqual(values)
    expect(texts(compileJson(expression, { place: 'there' }).first(50))).not.toEqual(values)
  })

  test.skipIf(isCounter)('draws what it drew when its document gets another field', () => {
    const before = compileJson({ a: expression, c: [expression] }).first(20) as { a: unknown; c: unknown }[]
    const after = compileJson({ z: 1, a: expression, b: expression, c: [expression, 1] }).first(20) as {
      a: unknown
      c: unknown[]
    }[]
    expect(texts(after.map(({ a }) => a))).toEqual(texts(before.map(({ a }) => a)))
    expect(texts(after.map(({ c }) => [c[0]]))).toEqual(texts(before.map(({ c }) => c)))
  })

  test.skipIf(isNumber)('draws each element of a list anew', () => {
    const list = compileJson({ '@array': { size: 20, of: expression } }).draw(3) as unknown[]
    expect(new Set(texts(list)).size).toBeGreaterThan(1)
  })

  test('counts its bytes', () => {
    const { at } = compileJson({ value: expression })
    for (const n of [0, 1, 12_345]) {
      const { value, bytes } = at(n)
      expect(bytes).toBe(calculateObjectSize(value as object))
    }
  })

  test('refuses an argument that it does not know', () => {
    expect(() => compileJson({ [keyword]: { ...(example as object), nonsense: 1 } })).toThrow('unknown key "nonsense"')
    expect(() => compileJson({ [keyword]: 5 })).toSay('generator-number', { keyword })
  })
})

test('the size of any document falls out of making it, to the byte', () =>
  forAll(documents, fc.nat(100_000), (document, row) => {
    const { at } = compileJson(document)
    const { value, bytes } = at(row)
    expect(bytes).toBe(calculateObjectSize(value as object))
    expect(bytes).toBe(serialize(value as object).length)
  }))

test('any document is the same whichever rows were made before it', () =>
  forAll(documents, fc.nat(1000), fc.nat(1000), (document, row, other) => {
    const { draw } = compileJson(document)
    const alone = bytesOf(draw(row))
    draw(other)
    expect(bytesOf(draw(row))).toBe(alone)
  }))
