import { describe, expect, test } from 'vitest'
import { type Json } from '../../../src/core/json.ts'
import { aPhase, oneRow, problemsOf } from '../../fakes/a-spec.ts'
import { type TextData } from '../../texts/golden.ts'

type Parameters = { readonly [name: string]: Json }

/** A spec in which one value holds an expression. */
const specOf = (expression: Json, parameters: Parameters) => ({
  parameters: { value: expression, ...parameters },
  data: { collection: 'things', document: { _id: { '@row': {} }, value: { '@param': 'value' } } },
  phases: [aPhase({ operations: [{ kind: 'find' }] })],
})

const folded = (expression: Json, parameters: Parameters = {}): unknown =>
  (oneRow(specOf(expression, parameters)).spec.data[0]?.document as { value: Json } | undefined)?.value

const problems = (expression: Json, parameters: Parameters = {}): readonly string[] =>
  problemsOf(specOf(expression, parameters))

const chain = (length: number) =>
  Object.fromEntries(Array.from({ length }, (_, i) => [`p${i}`, i === length - 1 ? 7 : { '@param': `p${i + 1}` }]))

const twice = (name: string): Json => [{ '@param': name }, { '@param': name }]

describe('parameters', () => {
  test('are folded when they are used, whichever way they are written', () =>
    expect(
      folded(
        { '@param': 'a' },
        { a: { '@add': [{ '@param': 'b' }, 1] }, b: { '@multiply': [{ '@param': 'c' }, 2] }, c: 5 },
      ),
    ).toBe(11))

  test('give whole objects, and what stands at a dotted path in them', () => {
    const disk = { type: 'fast', iops: [1500, 3000], size: { '@add': [1, 1] } }
    expect(folded({ '@param': 'disk' }, { disk })).toEqual({ type: 'fast', iops: [1500, 3000], size: 2 })
    expect(folded([{ '@param': 'disk.iops.1' }, { '@param': 'disk.size' }], { disk })).toEqual([3000, 2])
  })

  test('give null where a path leads nowhere', () => {
    const paths = ['disk.missing', 'disk.type.x', 'disk.iops.9', 'disk.constructor', 'disk.iops.length']
    expect(
      folded(
        paths.map((path) => ({ '@param': path })),
        { disk: { type: 'x', iops: [1] } },
      ),
    ).toEqual([null, null, null, null, null])
  })

  test('may hold what is drawn, if they stand where values are drawn', () =>
    expect(folded({ '@param': 'n' }, { n: { '@int': { max: { '@param': 'most' } } }, most: 3 })).toEqual({
      '@int': { max: 3 },
    }))

  test('may not form a cycle', () => {
    const cycle = { a: { '@add': [1, { '@param': 'b' }] }, b: { '@param': 'a' } }
    expect(problems({ '@param': 'a' }, cycle)).toSay('spec-parameter-cycle')
    expect(problems({ '@param': 'value' })).toSay('spec-parameter-cycle-of-one')
  })

  test('may use one another in a chain of hundreds, and no longer', () => {
    expect(folded({ '@param': 'p0' }, chain(150))).toBe(7)
    expect(problems({ '@param': 'p0' }, chain(450))[0]).toSay('spec-parameter-chain-too-long')
  })

  test('may not unfold to millions of values', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`p${i}`, i === 0 ? 1 : twice(`p${i - 1}`)]),
    )
    expect(problems({ '@size': { '@param': 'p39' } }, doubling)).toSay('spec-parameter-doubled-too-often')
    const range = { '@range': [0, 100_000] }
    const nested = { '@map': { input: range, as: 'i', in: { '@map': { input: range, as: 'j', in: 1 } } } }
    expect(problems(nested)).toSay('map-of-map-too-large')
  })
})

