import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Json } from '../../../src/core/json.ts'
import { readGennyValue } from '../../../src/sources/genny/generators.ts'
import { importGenny } from '../../../src/sources/genny/import-workload.ts'
import { Findings } from '../../../src/sources/workloads/findings.ts'
import { parseYaml } from '../../../src/sources/workloads/parse-yaml.ts'
import { expectGolden, readSample } from '../workloads/golden-import.ts'

const read = (file: string): string => readFileSync(file, 'utf8')

const importText = (text: string, others: Readonly<Record<string, string>> = {}) =>
  importGenny({ file: 'one.yml', text }, (file) => others[file.split('/').at(-1) ?? ''] ?? '')

/** A workload of one CrudActor with these phases. */
const actorOf = (phases: string, more = ''): string =>
  `Actors:\n- Name: One\n  Type: CrudActor\n  Database: db\n  Threads: 2\n  Phases: ${phases}\n${more}`

const find = 'Collection: things, Operations: [{OperationName: find, OperationCommand: {Filter: {}}}]'

describe('a workload', () => {
  test('becomes a spec: what is loaded is the data, and each phase with operations is a phase', () => {
    const imported = importGenny(readSample('genny/shop.yml'), read)
    const { rows } = expectGolden('genny/shop.spec.json', imported)
    expect(rows).toHaveLength(1)
    expect(imported.remarks).toSay('import-genny-remarks')
  })

  test('is refused with all that does not map, by name and place', () => {
    expect(() => importGenny(readSample('genny/refused.yml'), read)).toSay('import-genny-refused')
  })

  test('has the sizes of each load as parameters, which equal ones share', () => {
    const phases = `[{Duration: 2 minutes, ${find}}, {Repeat: 10, ${find}}, {Duration: 2 minutes, ${find}}]`
    const { spec } = importText(actorOf(phases))
    expect(spec['parameters']).toEqual({ workers: 2, seconds: 120, operations: 20 })
    expect(spec['profiles']).toEqual({ smoke: { workers: 2, seconds: 1, operations: 20 } })
  })

  test('has phases of actors by their numbers, wherever they are written', () => {
    const { spec } = importText(actorOf(`[{Nop: true}, {Phase: 2..3, Repeat: 1, ${find}}, {Repeat: 1, ${find}}]`))
    expect((spec['phases'] as readonly { name: string }[]).map(({ name }) => name)).toEqual(['One', 'One_2', 'One_3'])
  })

  test('takes configurations from other files, with their parameters', () => {
    const other = `Actors:\n- Name: {^Parameter: {Name: name, Default: none}}\n  Type: CrudActor\n  Database: db\n  Phases: [{Repeat: 3, ${find}}]`
    const { spec } = importText('LoadConfig: {Path: ../other.yml, Parameters: {name: Given}}', { 'other.yml': other })
    expect(spec['phases']).toMatchObject([{ name: 'Given' }])
  })

  test('gives threads collections in turn where there are several', () => {
    const load =
      '- {Name: L, Type: Loader, Threads: 4, Phases: [{Database: db, CollectionCount: 4, DocumentCount: 5, Document: {}}]}'
    const phase =
      '{Phase: 1, Repeat: 1, CollectionCount: 4, Operations: [{OperationName: findOne, OperationCommand: {Filter: {}}}]}'
    const { spec } = importText(actorOf(`[${phase}]`, load))
    expect(spec['data']).toMatchObject([{ collection: 'Collection', copies: 4 }])
    expect(spec['phases']).toMatchObject([
      { operations: [{ collection: { '@concat': ['Collection', { '@mod': [{ '@worker': {} }, 4] }] } }] },
    ])
  })

  test('keeps databases apart by the names of collections', () => {
    const other = `- {Name: Two, Type: CrudActor, Database: other, Phases: [{Nop: true}, {Repeat: 1, ${find}}]}`
    expect(importText(actorOf(`[{Repeat: 1, ${find}}]`, other)).spec['data']).toEqual([
      { collection: 'db.things' },
      { collection: 'other.things' },
    ])
  })

  test('builds indexes and sets parameters of the server before the first operation', () => {
    const setup = `- Name: Setup
  Type: AdminCommand
  Phases:
  - Repeat: 1
    Database: admin
    Operations: [{OperationName: RunCommand, OperationCommand: {setParameter: 1, ttlMonitorSleepSecs: 5}}]
- Name: Index
  Type: RunCommand
  Phases:
  - Repeat: 1
    Database: db
    Operations:
    - {OperationName: RunCommand, OperationCommand: {create: things, capped: true, size: 4096}}
    - {OperationName: RunCommand, OperationCommand: {createIndexes: things, indexes: [{key: {a: 1}, name: a_1}]}}`
    const { spec } = importText(actorOf(`[{Nop: true}, {Repeat: 1, ${find}}]`, setup))
    expect(spec['target']).toEqual({ kind: 'standalone', server: { setParameters: { ttlMonitorSleepSecs: 5 } } })
    expect(spec['data']).toEqual([
      { collection: 'things', options: { capped: true, size: 4096 }, indexes: [{ key: { a: 1 }, name: 'a_1' }] },
    ])
  })
})

