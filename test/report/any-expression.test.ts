import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Json } from '../../src/core/json.ts'
import { functions } from '../../src/language/functions/index.ts'
import { evaluateResult, toCell } from '../../src/metrics/evaluate.ts'
import { listRows } from '../../src/metrics/rows/rows.ts'
import { describeShape } from '../../src/metrics/scope.ts'
import { validateExpression } from '../../src/spec/rules/report/validate-expression.ts'
import { storedResult } from '../fakes/stored-results.ts'
import { propertyRuns } from '../property-runs.ts'

const result = storedResult('write-concern-modes')
const shape = describeShape(result)
const given = { group: { '@metric': 'wallMs' } }
const evaluator = evaluateResult(result, { let: given, tables: [], charts: [] })
const rows = listRows(result, 'variants')

const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    0,
    1.5,
    -1,
    2 ** 40,
    '',
    'SAFE',
    [],
    {},
    { $numberLong: '5' },
    { $numberLong: 'x' },
  ),
  fc.constantFrom('mode', 'mode.w', 'idFrom', 'label', 'none').map((name): Json => ({ '@param': name })),
  fc.constantFrom('group', 'n', 'group.a', 'x').map((name): Json => ({ '@var': name })),
  fc
    .constantFrom('p99Ms', 'insert.wallMs', 'steadiness', 'latencyMs', 'nothing')
    .map((of): Json => ({ '@metric': of })),
  fc
    .constantFrom<Json>({ idFrom: 'client' }, { mode: 'SAFE', idFrom: 1 }, { label: 'x' }, {})
    .map((at): Json => ({ '@metric': { of: 'wallMs', at } })),
)

const anyExpression: fc.Arbitrary<Json> = fc.letrec<{ node: Json; call: Json }>((tie) => ({
  node: fc.oneof({ depthSize: 'small', maxDepth: 4 }, leaf, tie('call')),
  call: fc.oneof(
    fc
      .tuple(fc.constantFrom(...functions), fc.array(tie('node'), { minLength: 1, maxLength: 3 }))
      .map(([{ keyword }, args]): Json => ({ [keyword]: args })),
    fc
      .tuple(fc.constantFrom(...functions), tie('node'))
      .map(([{ keyword }, argument]): Json => ({ [keyword]: argument })),
    fc.tuple(tie('node'), tie('node'), tie('node')).map((parts): Json => ({ '@cond': parts })),
    fc.tuple(tie('node'), tie('node')).map(([input, body]): Json => ({ '@map': { input, as: 'n', in: body } })),
    tie('node').map((of): Json => ({ '@cluster': { of, names: ['a', 'b'] } })),
    tie('node').map((node): Json => ({ a: node })),
  ),
})).node

test('what passes the check gives a cell for every row', () => {
  let passed = 0
  fc.assert(
    fc.property(anyExpression, (expression) => {
      const place = { path: [], shape, rows: 'variants', names: Object.keys(given) } as const
      if (validateExpression(expression, place).length > 0) return
      passed += 1
      for (const row of rows) toCell(evaluator.value(expression, row))
    }),
    // Most do not pass.
    { numRuns: 10 * propertyRuns },
  )
  expect(passed).toBeGreaterThan(1.5 * propertyRuns)
})