describe('@cond', () => {
  test('evaluates only the part that is chosen', () => {
    const wrong = { '@range': [0, 'x'] }
    expect(folded({ '@cond': [{ '@eq': [1, 1] }, 'then', wrong] })).toBe('then')
    expect(folded({ '@cond': [null, wrong, 'else'] })).toBe('else')
    expect(problems({ '@cond': [true, wrong, 1] })).toSay('range-arguments-of-parameter')
  })

  test('is left for later when its condition is drawn, with both parts folded', () => {
    const drawn = { '@gt': [{ '@int': {} }, 5] }
    expect(folded({ '@cond': [drawn, { '@add': [1, 1] }, { '@param': 'x' }] }, { x: 3 })).toEqual({
      '@cond': [drawn, 2, 3],
    })
  })

  test.each<[Json]>([[[true, 1]], [[true, 1, 2, 3]], [{ if: true }], [null]])('takes three parts, not %j', (argument) =>
    expect(problems({ '@cond': argument })).toSay('spec-parameter-cond-shape'),
  )
})

const each = (input: Json, body: Json): Json => ({ '@map': { input, as: 'x', in: body } })

describe('@map', () => {
  test('over what is known gives a list', () => {
    expect(folded(each([1, 2], { '@multiply': [{ '@var': 'x' }, 10] }))).toEqual([10, 20])
    expect(folded(each({ '@range': [0, 2] }, { n: { '@var': 'x' } }))).toEqual([{ n: 0 }, { n: 1 }])
    expect(folded(each([{ a: { b: 1 } }, { a: 5 }], { '@var': 'x.a.b' }))).toEqual([1, null])
    expect(folded(each(null, 1))).toBe(null)
  })

  test('makes objects with @arrayToObject', () => {
    const pairs = each({ '@range': [1, 3] }, [{ '@concat': ['f', { '@var': 'x' }] }, { '@var': 'x' }])
    expect(folded({ '@arrayToObject': pairs })).toEqual({ f1: 1, f2: 2 })
  })

  test('keeps what is drawn in it, at a place of its own for each element', () =>
    expect(folded(each([1, 2], { '@int': { min: { '@var': 'x' } } }))).toEqual([
      { '@int': { min: 1 } },
      { '@int': { min: 2 } },
    ]))

  test('may stand in another, and hide its name', () => {
    const inner: Json = { '@map': { input: [1, 2], as: 'y', in: [{ '@var': 'x' }, { '@var': 'y' }] } }
    expect(folded(each(['a'], inner))).toEqual([
      [
        ['a', 1],
        ['a', 2],
      ],
    ])
    expect(folded(each(['a'], each([1, 2], { '@var': 'x' })))).toEqual([[1, 2]])
  })

  test.each<[Json]>([
    [{ input: [1], as: 'x' }],
    [{ input: [1], as: 5, in: 1 }],
    [{ input: [1], as: 'x', in: 1, into: 2 }],
    ['x'],
  ])('takes a list, a name and an expression, not %j', (argument) =>
    expect(problems({ '@map': argument })).toSay('spec-parameter-map-shape'),
  )

  test('refuses what is no list', () => expect(problems(each(5, 1))).toSay('spec-parameter-map-input'))
})

describe('functions', () => {
  test.each<[Json, string, TextData?]>([
    [{ '@mod': [1, { $numberLong: '0' }] }, 'spec-parameter-divisor-zero', { word: '@mod' }],
    [{ '@mod': [1, 'x'] }, 'spec-parameter-divisor-zero', { word: '@mod' }],
    [{ '@divide': [1, { '@int': {} }] }, 'spec-parameter-divisor-drawn'],
    [{ '@add': [] }, 'spec-parameter-argument-missing'],
    [{ '@range': [0, { '@int': {} }] }, 'spec-parameter-range-drawn'],
    [{ '@divide': [1, { $numberLong: 'x' }] }, 'spec-parameter-extended-json-argument'],
    [{ '@toString': { $oid: 'x' } }, 'spec-parameter-extended-json'],
  ])('%j is refused', (expression, code, data) => expect(problems(expression)).toSay(code, data))

  test('of one argument take a list of two as it is', () => expect(problems({ '@not': [1, 2] })).toEqual([]))
})

test('@literal keeps everything below it as it is', () => {
  const literal = { '@literal': { '@param': 'x', '@unknown': [{ '@add': [1, 1] }], a: null } }
  expect(folded(literal)).toEqual(literal)
})

test('Extended JSON keeps its types', () => {
  const typed = { a: { $numberDouble: '1' }, b: { $date: '2026-01-01T00:00:00Z' } }
  expect(folded(typed)).toEqual(typed)
})
