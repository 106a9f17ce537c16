import * as fc from 'fast-check'
import { type Json } from '../../src/core/json.ts'
import { generators } from '../../src/language/generators/index.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 6 })
const key = text.filter((name) => !/^@|\0|^__proto__$|^_bsontype$/.test(name) && !name.startsWith('$'))

const constants = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    false,
    0,
    -0,
    1,
    -1,
    2147483647,
    2147483648,
    -2147483649,
    0.5,
    Number.MAX_SAFE_INTEGER,
  ),
  fc.constantFrom<Json>(
    { $numberLong: '5' },
    { $numberDouble: '5.0' },
    { $numberDouble: '-0.0' },
    { $oid: '0123456789abcdef01234567' },
    { $date: '2026-01-01T00:00:00Z' },
    { $uuid: '6fa459ea-ee8a-4ca4-894e-db77e160355e' },
    { $binary: { base64: 'AAEC', subType: '00' } },
    { $numberDecimal: '1.5' },
    { $regularExpression: { pattern: 'aé', options: 'i' } },
    { $timestamp: { t: 1, i: 2 } },
    { $minKey: 1 },
    { $maxKey: 1 },
    { $code: 'x' },
    { $symbol: 's' },
  ),
  text,
)

/** Without what counts, which gives something else every time, and what rows do not have. */
const examples = fc.constantFrom<Json>(
  ...generators
    .filter(({ keyword }) => !['@nextRow', '@now', '@worker', '@remembered', '@ref'].includes(keyword))
    .map(({ keyword, example }): Json => ({ [keyword]: example })),
)

const scalars = fc.oneof(
  fc.constant<Json>({ '@int': { min: -5, max: 5 } }),
  fc.constant<Json>({ '@long': {} }),
  fc.constant<Json>({ '@double': { min: -3, max: 3 } }),
  fc.tuple(fc.nat(5), fc.nat(20), text).map(([min, more, alphabet]): Json => ({
    '@string': { length: { min, max: min + more }, alphabet: `${alphabet}é🙂` },
  })),
)

const wrap = (value: Json, other: Json, word: string, size: number): Json => {
  if (word === '@array') return { '@array': { size, of: value } }
  if (word === 'distinct')
    return { '@array': { size, of: { '@choice': { values: [value, { '@int': {} }] } }, distinct: true } }
  if (word === '@choice') return { '@choice': { values: [value, other] } }
  if (word === '@cond') return { '@cond': [{ '@gt': [{ '@int': { max: 9 } }, 4] }, value, other] }
  if (word === '@literal') return { '@literal': [value] }
  if (word === 'static map') return { '@map': { input: [1, 2, { a: 3 }], as: 'x', in: [{ '@var': 'x' }, value] } }
  if (word === '@map')
    return { '@map': { input: { '@array': { size, of: other } }, as: 'x', in: { x: { '@var': 'x' }, value } } }
  if (word === '@filler') return { '@filler': { sizeKB: 1 + size, fields: { small: size } } }
  // It has no text for documents, lists and keys that stand for all others.
  if (word === '@toString') return { '@toString': { '@choice': { values: [size, { '@double': {} }, 'é'] } } }
  return {
    '@arrayToObject': [
      ['k', value],
      [{ '@string': { length: 3 } }, other],
    ],
  }
}

const words = [
  '@array',
  'distinct',
  '@choice',
  '@cond',
  '@literal',
  'static map',
  '@map',
  '@filler',
  '@toString',
  'pairs',
]

const { value } = fc.letrec<{ value: Json; list: Json; object: Json; wrapped: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    constants,
    scalars,
    examples,
    tie('wrapped'),
    tie('object'),
    tie('list'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  wrapped: fc.tuple(tie('value'), tie('value'), fc.constantFrom(...words), fc.nat(11)).map((parts) => wrap(...parts)),
}))

/** Documents made of everything that the language has. */
export const documents: fc.Arbitrary<{ readonly [key: string]: Json }> = fc.dictionary(key, value, { maxKeys: 6 })
