import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'
import { readText } from '../../texts/golden.ts'

const parameters: Readonly<Record<string, Json>> = { one: ['a'], three: [1, 3, 2], none: [], nested: [['a', 'b']] }
const valueOf = (expression: Json): unknown => compileJson(expression, { parameters }).draw(0)
const drawnList = (items: readonly Json[]): Json => ({ '@choice': { values: [items] } })

describe('@range', () => {
  test.each<[Json, unknown]>([
    [{ '@range': [0, 3] }, [0, 1, 2]],
    [{ '@range': [3, 0] }, []],
    [{ '@range': [0, 10, 4] }, [0, 4, 8]],
    [{ '@range': [3, 0, -1] }, [3, 2, 1]],
    [{ '@range': [2147483647, 2147483649] }, [2147483647, 2147483648n]],
  ])('%j', (expression, list) => expect(valueOf(expression)).toEqual(list))

  test('makes at most 100,000 numbers', () => {
    expect(valueOf({ '@range': [0, 100_000] })).toHaveLength(100_000)
    expect(() => valueOf({ '@range': [0, 100_001] })).toSay('range-arguments')
  })

  test.each<[Json]>([[[0, 'x']], [[0, 1.5]], [[0, 5, 0]], [[null, 1]]])('refuses %j', (args) =>
    expect(() => valueOf({ '@range': args })).toSay('range-arguments'),
  )

  test('is known when the plan is made', () =>
    expect(() => valueOf({ '@range': [0, { '@int': {} }] })).toSay('range-drawn'))
})

test.each<[Json, unknown]>([
  // A function of one argument may have a list in its place.
  [{ '@size': ['a', 'b'] }, 2],
  [{ '@size': [['a', 'b']] }, 2],
  [{ '@size': [['a']] }, 1],
  [{ '@size': { '@param': 'one' } }, 1],
  [{ '@size': { '@param': 'three' } }, 3],
  [{ '@size': { '@param': 'none' } }, 0],
  [{ '@size': { '@param': 'nested' } }, 1],
  [{ '@size': drawnList(['a']) }, 1],
  [{ '@size': drawnList([]) }, 0],
  [{ '@size': [drawnList(['a', 'b'])] }, 2],
  [{ '@not': { '@param': 'one' } }, false],
  // To other functions, a list that is not written out as arguments stands for its elements.
  [{ '@max': { '@param': 'three' } }, 3],
  [{ '@max': drawnList([1, 3, 2]) }, 3],
  [{ '@add': drawnList([1, 3, 2]) }, 6],
  [{ '@add': drawnList([]) }, null],
  [{ '@max': [{ '@param': 'three' }] }, [1, 3, 2]],
  [{ '@max': [drawnList([1, 3, 2])] }, [1, 3, 2]],
])('a list may be the argument: %j', (expression, value) => expect(valueOf(expression)).toEqual(value))

describe('@arrayToObject', () => {
  test.each<[Json, unknown]>([
    [[['a', 1], { k: 'b', v: 2 }], { a: 1, b: 2 }],
    [[{ k: 'a', v: 1 }], { a: 1 }],
    [[['a', 1], { k: 'a', v: 2 }], { a: 2 }],
    [[[1, 'x']], { 1: 'x' }],
    [[['a']], { a: null }],
    [[null, 5, [null, 1], {}], {}],
    [[], {}],
    [null, null],
  ])('%j', (pairs, object) => {
    expect(valueOf({ '@arrayToObject': pairs })).toEqual(object)
    expect(valueOf({ '@arrayToObject': { '@choice': { values: [pairs] } } })).toEqual(object)
  })

  test.each(['$where', '$out', '$merge', '$function', '$accumulator', '@int', '__proto__', '_bsontype'])(
    'leaves out %s, also when the key is put together',
    (key) => {
      const pieces = { '@concat': [{ '@choice': { values: [key.slice(0, 2)] } }, key.slice(2)] }
      for (const name of [key, pieces])
        expect(
          valueOf({
            '@arrayToObject': [
              { k: name, v: 1 },
              { k: 'a', v: 2 },
            ],
          }),
        ).toEqual({ a: 2 })
    },
  )
})

test.each<[Json, unknown]>([
  [{ '@arrayElemAt': [['a', 'b'], 0] }, 'a'],
  [{ '@arrayElemAt': [['a', 'b'], -1] }, 'b'],
  [{ '@arrayElemAt': [['a', 'b'], 2] }, null],
  [{ '@arrayElemAt': [null, 0] }, null],
  [{ '@padStart': ['7', 3, '0'] }, '007'],
  [{ '@padStart': [{ $numberLong: '6284781860667377211' }, 20, '0'] }, '06284781860667377211'],
  [{ '@padStart': ['long enough', 3, '0'] }, 'long enough'],
  [{ '@padStart': ['7', 6, 'ab'] }, 'ababa7'],
  [{ '@padStart': ['7', -1, '0'] }, '7'],
  [{ '@padStart': [null, 3, '0'] }, null],
])('%j is %j', (expression, value) => expect(valueOf(expression)).toBe(value))

test.each<Json>([
  { '@arrayToObject': 'x' },
  { '@arrayElemAt': ['ab', 0] },
  { '@arrayElemAt': [['a'], 'x'] },
  { '@padStart': ['7', 'x', '0'] },
  { '@padStart': ['7', 3, 0] },
  { '@padStart': ['7', 1e12, '0'] },
])('%j has no result', (expression) => {
  const [keyword = ''] = Object.keys(expression as object)
  expect(() => valueOf(expression)).toThrow(readText('function-no-result', { keyword }))
})
