import { describe, expect, test } from 'vitest'
import { deepestSpec, largestSpecBytes, parseJson } from '../../../src/spec/parse/parse-json.ts'
import { type TextData } from '../../texts/golden.ts'

const parse = (text: string) => parseJson(text, 'spec.json')

test.each<[string, unknown]>([
  ['{"a": 1, // why\n /* what */ "b": [2, 3,],}', { a: 1, b: [2, 3] }],
  ['\uFEFF{"a": 1}', { a: 1 }],
  ['  [null, true, "x\\u00e9", -1.5e2]\n', [null, true, 'xé', -150]],
  ['{"a": 9007199254740991}', { a: 9007199254740991 }],
  ['{"constructor": 1, "toString": 2}', { constructor: 1, toString: 2 }],
])('what editors accept is accepted %j', (text, value) => expect(parse(text).value).toEqual(value))

test.each<[string, string, TextData?]>([
  ['', 'spec-json-empty'],
  ['// nothing but a remark', 'spec-json-remark-alone'],
  ['{"a": 1,\n "b" 2}', 'spec-json-without-colon'],
  ['{"a": 1\n "b": 2}', 'spec-json-without-comma'],
  ['{"a": }', 'spec-json-without-value'],
  ['{"a": 1', 'spec-json-without-brace'],
  ['{"a": "x', 'spec-json-without-quote'],
  ["{'a': 1}", 'spec-json-single-quote'],
  ['{"a": 1} {"b": 2}', 'spec-json-after-end'],
  ['{"a": 1, "b": 2, "a": 3}', 'spec-json-key-twice'],
  ['{"x": {"__proto__": {}}}', 'spec-json-key-proto'],
  ['{"_bsontype": "ObjectId"}', 'spec-json-key-bsontype'],
  ['{"a\\u0000b": 1}', 'spec-json-key-null'],
  ['{"a": 9007199254740993}', 'spec-json-number-inexact', { number: '9007199254740993' }],
  ['{"a": 1e400}', 'spec-json-number-inexact', { number: '1e400' }],
])('what is no JSON is refused where it goes wrong %j', (text, code, data) =>
  expect(() => parse(text)).toSay(code, data),
)

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

test('depth has a limit, which does not count what stands in texts and comments', () => {
  expect(parse(nested(deepestSpec)).value).toBeDefined()
  expect(() => parse(nested(deepestSpec + 1))).toSay('spec-json-nested')
  expect(() => parse('['.repeat(1_000_000 - 1))).toSay('spec-json-nested')
  expect(parse(`{"a": "${'['.repeat(500)}" /* ${'{'.repeat(500)} */}`).value).toBeDefined()
})

const text = (bytes: number): string => JSON.stringify('é'.repeat((bytes - 2) / 2))

test('size has a limit, in bytes', () => {
  expect(parse(text(largestSpecBytes)).value).toBeDefined()
  expect(() => parse(text(largestSpecBytes + 2))).toSay('spec-json-too-large')
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
