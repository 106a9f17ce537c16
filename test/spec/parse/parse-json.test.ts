import { describe, expect, test } from 'vitest'
import { deepestSpec, largestSpecBytes, parseJson } from '../../../src/spec/parse/parse-json.ts'

const parse = (text: string) => parseJson(text, 'spec.json')

describe('what editors accept is accepted', () => {
  test.each<[string, unknown]>([
    ['{"a": 1, // why\n /* what */ "b": [2, 3,],}', { a: 1, b: [2, 3] }],
    ['\uFEFF{"a": 1}', { a: 1 }],
    ['  [null, true, "x\\u00e9", -1.5e2]\n', [null, true, 'xé', -150]],
    ['{"a": 9007199254740991}', { a: 9007199254740991 }],
    ['{"constructor": 1, "toString": 2}', { constructor: 1, toString: 2 }],
  ])('%j', (text, value) => {
    expect(parse(text).value).toEqual(value)
  })
})

describe('what is no JSON is refused where it goes wrong', () => {
  test.each<[string, string]>([
    ['', 'spec.json:1:1: the file holds no JSON'],
    ['// nothing but a remark', 'spec.json:1:24: the file holds no JSON'],
    ['{"a": 1,\n "b" 2}', 'spec.json:2:6: colon expected'],
    ['{"a": 1\n "b": 2}', 'spec.json:2:2: comma expected'],
    ['{"a": }', 'spec.json:1:7: value expected'],
    ['{"a": 1', 'spec.json:1:8: close brace expected'],
    ['{"a": "x', 'spec.json:1:7: unexpected end of string'],
    ["{'a': 1}", 'spec.json:1:2: invalid symbol'],
    ['{"a": 1} {"b": 2}', 'spec.json:1:10: end of file expected'],
    ['{"a": 1, "b": 2, "a": 3}', 'spec.json:1:18: the key "a" is here twice'],
    ['{"x": {"__proto__": {}}}', 'spec.json:1:8: "__proto__" may not be used as a key'],
    ['{"_bsontype": "ObjectId"}', 'spec.json:1:2: "_bsontype" may not be used as a key'],
    ['{"a\\u0000b": 1}', 'spec.json:1:2: a key may not hold a null character'],
    [
      '{"a": 9007199254740993}',
      'spec.json:1:7: 9007199254740993 does not fit a JSON number exactly; write {"$numberLong": "…"} or {"$numberDouble": "…"}',
    ],
    [
      '{"a": 1e400}',
      'spec.json:1:7: 1e400 does not fit a JSON number exactly; write {"$numberLong": "…"} or {"$numberDouble": "…"}',
    ],
  ])('%j', (text, message) => {
    expect(() => parse(text)).toThrow(message)
  })
})

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

test('depth has a limit, which does not count what stands in texts and comments', () => {
  expect(parse(nested(deepestSpec)).value).toBeDefined()
  expect(() => parse(nested(deepestSpec + 1))).toThrow('spec.json:1:101: nested deeper than 100 levels')
  expect(() => parse('['.repeat(1_000_000 - 1))).toThrow('nested deeper')
  expect(parse(`{"a": "${'['.repeat(500)}" /* ${'{'.repeat(500)} */}`).value).toBeDefined()
})

const text = (bytes: number): string => JSON.stringify('é'.repeat((bytes - 2) / 2))

test('size has a limit, in bytes', () => {
  expect(parse(text(largestSpecBytes)).value).toBeDefined()
  expect(() => parse(text(largestSpecBytes + 2))).toThrow('spec.json:1:1: the file is larger than 1000000 bytes')
})

describe('places', () => {
  const { locate } = parse('{\n  "a": [1,\n    {"b": true}]\n}')

  test('are those of values, or of keys', () => {
    expect(locate(['a', 1, 'b'])).toEqual({ line: 3, column: 11 })
    expect(locate(['a', 1, 'b'], true)).toEqual({ line: 3, column: 6 })
    expect(locate(['a', 0])).toEqual({ line: 2, column: 9 })
    expect(locate([])).toEqual({ line: 1, column: 1 })
  })

  test('of what is missing are those of what it is missing from', () => {
    expect(locate(['a', 1, 'c'])).toEqual({ line: 3, column: 5 })
    expect(locate(['x', 'y'])).toEqual({ line: 1, column: 1 })
  })
})
