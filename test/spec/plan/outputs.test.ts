import { describe, expect, test } from 'vitest'
import { type Overrides } from '../../../src/spec/parse/overrides.ts'
import { aPhase, load, problemsOf } from '../../fakes/a-spec.ts'

const allow = ['$out', '$merge'] as const

/** Both words are used, whatever the operation is. */
const specOf = (operation: object, parts: object = {}) => ({
  parameters: { used: [{ $out: 'a' }, { $merge: 'a' }], name: 'made' },
  allow,
  phases: [aPhase({ operations: [operation], when: { '@ne': [{ '@param': 'used' }, { '@param': 'name' }] } })],
  ...parts,
})

const aggregate = (...pipeline: readonly unknown[]) => ({ kind: 'aggregate', pipeline })

const told = (operation: object, parts: object = {}, overrides: Overrides = {}): readonly string[] =>
  problemsOf(specOf(operation, parts), { allow, ...overrides })

describe('an output', () => {
  test.each([
    { $out: 'made' },
    { $out: { db: 'mongoperf_small', coll: 'made' } },
    { $merge: 'things' },
    { $merge: { into: 'made', whenMatched: [{ $set: { n: { '@int': {} } } }] } },
    { $merge: { into: { db: 'mongoperf_small', coll: 'made' }, on: '_id' } },
    { $out: { '@param': 'name' } },
  ])('%j stays with us', (stage) => expect(told(aggregate({ $match: {} }, stage))).toEqual([]))

  test.each([
    [{ $out: { '@choice': { values: ['a', 'b'] } } }, '$out'],
    [{ $out: { db: 'mongoperf_small' } }, '$out'],
    [{ $out: { db: { '@string': { length: 5 } }, coll: 'a' } }, '$out'],
    [{ $merge: { into: { '@var': 'name' } } }, '$merge'],
    [{ $merge: { whenMatched: 'replace' } }, '$merge'],
    [{ $out: { '@literal': 'a' } }, '$out'],
  ])('%j must say where it goes', (stage, word) => {
    const lines = told({ ...aggregate(stage), let: { name: { '@string': { length: 5 } } } })
    expect(lines).toHaveLine('spec-output-collection-unknown', { word })
  })

  test.each(['system.users', 'mongoperf_pristine.things', ''])('may not be called "%s"', (name) =>
    expect(told(aggregate({ $out: name }))[0]).toMatch(/^phases\[0\]\.operations\[0\]\.pipeline\[0\]\.\$out: /),
  )

  test.each(['admin', 'local', 'config'])('may not go to %s, even if allowed by name', (db) => {
    const lines = told(aggregate({ $out: { db, coll: 'a' } }), {}, { allowWrites: [`${db}.a`] })
    expect(lines).toSay('spec-output-to-server-database', { db })
  })

  test('to another database is refused unless it is allowed by its name', () => {
    const elsewhere = aggregate({ $merge: { into: { db: 'shop', coll: 'daily' } } })
    for (const allowWrites of [[], ['shop.orders']])
      expect(told(elsewhere, {}, { allowWrites })).toSay('spec-output-elsewhere', { word: '$merge', to: 'shop.daily' })
    expect(told(elsewhere, {}, { allowWrites: ['shop.daily'] })).toEqual([])
  })

  test('without a database goes to that of the collection it reads', () => {
    const parts = { target: { kind: 'existing' }, data: { collection: 'own', existing: 'shop.orders' } }
    expect(told(aggregate({ $out: 'daily' }), parts)).toSay('spec-output-elsewhere', { word: '$out', to: 'shop.daily' })
    expect(told(aggregate({ $merge: 'orders' }), parts)).toSay('spec-output-elsewhere', {
      word: '$merge',
      to: 'shop.orders',
    })
    expect(told(aggregate({ $out: { db: 'mongoperf_small', coll: 'daily' } }), parts)).toEqual([])
  })
})

test.each([
  [{ writeConcern: { w: 0 } }, 'spec-output-unacknowledged'],
  [{ readConcern: { level: 'linearizable' } }, 'spec-output-linearizable'],
])('an output cannot be had with %j', (concern, code) => {
  const phases = [aPhase({ operations: [aggregate({ $out: 'made' })], ...concern })]
  expect(problemsOf({ allow: ['$out'], phases }, { allow })).toSay(code)
  expect(problemsOf({ phases: [aPhase(concern)] })).toEqual([])
})

describe('a stage that writes is found only where we look for it, so it is refused', () => {
  const out = { $out: 'made' }
  test.each<[string, object, string]>([
    ['before the last', aggregate(out, { $match: {} }), 'pipeline[0].$out'],
    ['in a choice', aggregate({ '@choice': { values: [out, { $match: {} }] } }), 'pipeline[0].@choice.values[0].$out'],
    ['untouched', { kind: 'aggregate', pipeline: { '@literal': [out] } }, 'pipeline.@literal[0].$out'],
    ['in let', { ...aggregate({ '@var': 'stage' }), let: { stage: out } }, 'let.stage.$out'],
    ['in a pipeline of a stage', aggregate({ $facet: { a: [out] } }), 'pipeline[0].$facet.a[0].$out'],
    ['in an update', { kind: 'updateOne', update: [{ $set: { a: 1 } }, out] }, 'update[1].$out'],
    ['in a filter', { kind: 'find', filter: out }, 'filter.$out'],
    ['in a command', { kind: 'command', command: { count: 'things', query: out } }, 'command.query.$out'],
    [
      'in a write of a bulk',
      { kind: 'bulkWrite', operations: [{ updateOne: { update: [out] } }] },
      'operations[0].updateOne.update[0].$out',
    ],
  ])('%s', (_where, operation, place) =>
    expect(told(operation)).toHaveLine('spec-output-not-last', { place: `phases[0].operations[0].${place}` }),
  )

  test('in a change stream', () => {
    const operations = [{ kind: 'insertOne' }, { kind: 'changeStream', pipeline: [out] }]
    const parts = { target: { kind: 'replicaSet', members: 1 }, phases: [aPhase({ operations })] }
    const place = 'phases[0].operations[1].pipeline[0].$out'
    expect(problemsOf({ ...parts, allow: ['$out'] }, { allow })[0]).toSay('spec-output-not-last', { place })
  })

  test('in a document of a data set', () => {
    const data = { collection: 'things', document: { a: { $merge: 1 } } }
    expect(told({ kind: 'findOne' }, { data })).toSay('spec-output-in-document')
  })

  test('in a step it may be the last too', () => {
    const steps = { kind: 'steps', steps: [aggregate(out)] }
    expect(told(steps)).toEqual([])
  })
})

test('an output that comes from a parameter is looked at row by row', () => {
  const parts = {
    parameters: { last: { $match: {} } },
    variants: {
      last: [
        { label: 'none', value: { $match: {} } },
        { label: 'out', value: { $out: { db: 'shop', coll: 'a' } } },
      ],
    },
    allow: ['$out'],
    phases: [aPhase({ operations: [aggregate({ '@param': 'last' })] })],
  }
  expect(problemsOf(parts, { allow })).toSay('spec-output-of-variant-elsewhere')
  expect(load(parts, { allow, allowWrites: ['shop.a'] }).rows).toHaveLength(2)
})
