import { expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'

const pick = (of: Json, count: number): Json => ({ '@pickValue': { of, count } })

test('there are as many different values as "count", of any type', () => {
  for (const of of [{ '@objectId': {} }, { '@uuid': {} }, { '@string': {} }, { '@date': {} }]) {
    expect(new Set(compileJson(pick(of, 20)).first(2000).map(String)).size).toBe(20)
  }
})

test('each is picked about equally often', () => {
  const drawn = compileJson(pick({ '@row': {} }, 4)).first(4000)
  for (const n of [0, 1, 2, 3]) expect(drawn.filter((value) => value === n).length).toBeGreaterThan(900)
})

test('elements of a list are picked anew, from the same values', () => {
  const lists = compileJson({ '@array': { size: 5, of: pick({ '@string': {} }, 10) } }).first(200) as string[][]
  expect(new Set(lists.flat()).size).toBe(10)
  expect(lists.filter((list) => new Set(list).size > 1).length).toBeGreaterThan(150)
})

test('what stands beside it is drawn for its own row', () => {
  const [, second] = compileJson({ a: pick({ '@row': {} }, 1), b: { '@row': {} } }).first(2)
  expect(second).toEqual({ a: 0, b: 1 })
})
