import { Binary } from 'bson'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'

test('@worker deals the calls out in turn', () =>
  expect(compileJson({ '@worker': {} }).first(6)).toEqual([0, 1, 2, 3, 0, 1]))

describe('@now', () => {
  test('is the time at which a call is built', () => {
    const { draw } = compileJson({ '@now': {} })
    const [first, second] = [draw(0), draw(0)] as [Date, Date]
    expect(second.getTime()).toBe(first.getTime() + 1)
  })

  test('is later by its offset', () => {
    const { draw } = compileJson([{ '@now': {} }, { '@now': { offsetMs: -60_000 } }])
    const [now, before] = draw(0) as [Date, Date]
    expect(before.getTime()).toBe(now.getTime() + 1 - 60_000)
  })

  test.each([
    { '@now': {} },
    { '@now': { offsetMs: 5 } },
    { '@toString': { '@now': {} } },
    [{ '@now': {} }, { '@int': {} }],
    { '@cond': [{ '@gt': [{ '@now': {} }, 0] }, 1, 2] },
  ])('is no part of the digest: %j', (expression) => {
    const { at } = compileJson(expression)
    expect(at(5).hash).toBe(at(5).hash)
  })
})

const lengths = (size: number | { min: number; max: number }): readonly unknown[] =>
  compileJson({ '@binary': { size } })
    .first(200)
    .map((value) => value instanceof Binary && value.sub_type === 0 && value.length())

test('@binary has as many bytes as it asks for, of subtype 0', () => {
  expect(new Set(lengths(5))).toEqual(new Set([5]))
  expect(new Set(lengths(0))).toEqual(new Set([0]))
  expect(new Set(lengths({ min: 3, max: 6 }))).toEqual(new Set([3, 4, 5, 6]))
})
