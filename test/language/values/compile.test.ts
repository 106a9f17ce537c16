import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'

const die: Json = { '@int': { min: 1, max: 6 } }
const ten: Json = { '@choice': { values: [10] } }

test('null and "when" stay where they are the user\'s own', () => {
  const value: Json = { a: null, when: false, list: [null, { when: false }], '@': 1 }
  const { '@': _, ...document } = value
  expect(compileJson(document).draw(0)).toEqual(document)
  expect(compileJson({ '@choice': { values: [document] } }).draw(0)).toEqual(document)
})

test('@literal is sent untouched', () =>
  expect(compileJson({ a: { '@literal': { '@int': { min: 1 }, b: null } } }).draw(0)).toEqual({
    a: { '@int': { min: 1 }, b: null },
  }))

test('@cond makes only the chosen one: the draws of the other do not count', () => {
  const { at } = compileJson({ '@cond': [{ '@gt': [die, 3] }, 'high', { '@string': { length: 1000 } }] })
  const made = Array.from({ length: 50 }, (_, n) => at(n))
  expect(new Set(made.map(({ value }) => (value as string).length))).toEqual(new Set([4, 1000]))
  for (const { value, bytes } of made) expect(bytes).toBe((value as string).length + 5)
})

const each = (as: string, body: Json): Json => ({
  '@map': { input: { '@choice': { values: [[as]] } }, as, in: body },
})

const mapped = (input: Json): Json => ({ '@map': { input, as: 'x', in: 1 } })

describe('@map over a drawn list', () => {
  test('reads each element by its name', () => {
    const list = { '@choice': { values: [[1, 2, 3]] } }
    expect(compileJson({ '@map': { input: list, as: 'x', in: { '@add': [{ '@var': 'x' }, 1] } } }).draw(0)).toEqual([
      2, 3, 4,
    ])
  })

  test('follows dotted paths into it; what is missing is null', () => {
    const list = { '@choice': { values: [[{ a: { b: 5 } }, { a: ['x'] }, 7]] } }
    const read = (path: string) =>
      compileJson({ '@map': { input: list, as: 'x', in: { '@var': `x.${path}` } } }).draw(0)
    expect(read('a.b')).toEqual([5, null, null])
    expect(read('a.0')).toEqual([null, 'x', null])
    expect(read('constructor')).toEqual([null, null, null])
  })

  test('draws each element anew', () => {
    const list = { '@choice': { values: [Array.from({ length: 50 }, () => 0)] } }
    const drawn = compileJson({ '@map': { input: list, as: 'x', in: { '@int': {} } } }).draw(0)
    expect(new Set(drawn as number[]).size).toBe(50)
  })

  test('may hide a name of an outer one, and give it back', () => {
    const names = ['x', 'y', 'z'].map((name): Json => ({ '@var': name }))
    expect(compileJson(each('x', each('y', each('x', each('z', names))))).draw(0)).toEqual([[[[['x', 'y', 'z']]]]])
  })

  test('is null of null, and refuses what is no list', () => {
    expect(compileJson(mapped({ '@choice': { values: [null] } })).draw(0)).toBe(null)
    expect(() => compileJson(mapped(die)).draw(0)).toSay('map-input-no-list')
  })

  test('an unknown name is refused, with those that are known', () => {
    const wrong: Json = { '@map': { input: { '@array': { size: 1, of: die } }, as: 'x', in: { '@var': 'y' } } }
    expect(() => compileJson(wrong)).toSay('variable-unknown-in-map')
  })
})

test.each<Json>([{ a: [1, { b: 2 }] }, { '@literal': { a: [1] } }])(
  'constants are made once and cannot be changed: %j',
  (value) => {
    const { draw } = compileJson(value)
    expect(draw(0)).toBe(draw(1))
    expect(() => Object.assign(draw(0) as object, { _id: 1 })).toThrow(TypeError)
  },
)

describe('the hash of what was drawn', () => {
  test.each<[string, Json, Json]>([
    ['a number', die, { '@int': { min: 7, max: 9 } }],
    [
      'which constant was chosen',
      { '@choice': { values: ['a', 'b'], weights: [1, 0] } },
      { '@choice': { values: ['a', 'b'], weights: [0, 1] } },
    ],
    ['a filler', { '@filler': { sizeKB: 1 } }, { '@filler': { sizeKB: 2 } }],
    ['a computed value', { '@add': [ten, 1] }, { '@add': [ten, 2] }],
    ['a computed document', { '@arrayToObject': [['a', ten]] }, { '@arrayToObject': [['b', ten]] }],
  ])('changes with %s', (_, a, b) => expect(compileJson(a).at(0).hash).not.toBe(compileJson(b).at(0).hash))

  test('is there for documents with fields called as methods of objects', () => {
    const odd = { '@choice': { values: [[{ toString: 1, valueOf: 2 }]] } }
    expect(compileJson({ '@arrayElemAt': [odd, 0] }).draw(0)).toEqual({ toString: 1, valueOf: 2 })
  })
})
