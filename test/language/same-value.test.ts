import { serialize } from 'bson'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileFolded, foldJson } from '../../bench/values.ts'
import { type Json } from '../../src/core/json.ts'
import { check } from '../../src/language/check.ts'
import { InvalidPart } from '../../src/language/issues.ts'
import { evaluateResult } from '../../src/metrics/evaluate.ts'
import { listRows } from '../../src/metrics/rows/rows.ts'
import { expressions } from '../fakes/expressions.ts'
import { fakeResult, fakeVariant } from '../fakes/fake-result.ts'
import { propertyRuns } from '../property-runs.ts'

const parameters = {
  size: 3,
  disk: { a: [1500, { $numberLong: '9' }], b: 'fast' },
  list: [1, 5, 2],
  off: false,
  none: null,
}
const result = fakeResult({
  variants: [
    fakeVariant({
      parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, { value }])) as never,
    }),
  ],
})
const [row] = listRows(result, 'variants')
const evaluator = evaluateResult(result, { let: {}, tables: [], charts: [] })

const bytesOf = (value: unknown): string => Buffer.from(serialize({ value })).toString('hex')
const drawn = (node: Json): string => bytesOf(compileFolded(node).draw(0))
const written = (node: Json): string => Buffer.from(compileFolded(node).written(0).bytes).toString('hex')
const evaluated = (node: Json): string => bytesOf(row && evaluator.value(node, row))

/** The folded expression. Undefined where the plan refuses it, as it does a divisor of 0. */
function folded(node: Json): Json | undefined {
  try {
    return foldJson(node, parameters)
  } catch {
    return undefined
  }
}

/** Many: not every expression has a value. */
const numRuns = 10 * propertyRuns

/** Undefined where a function has no result for what a literal has. */
function unlessRefused(make: () => string): string | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof InvalidPart) return undefined
    throw error
  }
}

function isWellFormed(node: Json): boolean {
  let found = 0
  check(node, { path: [], names: [], keywordForm: () => (found += 1), report: () => (found += 1) })
  return found === 0
}

test('an expression of parameters has the same value folded as in a report', () => {
  let compared = 0
  fc.assert(
    fc.property(expressions(Object.keys(parameters)).filter(isWellFormed), (node) => {
      const known = folded(node)
      const value = known === undefined ? undefined : unlessRefused(() => drawn(known))
      if (value === undefined) return
      compared += 1
      expect(value).toBe(evaluated(node))
    }),
    { numRuns },
  )
  expect(compared).toBeGreaterThan(numRuns / 4)
})

test('null in what is no list is null everywhere', () => {
  const node = { '@in': [null, 'no list'] }
  expect([drawn(node), written(node), evaluated(node)]).toEqual(Array.from({ length: 3 }, () => bytesOf(null)))
})

test('an expression of constants has the same value folded, drawn, written and in a report', () => {
  let compared = 0
  fc.assert(
    fc.property(expressions([]).filter(isWellFormed), (node) => {
      const known = folded(node)
      if (known === undefined) return
      const value = unlessRefused(() => drawn(node))
      const others = [unlessRefused(() => drawn(known)), unlessRefused(() => written(node))]
      expect(others).toEqual([value, value])
      if (value === undefined) return
      compared += 1
      expect(evaluated(node)).toBe(value)
    }),
    { numRuns },
  )
  expect(compared).toBeGreaterThan(numRuns / 4)
})
