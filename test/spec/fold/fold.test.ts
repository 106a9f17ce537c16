import { describe, expect, test } from 'vitest'
import { type Json } from '../../../src/core/json.ts'
import { aPhase, oneRow, problemsOf } from '../../fakes/a-spec.ts'

/** A spec in which one number of the tool's own and one value hold an expression. */
const folded = (expression: Json, parameters: { readonly [name: string]: Json } = {}): unknown => {
  const { spec } = oneRow({
    parameters: { value: expression, ...parameters },
    data: { collection: 'things', document: { _id: { '@row': {} }, value: { '@param': 'value' } } },
    phases: [aPhase({ operations: [{ kind: 'find' }] })],
  })
  const [first] = spec.data
  return (first?.document as { value: Json } | undefined)?.value
}

const problems = (expression: Json, parameters: { readonly [name: string]: Json } = {}): readonly string[] =>
  problemsOf({
    parameters: { value: expression, ...parameters },
    data: { collection: 'things', document: { _id: { '@row': {} }, value: { '@param': 'value' } } },
    phases: [aPhase({ operations: [{ kind: 'find' }] })],
  })

const chain = (length: number) =>
  Object.fromEntries(Array.from({ length }, (_, i) => [`p${i}`, i === length - 1 ? 7 : { '@param': `p${i + 1}` }]))

const twice = (name: string): Json => [{ '@param': name }, { '@param': name }]

describe('parameters', () => {
  test('are folded when they are used, whichever way they are written', () => {
    expect(
      folded(
        { '@param': 'a' },
        { a: { '@add': [{ '@param': 'b' }, 1] }, b: { '@multiply': [{ '@param': 'c' }, 2] }, c: 5 },
      ),
    ).toBe(11)
  })

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

  test('may hold what is drawn, if they stand where values are drawn', () => {
    expect(folded({ '@param': 'n' }, { n: { '@int': { max: { '@param': 'most' } } }, most: 3 })).toEqual({
      '@int': { max: 3 },
    })
  })

  test('may not form a cycle', () => {
    expect(problems({ '@param': 'a' }, { a: { '@add': [1, { '@param': 'b' }] }, b: { '@param': 'a' } })).toEqual([
      'parameters.b.@param: the parameters "a" -> "b" -> "a" form a cycle',
    ])
    expect(problems({ '@param': 'value' })).toEqual([
      'parameters.value.@param: the parameters "value" -> "value" form a cycle',
    ])
  })

  test('may use one another in a chain of a hundred, and no longer', () => {
    expect(folded({ '@param': 'p0' }, chain(99))).toBe(7)
    expect(problems({ '@param': 'p0' }, chain(150))[0]).toContain('more than 100 parameters use one another')
  })

  test('may not unfold to millions of values', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`p${i}`, i === 0 ? 1 : twice(`p${i - 1}`)]),
    )
    expect(problems({ '@size': { '@param': 'p39' } }, doubling).join()).toContain('expands to more than 1000000 values')
    const range = { '@range': [0, 100_000] }
    const nested = { '@map': { input: range, as: 'i', in: { '@map': { input: range, as: 'j', in: 1 } } } }
    expect(problems(nested).join()).toContain('expands to more than 1000000 values')
  })
})

describe('@cond', () => {
  test('evaluates only the part that is chosen', () => {
    const wrong = { '@range': [0, 'x'] }
    expect(folded({ '@cond': [{ '@eq': [1, 1] }, 'then', wrong] })).toBe('then')
    expect(folded({ '@cond': [null, wrong, 'else'] })).toBe('else')
    expect(problems({ '@cond': [true, wrong, 1] })[0]).toContain('"@range" takes whole numbers')
  })

  test('is left for later when its condition is drawn, with both parts folded', () => {
    const drawn = { '@gt': [{ '@int': {} }, 5] }
    expect(folded({ '@cond': [drawn, { '@add': [1, 1] }, { '@param': 'x' }] }, { x: 3 })).toEqual({
      '@cond': [drawn, 2, 3],
    })
  })

  test.each<[Json]>([[[true, 1]], [[true, 1, 2, 3]], [{ if: true }], [null]])(
    'takes three parts, not %j',
    (argument) => {
      expect(problems({ '@cond': argument })).toEqual([
        'parameters.value: "@cond" takes a list of three: [if, then, else]',
      ])
    },
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

  test('keeps what is drawn in it, at a place of its own for each element', () => {
    expect(folded(each([1, 2], { '@int': { min: { '@var': 'x' } } }))).toEqual([
      { '@int': { min: 1 } },
      { '@int': { min: 2 } },
    ])
  })

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
  ])('takes a list, a name and an expression, not %j', (argument) => {
    expect(problems({ '@map': argument })).toEqual([
      'parameters.value: "@map" takes {"input": a list, "as": a name, "in": an expression}',
    ])
  })

  test('refuses what is no list', () => {
    expect(problems(each(5, 1))).toEqual(['parameters.value.@map.input: "input" of "@map" must be a list'])
  })
})

describe('functions', () => {
  test.each<[Json, string]>([
    [{ '@divide': [1, 0] }, 'the divisor of "@divide" must be a number other than 0'],
    [{ '@mod': [1, { $numberLong: '0' }] }, 'the divisor of "@mod" must be a number other than 0'],
    [{ '@mod': [1, 'x'] }, 'the divisor of "@mod" must be a number other than 0'],
    [{ '@divide': [1, { '@int': {} }] }, 'the divisor of "@divide" must be known when the plan is made'],
    [{ '@add': [] }, '"@add" takes 1 to 100 arguments, not 0'],
    [{ '@eq': [1] }, '"@eq" takes 2 arguments, not 1'],
    [{ '@not': [1, 2] }, ''],
    [{ '@range': [0, { '@int': {} }] }, '"@range" must be known when the plan is made: no drawn values in it'],
  ])('%j', (expression, reason) => {
    expect(problems(expression)).toEqual(reason === '' ? [] : [`parameters.value: ${reason}`])
  })

  test('refuse Extended JSON that is wrong', () => {
    expect(problems({ '@divide': [1, { $numberLong: 'x' }] })[0]).toContain(
      'not valid Extended JSON: "$numberLong" cannot hold "x"',
    )
    expect(problems({ '@toString': { $oid: 'x' } })).toEqual([
      'parameters.value.@toString: not valid Extended JSON: "$oid" cannot hold "x"',
    ])
  })
})

test('@literal keeps everything below it as it is', () => {
  const literal = { '@literal': { '@param': 'x', '@unknown': [{ '@add': [1, 1] }], a: null } }
  expect(folded(literal)).toEqual(literal)
})

test('Extended JSON keeps its types', () => {
  const typed = { a: { $numberDouble: '1' }, b: { $date: '2026-01-01T00:00:00Z' } }
  expect(folded(typed)).toEqual(typed)
})
