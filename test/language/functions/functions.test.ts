import { Binary, Decimal128, Double, MaxKey, MinKey, ObjectId, serialize, Timestamp, UUID } from 'bson'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { type Json } from '../../../src/core/json.ts'
import { type SpecFunction } from '../../../src/language/functions/function.ts'
import { functions } from '../../../src/language/functions/index.ts'
import { forAll } from '../../fakes/for-all.ts'

const drawn = (value: Json): Json => ({ '@choice': { values: [value] } })

/** The example with its first argument drawn while the spec runs. */
function drawnExample({ keyword, example, takesList }: SpecFunction): Json {
  const argument = (example[0] as Record<string, Json>)[keyword] ?? null
  if (!Array.isArray(argument) || takesList) return { [keyword]: drawn(argument) }
  const [first = null, ...rest] = argument as readonly Json[]
  return { [keyword]: [drawn(first), ...rest] }
}

const bytesOf = (value: unknown): string => Buffer.from(serialize({ value })).toString('hex')

describe.each(functions)('$keyword', (entry) => {
  const [expression, result] = entry.example as readonly [Json, Json]
  const expected = bytesOf(compileJson(result).draw(0))

  test('gives the result of its example when the plan is made', () => {
    const { folded, draw } = compileJson(expression)
    expect(folded).not.toHaveProperty(entry.keyword)
    expect(bytesOf(draw(0))).toBe(expected)
  })

  test.skipIf(entry.staticOnly)('gives the same when a part of it is drawn', () => {
    const { folded, draw } = compileJson(drawnExample(entry))
    expect(folded).toHaveProperty([entry.keyword])
    expect(bytesOf(draw(0))).toBe(expected)
  })

  test('has a value for whatever it is given', () =>
    forAll(fc.array(anyValue, { maxLength: 4 }), (args) => {
      const value = entry.apply(args)
      expect(value).not.toBe(undefined)
      serialize({ value })
    }))
})

const key = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0') && text !== '__proto__')

const anyScalar = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, '', 0, -0, NaN, Infinity, 2n ** 63n - 1n, -(2n ** 63n), '__proto__', '\0'),
  fc.constantFrom<unknown>(new Double(5), new Double(-0), new Double(1e300), new MinKey(), new MaxKey(), new Date(NaN)),
  fc.constantFrom<unknown>(Decimal128.fromString('1.5'), new Timestamp({ t: 1, i: 2 }), new Binary(Buffer.from([255]))),
  fc.constantFrom<unknown>(new UUID('6fa459ea-ee8a-3ca4-894e-db77e160355e'), new ObjectId('0123456789abcdef01234567')),
  fc.boolean(),
  fc.integer(),
  fc.double(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.date(),
  fc.string({ unit: 'grapheme' }),
  fc.integer().map(String),
)

const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, anyScalar, tie('list'), tie('object'), tie('pairs')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  pairs: fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 4 }),
})).value
