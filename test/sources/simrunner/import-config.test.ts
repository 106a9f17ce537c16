import { expect, test } from 'vitest'
import { type Json } from '../../../src/core/json.ts'
import { readSimRunnerValue } from '../../../src/sources/simrunner/generators.ts'
import { importSimRunner } from '../../../src/sources/simrunner/import-config.ts'
import { Findings } from '../../../src/sources/workloads/findings.ts'
import { expectGolden, readSample } from '../workloads/golden-import.ts'

test('a configuration becomes a spec: templates are the data, and workloads loads beside each other', () => {
  const imported = importSimRunner(readSample('simrunner/people.json'))
  expectGolden('simrunner/people.spec.json', imported)
  expect(imported.remarks).toSay('import-simrunner-remarks')
})

test('the address of a server, with its password, stays out of the spec', () => {
  expect(JSON.stringify(importSimRunner(readSample('simrunner/people.json')))).not.toContain('hunter2')
})

test('a configuration is refused with all that does not map, by name and place', () => {
  expect(() => importSimRunner(readSample('simrunner/refused.json'))).toSay('import-simrunner-refused')
})

const template = { name: 't', database: 'd', collection: 'things', template: { _id: '%objectid' }, remember: ['_id'] }

/** The phase of these workloads. */
const phaseOf = (...workloads: readonly object[]): Json =>
  (
    importSimRunner({ file: 'one.json', text: JSON.stringify({ templates: [template], workloads }) }).spec[
      'phases'
    ] as readonly Json[]
  )[0] ?? null

test('a workload alone is the load of its phase, and ends after its calls', () => {
  expect(
    phaseOf({ template: 't', op: 'deleteOne', params: { filter: { _id: '#_id' } }, threads: 3, stopAfter: 7 }),
  ).toEqual({
    name: 'deleteOne',
    load: { kind: 'closed', workers: { '@param': 'workers' } },
    operations: [{ kind: 'deleteOne', collection: 'things', filter: { _id: { '@ref': { collection: 'things' } } } }],
    stopAfter: { operations: { '@param': 'operations' } },
  })
})

test.each<[string, object, object]>([
  [
    'updateOne in batches',
    { op: 'updateOne', batch: 5, params: { filter: {}, update: { $inc: { a: 1 } } } },
    {
      kind: 'bulkWrite',
      operations: [{ updateOne: { filter: {}, update: { $inc: { a: 1 } } } }],
      operationsPerCall: 5,
    },
  ],
  ['insert', { op: 'insert', batch: 0 }, { kind: 'insertOne' }],
  [
    'replaceWithNew',
    { op: 'replaceWithNew', params: { filter: { a: 1 } } },
    {
      kind: 'replaceOne',
      filter: { a: 1 },
      replacement: { '@document': { of: 'things', row: { '@nextRow': { of: 'things' } }, project: { _id: 0 } } },
    },
  ],
])('%s becomes an operation', (_, workload, operation) => {
  expect(phaseOf({ template: 't', ...workload })).toMatchObject({
    operations: [{ collection: 'things', ...operation }],
  })
})

const reference = (name: string): Json => ({ '@var': name })

test.each<[Json, Json]>([
  [{ '%integer': { min: 0, max: 50 } }, { '@int': { min: 0, max: 49 } }],
  [{ '%natural': { min: 5, max: 5 } }, { '@int': { min: 5, max: 5 } }],
  ['%long', { '@long': { min: -2147483648, max: 2147483646 } }],
  [{ '%double': { min: 1, max: 2 } }, { '@double': { min: 1, max: 2 } }],
  [
    { '%gaussian': { mean: 5, sd: 2, type: 'int' } },
    { '@toInt': { '@floor': { '@add': [{ '@gaussian': { mean: 5, sigma: 2 } }, 0.5] } } },
  ],
  [{ '%binary': { size: 4, as: 'hex' } }, { '@string': { length: 8, alphabet: '0123456789ABCDEF' } }],
  ['%uuidBinary', { '@uuid': {} }],
  [{ '%array': { min: '#n', max: '##n', of: 1 } }, { '@array': { size: { '@var': 'n' }, of: 1 } }],
  [
    { '%array': { min: '#n', max: 9, of: 1 } },
    { '@array': { size: { '@int': { min: { '@var': 'n' }, max: 9 } }, of: 1 } },
  ],
  [{ '%array': { size: 2, of: '%bool' } }, { '@array': { size: 2, of: { '@choice': { values: [true, false] } } } }],
  [{ '%oneOf': { options: ['a', 'b'], weights: [1, 2] } }, { '@choice': { values: ['a', 'b'], weights: [1, 2] } }],
  [
    { '%keyValueMap': { min: 1, max: 2, key: 'k', value: 1 } },
    { '@arrayToObject': { '@array': { size: { min: 1, max: 2 }, of: ['k', 1] } } },
  ],
  [
    { '%dictionaryConcat': { from: 'words', length: 2, sep: ' ' } },
    { '@concat': [{ '@var': 'words' }, ' ', { '@var': 'words' }] },
  ],
  [{ '%stringConcat': { of: ['a', '#words'], sep: '-' } }, { '@concat': ['a', '-', { '@var': 'words' }] }],
  [{ '%mod': { of: 7, by: 3 } }, { '@mod': [7, 3] }],
  [{ '%sum': { of: [1, 2] } }, { '@add': [1, 2] }],
  ['%name.fullName', { '@concat': [{ '@oneOf': { words: 'names.en' } }, ' ', { '@oneOf': { words: 'surnames.en' } }] }],
])('%j becomes an expression', (value, expected) => {
  const findings = new Findings('one.json')
  expect(readSimRunnerValue(value, [], { findings, reference, now: null, sequence: undefined })).toEqual(expected)
  findings.throwIfRefused()
})
