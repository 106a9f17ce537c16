import { expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { type JsonObject } from '../../../src/core/json.ts'
import { noFunctions } from '../../../src/load/engines/load-functions.ts'
import { checkFunctions } from '../../../src/run/preflight/check-abilities.ts'
import { type Overrides } from '../../../src/spec/load-spec.ts'
import { listWriters } from '../../../src/spec/plan/writers.ts'
import { aPhase, load, oneRow, problemsOf } from '../../fakes/a-spec.ts'

const calling = (operation: JsonObject = {}, phase: JsonObject = {}) => ({
  phases: [aPhase({ operations: [{ kind: 'function', function: 'findOrders', ...operation }], ...phase })],
})

const problems = (functions: Overrides['functions'], operation: JsonObject = {}) =>
  problemsOf(calling(operation), { functions })

test('any name of a function is valid while no functions are known', () => expect(problemsOf(calling())).toEqual([]))

test('a name that was not handed in has a problem with the nearest one', () => {
  expect(problems({ findOrders: () => 1 })).toEqual([])
  expect(problems({ findOrder: () => 1, other: () => 1 })).toSay('spec-function-misspelt')
  expect(problems({ findOrders: () => 1 }, { function: 'toString' })).toSay('spec-function-unknown')
})

test('where none was handed in, the problem has the ways to do it', () =>
  expect(problems({})).toSay('spec-functions-not-passed'))

test('the function of a step is looked up too', () => {
  const steps = { kind: 'steps', steps: [{ kind: 'function', function: 'elsewhere' }] }
  expect(problemsOf({ phases: [aPhase({ operations: [steps] })] }, { functions: { findOrders: () => 1 } })).toSay(
    'spec-function-of-step-unknown',
  )
})

test.each([
  [{ kind: 'function', function: 'find-orders' }, 'spec-function-name'],
  [{ kind: 'transaction', steps: [{ kind: 'function', function: 'findOrders' }] }, 'spec-function-in-transaction'],
])('%j is refused', (operation, code) =>
  expect(problemsOf({ phases: [aPhase({ operations: [operation] })] })).toSay(code),
)

test('an operation has the name of its function, so two functions need no names of their own', () => {
  const operations = [
    { kind: 'function', function: 'one' },
    { kind: 'function', function: 'other' },
  ]
  expect(problemsOf({ phases: [aPhase({ operations })], thresholds: ['read.one.p50Ms < 5'] })).toEqual([])
})

test('a function may write to every collection of its spec, so existing ones need a permission', () => {
  const data = [{ collection: 'things', rows: 10, document: { a: 1 } }, { existing: 'shop.orders' }]
  const parts = { ...calling({ collection: 'things' }), data }
  expect(problemsOf(parts, { existing: true })).toSay('spec-function-writes-elsewhere')
  const { spec } = oneRow(parts, { existing: true, allowWrites: ['shop.orders'] })
  expect(listWriters(spec)).toMatchObject([
    { onlyUpdates: false, inserts: false, namespaces: [{}, { database: 'shop' }] },
  ])
})

test('checks that go by the replies of operations refuse functions', () => {
  const phases = [aPhase({ operations: [{ kind: 'insertOne' }, { kind: 'function', function: 'findOrders' }] })]
  const problemsWith = (check: object) => problemsOf({ phases, checks: [check] })
  expect(problemsWith({ kind: 'countMatches', collection: 'things' })).toSay('spec-check-count-of-function')
  expect(problemsWith({ kind: 'acknowledgedWritesSurvive', operation: 'insertOne' })).toSay(
    'spec-check-survival-of-function',
  )
})

test('on several threads a phase calls only functions of a module', () => {
  const loaded = load(calling({}, { load: { kind: 'closed', workers: 4, threads: 2 } }))
  const other = load({ phases: [aPhase({ load: { kind: 'closed', workers: 4, threads: 2 } })] })
  const refused = (): void => checkFunctions(loaded, { named: { findOrders: () => 1 }, file: undefined })
  expect(refused).toThrow(Problem)
  expect(refused).toSay('spec-functions-on-threads')
  expect(() => checkFunctions(loaded, { named: {}, file: '/perf.js' })).not.toThrow()
  expect(() => checkFunctions(other, noFunctions)).not.toThrow()
})
