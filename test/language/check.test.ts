import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileFolded } from '../../bench/values.ts'
import { type Json, type Path } from '../../src/core/json.ts'
import { check, checkArgument } from '../../src/language/check.ts'
import { type Finding } from '../../src/language/issues.ts'
import { validateExpression } from '../../src/spec/rules/report/validate-expression.ts'
import { aPhase, problemsOf } from '../fakes/a-spec.ts'
import { forAll } from '../fakes/for-all.ts'
import { type TextData } from '../texts/golden.ts'

/** What is wrong with a value, and the code of the reason. */
const wrong: readonly (readonly [Json, string, TextData?])[] = [
  [{ '@cond': [true, 1] }, 'cond-shape'],
  [{ '@cond': { '@param': 'parts' } }, 'cond-shape'],
  [{ '@map': { input: [1], as: 'x', into: 1 } }, 'map-shape'],
  [{ '@param': 5 }, 'param-name'],
  [{ '@var': { toString: 1 } }, 'var-name'],
  [{ '@eq': [1] }, 'function-argument-count', { keyword: '@eq' }],
  [{ '@subtract': 1 }, 'function-argument-count', { keyword: '@subtract' }],
  [{ '@add': [] }, 'function-argument-range', { keyword: '@add' }],
  [{ $oid: 'x' }, 'extended-json-invalid', { type: '$oid', value: 'x' }],
  [{ '@literal': { $numberInt: '3000000000' } }, 'extended-json-invalid', { type: '$numberInt', value: '3000000000' }],
]

/** Places of an expression in another: what stands around it, and the steps from there. */
const around: readonly (readonly [(node: Json) => Json, Path])[] = [
  [(node) => [1, node], [1]],
  [(node) => ({ a: 1, b: node }), ['b']],
  [(node) => ({ '@add': [1, node] }), ['@add', 1]],
  [(node) => ({ '@max': [node] }), ['@max', 0]],
  [(node) => ({ '@not': node }), ['@not']],
  [(node) => ({ '@cond': [node, 1, 2] }), ['@cond', 0]],
  [(node) => ({ '@cond': [true, 1, node] }), ['@cond', 2]],
  [(node) => ({ '@map': { input: node, as: 'n', in: 1 } }), ['@map', 'input']],
  [(node) => ({ '@map': { input: [], as: 'n', in: { '@concat': ['a', node] } } }), ['@map', 'in', '@concat', 1]],
  [(node) => ({ '@arrayToObject': [['a', node]] }), ['@arrayToObject', 0, 1]],
]

const anyPlace = fc.array(fc.constantFrom(...around), { maxLength: 6 })

function findings(node: Json, names: readonly string[] | undefined): readonly Finding[] {
  const found: Finding[] = []
  check(node, { path: [], names, keywordForm: checkArgument, report: (finding) => void found.push(finding) })
  return found
}

/** The path of what a literal holds ends in it. */
const pathOf = (node: Json): Path => (Object.hasOwn(node as object, '@literal') ? ['@literal'] : [])

/** The first issue of compiling a value. */
function firstOfCompiling(node: Json): string {
  try {
    compileFolded(node)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test('an issue is found wherever the expression stands, in the text, in what is drawn and in a report', () =>
  forAll(fc.constantFrom(...wrong), anyPlace, ([node, code, data], places) => {
    const whole = places.reduceRight((inner, [wrap]) => wrap(inner), node)
    const path = [...places.flatMap(([, steps]) => steps), ...pathOf(node)]
    const found = findings(whole, undefined)
    expect(found).toEqual([{ path, reason: expect.toSay(code, data), nearest: null }])
    const measured = { shape: { phases: [] }, rows: 'variants' } as const
    expect(validateExpression(whole, { path: [], names: [], ...measured })).toEqual(found)
    expect(firstOfCompiling(whole)).toBe(`${path.join('.')}: ${found[0]?.reason}`)
  }))

describe('a variable', () => {
  test.each<[string, readonly string[], string, string, string | null]>([
    ['disk.size', [], 'disk', 'variable-unknown', null],
    ['dsik', ['disk'], 'dsik', 'variable-unknown', 'disk'],
    ['x', ['order', 'line'], 'x', 'variable-unknown-of-two', null],
  ])('that nothing defines has an issue, with names that are known: %s', (read, names, name, code, nearest) => {
    const reason = expect.toSay(code, { name }) as unknown as string
    expect(findings({ '@var': read }, names)).toEqual([{ path: [], reason, nearest }])
  })

  test('is known in the body of the @map that names it, and nowhere else', () => {
    const read: Json = { '@var': 'n' }
    expect(findings({ '@map': { input: [1], as: 'n', in: read } }, [])).toEqual([])
    expect(findings([{ '@map': { input: read, as: 'n', in: 1 } }, read], [])).toHaveLength(2)
  })

  test('is anything before its surroundings are known', () => expect(findings({ '@var': 'n' }, undefined)).toEqual([]))
})

test('a typed value may wait for a parameter until it is folded, and for nothing else', () => {
  const typed: Json = { $numberLong: { '@param': 'n' } }
  expect(findings(typed, undefined)).toEqual([])
  expect(findings(typed, [])).toMatchObject([{ reason: expect.toSay('extended-json-parameter') }])
})

/** The parts of a spec with this filter. */
const find = (filter: Json, more: object = {}) => ({
  phases: [aPhase({ operations: [{ kind: 'find' }, { kind: 'findOne', filter, ...more }] })],
})

describe('a spec', () => {
  const at = 'phases[0].operations[1].filter'

  test('has an issue for what its conditions hide', () => {
    const hidden = { '@cond': [true, {}, { a: { '@eq': [1] } }] }
    expect(problemsOf(find(hidden))).toSay('spec-argument-count', { place: `${at}.@cond[2].a` })
    expect(problemsOf(find({ a: { '@eq': [1] } }, { when: false }))).toSay('spec-argument-count', { place: `${at}.a` })
  })

  test('has one for the inside of what is wrong too', () =>
    expect(problemsOf(find({ a: { '@cond': [{ '@itn': {} }] } }))).toSay('spec-wrong-inside-wrong', { at }))
})
