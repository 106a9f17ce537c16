import { expect, test } from 'vitest'
import { type Json } from '../../../src/core/json.ts'
import { readBinding } from '../../../src/sources/nosqlbench/bindings.ts'
import { importNoSqlBench } from '../../../src/sources/nosqlbench/import-workload.ts'
import { Findings } from '../../../src/sources/workloads/findings.ts'
import { expectGolden, readSample } from '../workloads/golden-import.ts'

test('a workload becomes a spec: each step of its scenario is a phase, and what comes before is the data', () => {
  const imported = importNoSqlBench(readSample('nosqlbench/books.yaml'))
  expectGolden('nosqlbench/books.spec.json', imported)
  expect(imported.remarks).toSay('import-nosqlbench-remarks')
})

test('a workload is refused with all that does not map, by name and place', () => {
  expect(() => importNoSqlBench(readSample('nosqlbench/refused.yaml'))).toSay('import-nosqlbench-refused')
})

const cycle = { '@int': { distribution: 'sequential' } }

test.each<[string, Json]>([
  ['Identity()', cycle],
  ['Add(5); Mul(2L); Div(3)', { '@floor': { '@divide': [{ '@multiply': [{ '@add': [cycle, 5] }, 2] }, 3] } }],
  ['Mod(1_000)', { '@mod': [cycle, 1000] }],
  ['Hash() -> long', { '@fnv1a64': cycle }],
  ['HashRange(1,6)', { '@add': [{ '@mod': [{ '@fnv1a64': cycle }, 6] }, 1] }],
  ['Uniform(0,10)', { '@int': { min: 0, max: 10 } }],
  ['Uniform(0,10000000000)', { '@long': { min: 0, max: 10_000_000_000 } }],
  ['Uniform(-180d, 180d)', { '@double': { min: -180, max: 180 } }],
  ['Normal(0.0,5.0); ToString()', { '@toString': { '@gaussian': { mean: 0, sigma: 5 } } }],
  ["Mod(5); Prefix('x;y(')", { '@concat': ['x;y(', { '@mod': [cycle, 5] }] }],
  ["WeightedStrings('a:2;b')", { '@choice': { values: ['a', 'b'], weights: [2, 1] } }],
  ['AlphaNumericString(8)', { '@string': { length: 8, alphabet: expect.any(String) as string } }],
])('the binding %s becomes an expression', (text, expected) => {
  const findings = new Findings('one.yaml')
  expect(readBinding(text, [], findings).json).toEqual(expected)
  findings.throwIfRefused()
})

const workload = (op: string, step = ''): string =>
  `${step}blocks:\n  main:\n    ops:\n      one: |\n        ${op}\nbindings: {n: Mod(10), name: Cities()}\n`

const importText = (text: string) => importNoSqlBench({ file: 'one.yaml', text }).spec

test('a value in quotes is a text, and one without has the type of its binding', () => {
  const step = 'scenarios: {default: {main: run tags==block:main cycles=2K..5K threads=3}}\n'
  const spec = importText(
    workload('{ find: "a", filter: { a: {n}, b: "{n}", c: "{name}", d: "in {name}, {n}", e: {x: null} } }', step),
  )
  expect(spec['parameters']).toEqual({ workers: 3, operations: 3000 })
  expect(spec['phases']).toMatchObject([
    {
      operations: [
        {
          name: 'one',
          let: { n: { '@mod': [cycle, 10] }, name: { '@oneOf': { words: 'cities.en' } } },
          filter: {
            a: { '@var': 'n' },
            b: { '@concat': [{ '@var': 'n' }] },
            c: { '@var': 'name' },
            d: { '@concat': ['in ', { '@var': 'name' }, ', ', { '@var': 'n' }] },
            e: { x: null },
          },
        },
      ],
    },
  ])
})

test('blocks without a scenario are called once each, and not reported', () => {
  expect(importText(workload('{ insert: "a", documents: [ { b: 1 }, { b: 2 } ] }'))['phases']).toEqual([
    {
      name: 'main',
      load: { kind: 'closed', workers: 1 },
      operations: [
        { kind: 'insertMany', name: 'one', collection: 'a', documents: [{ b: 1 }, { b: 2 }], documentsPerCall: 2 },
      ],
      measured: false,
      stopAfter: { operations: 1 },
    },
  ])
})
