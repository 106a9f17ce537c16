import { Double } from 'bson'
import { expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'
import { arithmetic } from '../../../src/language/functions/arithmetic.ts'
import { fail } from '../../fakes/fail.ts'
import { readText } from '../../texts/golden.ts'

/** The value as the driver gets it: int32 as a number, int64 as a bigint, whole doubles as `Double`. */
const valueOf = (expression: Json): unknown => compileJson(expression).draw(0)

const long = (text: string): Json => ({ $numberLong: text })
const double = (text: string): Json => ({ $numberDouble: text })

test.each<[Json, unknown]>([
  [{ '@add': [2147483646, 1] }, 2147483647],
  [{ '@add': [2147483647, 1] }, 2147483648n],
  [{ '@subtract': [-2147483648, 1] }, -2147483649n],
  [{ '@multiply': [3, 0.5] }, 1.5],
  [{ '@multiply': [4, 0.5] }, 2],
  [{ '@divide': [6, 3] }, 2],
  [{ '@divide': [0, -3] }, 0],
  [{ '@add': [long('9007199254740993'), 2] }, 9007199254740995n],
  [{ '@multiply': [long('9007199254740993'), long('3')] }, 27021597764222979n],
  [{ '@add': [long('9223372036854775807'), 1] }, new Double(2 ** 63)],
  [{ '@mod': [long('9007199254740993'), 10] }, 3],
  [{ '@add': [double('2.0'), double('3.0')] }, 5],
  [{ '@multiply': [1e15, 1e15] }, new Double(1e30)],
])('a result is int32, int64 or double by its value %j', (expression, value) =>
  expect(valueOf(expression)).toStrictEqual(value),
)

test('remainders have the sign of the first number', () =>
  expect([valueOf({ '@mod': [-7, 3] }), valueOf({ '@mod': [7, -3] }), valueOf({ '@mod': [-7.5, 2] })]).toEqual([
    -1, 1, -1.5,
  ]))

const drawnAs = (value: Json): Json => ({ '@choice': { values: [value] } })

test.each<Json>([
  { '@add': [1, 'two'] },
  { '@add': [{ $date: '2026-01-01T00:00:00Z' }, { $date: '2026-01-01T00:00:00Z' }] },
  { '@add': [{ $date: '2026-01-01T00:00:00Z' }, 'x'] },
  { '@add': [{ $date: '2026-01-01T00:00:00Z' }, 1e20] },
  { '@subtract': [1, { $date: '2026-01-01T00:00:00Z' }] },
  { '@multiply': ['abc', 2] },
  { '@multiply': [true, 2] },
  { '@divide': ['6', 2] },
  { '@floor': 'x' },
  { '@toInt': 2147483648 },
  { '@toInt': 'x' },
  { '@toInt': double('NaN') },
  { '@toLong': double('1e19') },
  { '@toString': [['a']] },
  { '@toString': { a: 1 } },
  { '@concat': ['a', ['b']] },
  { '@size': 'ab' },
  { '@in': [1, 'ab'] },
])('what has no result is refused, where it is known and where it is drawn: %j', (expression) => {
  const [[keyword = '', argument = null] = []] = Object.entries(expression as object) as [string, Json][]
  const drawn = { [keyword]: Array.isArray(argument) ? argument.map(drawnAs) : drawnAs(argument) }
  const noResult = readText('function-no-result', { keyword })
  expect(() => valueOf(expression)).toThrow(`: ${noResult}`)
  // A list that is drawn stands for the arguments.
  if (keyword === '@divide') return
  expect(() => valueOf({ place: drawn })).toThrow(`place.${keyword}: ${noResult}`)
})

test.each<Json>([
  { '@add': [1, null] },
  { '@concat': ['a', null] },
  { '@subtract': [null, { $date: '2026-01-01T00:00:00Z' }] },
  { '@floor': null },
  { '@size': null },
])('of null comes null, as in MongoDB: %j', (expression) => expect(valueOf(expression)).toBe(null))

test('dates move by milliseconds, and the time between two is an int64', () => {
  const date = { $date: '2026-01-01T00:00:00Z' }
  const later = { $date: '2026-01-01T00:00:01.500Z' }
  expect(valueOf({ '@add': [1000, date, 500] })).toEqual(new Date(later.$date))
  expect(valueOf({ '@subtract': [later, 1500] })).toEqual(new Date(date.$date))
  expect(valueOf({ '@subtract': [later, date] })).toBe(1500n)
  expect(valueOf({ '@subtract': [drawnAs(later), date] })).toBe(1500n)
})

test('from an invalid date there is no time to another', () => {
  const subtract = arithmetic.find(({ keyword }) => keyword === '@subtract') ?? fail('There is one')
  expect(subtract.apply([new Date(0), new Date(NaN)])).toBe(null)
  expect(subtract.apply([new Date(NaN), new Date(0)])).toBe(null)
})

test.each<[Json, unknown]>([
  [{ '@toInt': -2.9 }, -2],
  [{ '@toInt': '41' }, 41],
  [{ '@toInt': true }, 1],
  [{ '@toLong': 5 }, 5n],
  [{ '@toLong': '9223372036854775807' }, 9223372036854775807n],
  [{ '@toLong': { $date: '1970-01-01T00:00:01Z' } }, 1000n],
  [{ '@toDouble': 5 }, new Double(5)],
  [{ '@toDouble': '2.5' }, 2.5],
  [{ '@toString': long('9007199254740993') }, '9007199254740993'],
  [{ '@toString': { $oid: '0123456789abcdef01234567' } }, '0123456789abcdef01234567'],
  [{ '@toString': { $date: '2026-01-01T00:00:00Z' } }, '2026-01-01T00:00:00.000Z'],
  [{ '@toString': { $uuid: '6fa459ea-ee8a-4ca4-894e-db77e160355e' } }, '6fa459ea-ee8a-4ca4-894e-db77e160355e'],
  [{ '@toString': { $numberDecimal: '1.50' } }, '1.50'],
  [{ '@toString': false }, 'false'],
])('conversions %j', (expression, value) => expect(valueOf(expression)).toStrictEqual(value))

const doubled = (name: string): Json => ({ '@concat': [{ '@param': name }, { '@param': name }] })

test('a text grows no longer than a document can hold', () => {
  const names = Array.from({ length: 40 }, (_, i) => `p${i}`)
  const parameters = Object.fromEntries(names.map((name, i) => [name, i === 0 ? 'x' : doubled(`p${i - 1}`)]))
  expect(compileJson({ '@param': 'p20' }, { parameters }).draw(0)).toHaveLength(2 ** 20)
  expect(() => compileJson({ '@param': 'p39' }, { parameters })).toSay('spec-parameter-expands-too-far')
  const twice = { '@concat': [{ '@var': 'x' }, { '@var': 'x' }] }
  const input = [{ '@string': { length: 9_000_000 } }]
  expect(() => compileJson({ '@map': { input, as: 'x', in: twice } }).draw(0)).toThrow(
    readText('function-no-result', { keyword: '@concat' }),
  )
})