test('commands of several writes are one bulk write', () => {
  const operation = `{OperationName: RunCommand, OperationCommand: {update: things, updates: [
    {q: {a: 1}, u: {$set: {b: 1}}, multi: true}, {q: {a: 2}, u: {b: 2}, upsert: true}]}}`
  const actor = `{Name: R, Type: RunCommand, Phases: [{Database: db, Repeat: 1, Operations: [${operation}]}]}`
  expect(importText(`Actors: [${actor}]`).spec['phases']).toMatchObject([
    {
      operations: [
        {
          kind: 'bulkWrite',
          collection: 'things',
          operations: [
            { updateMany: { filter: { a: 1 }, update: { $set: { b: 1 } } } },
            { replaceOne: { filter: { a: 2 }, replacement: { b: 2 }, upsert: true } },
          ],
        },
      ],
    },
  ])
})

test('an operation of bulkWrite has its writes under their names', () => {
  const writes = `[{WriteCommand: insertOne, Document: {a: {^Null: {}}}}, {WriteCommand: deleteOne, Filter: {a: 1}}]`
  const phase = `{Repeat: 1, Collection: a, Operations: [{OperationName: bulkWrite, OperationCommand: {WriteOperations: ${writes}, Options: {Ordered: false}}}]}`
  expect(importText(actorOf(`[${phase}]`)).spec['phases']).toMatchObject([
    {
      operations: [
        { operations: [{ insertOne: { document: { a: null } } }, { deleteOne: { filter: { a: 1 } } }], ordered: false },
      ],
    },
  ])
})

const index = { '@var': 'index' }

/** A value of genny, read where counters are at `index`. */
function valueOf(text: string): Json {
  const findings = new Findings('one.yml')
  const context = { findings, now: { '@now': {} }, index: () => index }
  const value = readGennyValue(parseYaml(text, 'one.yml'), [], context)
  findings.throwIfRefused()
  return value
}

test.each<[string, Json]>([
  [
    '{a: 1, b: 2.0, c: 1e3, d: text, e: [null, true]}',
    { a: 1, b: { $numberDouble: '2.0' }, c: { $numberDouble: '1000.0' }, d: 'text', e: [null, true] },
  ],
  ['{^RandomInt: {min: 1, max: 6}}', { '@long': { min: 1, max: 6 } }],
  [
    '{^RandomInt: {distribution: zipfian, alpha: 0.9, n: 50}}',
    { '@toLong': { '@int': { min: 1, max: 50, distribution: { kind: 'zipfian', exponent: 0.9 } } } },
  ],
  ['{^RandomDouble: {distribution: normal, mean: 100, sigma: 20}}', { '@gaussian': { mean: 100, sigma: 20 } }],
  ['{^RandomDouble: {distribution: lognormal, m: 0, s: 2}}', { '@logNormal': { median: 1, sigma: 2 } }],
  ['{^RandomString: {length: 5, alphabet: ab}}', { '@string': { length: 5, alphabet: 'ab' } }],
  ['{^Inc: {}}', { '@toLong': { '@add': [1, index] } }],
  ['{^Inc: {start: 0, step: 3}}', { '@toLong': { '@multiply': [index, 3] } }],
  [
    '{^IncDate: {start: "2022-01-01", step: 10}}',
    { '@add': [{ $date: '2022-01-01T00:00:00.000Z' }, { '@multiply': [index, 10] }] },
  ],
  ['{^Date: "2015-01-01"}', { $date: '2015-01-01T00:00:00.000Z' }],
  [
    '{^RandomDate: {min: "2015-01-01T00:00:00+05:30", max: "2016-01-01"}}',
    { '@date': { min: { $date: '2014-12-31T18:30:00.000Z' }, max: { $date: '2015-12-31T23:59:59.999Z' } } },
  ],
  [
    '{^Choose: {from: [a, {^RandomInt: {min: 1, max: 2}}]}}',
    { '@choice': { values: ['a', { '@long': { min: 1, max: 2 } }] } },
  ],
  ['{^Choose: {from: [1, 2, 3], deterministic: true}}', { '@arrayElemAt': [[1, 2, 3], { '@mod': [index, 3] }] }],
  ['{^Join: {array: [a, b], sep: "-"}}', { '@concat': ['a', '-', 'b'] }],
  [
    '{^FormatString: {format: "%04d%s!%3d", withArgs: [{^Inc: {start: 0}}, x, 7]}}',
    { '@concat': [{ '@padStart': [{ '@toLong': index }, 4, '0'] }, 'x', '!', { '@padStart': [7, 3, ' '] }] },
  ],
  [
    '{^Array: {of: {a: 1}, number: {^RandomInt: {min: 0, max: 9}}, distinct: true}}',
    { '@array': { size: { min: 0, max: 9 }, of: { a: 1 }, distinct: true } },
  ],
  [
    '{^Object: {withNEntries: 2, havingKeys: {^RandomString: {length: 1, alphabet: ab}}, andValues: 0, duplicatedKeys: skip}}',
    { '@arrayToObject': { '@array': { size: 2, of: [{ '@string': { length: 1, alphabet: 'ab' } }, 0] } } },
  ],
  [
    '{^FixedGeneratedValue: {fromGenerator: {^Array: {of: 1, number: 2}}}}',
    { '@pickValue': { of: { '@array': { size: 2, of: 1 } }, count: 1 } },
  ],
  [
    '{^Cycle: {ofLength: 5, fromGenerator: {^RandomString: {length: 2, alphabet: a}}}}',
    { '@pickValue': { of: { '@string': { length: 2, alphabet: 'a' } }, count: 5 } },
  ],
  ['{^FlattenOnce: [[1], [2, 3]]}', [1, 2, 3]],
  ['{^BinData: {numBytes: 8}}', { '@pickValue': { of: { '@binary': { size: 8 } }, count: 1 } }],
  ['{^ObjectId: ""}', { '@objectId': {} }],
  ['{^ObjectId: 0123456789abcdef01234567}', { $oid: '0123456789abcdef01234567' }],
  ['{^Verbatim: {a: {^Now: {}}}}', { '@literal': { a: { '^Now': {} } } }],
  ['{^Null: {}}', null],
  ['{^Now: {}}', { '@now': {} }],
])('%s becomes an expression', (text, expected) => {
  expect(valueOf(text)).toEqual(expected)
})

test.each<[string, string]>([
  ['import-genny-parameter', 'Actors: [{^Parameter: {Name: size}}]'],
  ['import-genny-template', 'Actors: [{ActorFromTemplate: {TemplateName: Reader}}]'],
  [
    'import-genny-repeat-beside',
    actorOf(
      `[{Repeat: 5, ${find}}]`,
      `- {Name: B, Type: CrudActor, Database: db, Phases: [{Duration: 1 second, ${find}}]}`,
    ),
  ],
  [
    'import-genny-late-load',
    actorOf(
      `[{Repeat: 5, ${find}}]`,
      '- {Name: L, Type: Loader, Phases: [{Nop: true}, {Database: db, CollectionCount: 1, DocumentCount: 1, Document: {}}]}',
    ),
  ],
  [
    'import-genny-drop',
    actorOf(
      `[{Repeat: 1, ${find}}, {Repeat: 1, Collection: things, Operation: {OperationName: drop}}, {Repeat: 1, ${find}}]`,
    ),
  ],
  [
    'import-genny-concerns',
    actorOf(
      '[{Repeat: 1, Collection: a, Operations: [{OperationName: insertOne, OperationCommand: {Document: {}, OperationOptions: {WriteConcern: {Level: 1}}}}, {OperationName: insertOne, OperationCommand: {Document: {}, OperationOptions: {WriteConcern: {Level: 2}}}}]}]',
    ),
  ],
  [
    'import-genny-load-beside',
    actorOf(
      `[{Repeat: 1, ${find}}]`,
      '- {Name: L, Type: Loader, Phases: [{Database: db, CollectionCount: 1, DocumentCount: 1, Document: {}}]}',
    ),
  ],
  [
    'import-genny-one-copy',
    actorOf(
      `[{Nop: true}, {Repeat: 1, ${find}}]`,
      '- {Name: L, Type: Loader, Threads: 2, Phases: [{Database: db, CollectionCount: 2, DocumentCount: 1, Document: {}}]}\n- {Name: I, Type: CrudActor, Phases: [{Database: db, Collection: Collection0, Operation: {OperationName: createIndex, OperationCommand: {Keys: {a: 1}}}}]}',
    ),
  ],
  ['import-genny-nothing', 'Actors: []'],
  ['import-genny-file-cycle', 'LoadConfig: {Path: one.yml}'],
])('a workload is refused by name: %s', (code, text) => {
  expect(() => importText(text, { 'one.yml': text })).toSay(code)
})

test('what is no YAML is refused with its line', () => {
  expect(() => importText('Actors: [')).toSay('import-no-yaml')
})
