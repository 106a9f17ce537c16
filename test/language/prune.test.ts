import { describe, expect, test } from 'vitest'
import { type Json } from '../../src/core/json.ts'
import { aPhase, load, oneRow, problemsOf } from '../fakes/a-spec.ts'

const absent: Json = { '@eq': [{ '@param': 'x' }, 'other'] }
const parameters = { x: 'this' }
const find = (name: string, more: object = {}) => ({ kind: 'find', name, ...more })

describe('an item with a false "when" is not there', () => {
  type Spec = ReturnType<typeof oneRow>['spec']
  test.each<[string, string, (item: { when: Json }) => object, (spec: Spec) => readonly unknown[]]>([
    [
      'a data set',
      'data[1]',
      (item) => ({ data: [{ collection: 'things' }, { collection: 'gone', ...item }] }),
      ({ data }) => data,
    ],
    [
      'an index',
      'data.indexes[1]',
      (item) => ({ data: { collection: 'things', indexes: [{ key: { a: 1 } }, { key: { b: 1 }, ...item }] } }),
      ({ data }) => data[0]?.indexes ?? [],
    ],
    [
      'a phase',
      'phases[1]',
      (item) => ({ phases: [aPhase({ operations: [find('a')] }), { ...aPhase({ name: 'gone' }), ...item }] }),
      ({ phases }) => phases,
    ],
    [
      'an operation',
      'phases[0].operations[1]',
      (item) => ({ phases: [aPhase({ operations: [find('a'), find('gone', item)] })] }),
      ({ phases }) => phases[0]?.operations ?? [],
    ],
    [
      'a member',
      'target.members[1]',
      (item) => ({ target: { kind: 'replicaSet', members: [{}, { votes: 0, ...item }] } }),
      ({ target }) => (target.kind === 'replicaSet' ? target.members : []),
    ],
    [
      'a table',
      'report.tables[1]',
      (item) => ({
        report: {
          tables: [
            { title: 'a', columns: ['p99Ms'] },
            { title: 'gone', columns: ['nothing'], ...item },
          ],
        },
      }),
      ({ report }) => report.tables ?? [],
    ],
    [
      'a column',
      'report.tables[0].columns[1]',
      (item) => ({ report: { tables: [{ title: 'a', columns: ['p99Ms', { metric: 'nothing', ...item }] }] } }),
      ({ report }) => report.tables?.[0]?.columns ?? [],
    ],
    [
      'a chart',
      'report.charts[1]',
      (item) => ({ report: { charts: [{ kind: 'percentiles' }, { kind: 'percentiles', ...item }] } }),
      ({ report }) => report.charts ?? [],
    ],
  ])('%s', (_, at, parts, list) => {
    const base = { parameters, phases: [aPhase({ operations: [find('a')] })] }
    const { spec } = oneRow({ ...base, ...parts({ when: absent }) })
    expect(list(spec)).toHaveLength(1)
    const place = `${at}.when`
    expect(problemsOf({ ...base, ...parts({ when: { '@int': {} } }) })).toHaveLine('when-drawn', { place })
    expect(problemsOf({ ...base, ...parts({ when: 1 }) })).toHaveLine('when-number', { place })
  })

  test('and one with a true "when" is', () => {
    const when = { '@ne': [{ '@param': 'x' }, 'other'] }
    const { spec } = oneRow({ parameters, phases: [aPhase({ operations: [find('a'), find('b', { when })] })] })
    expect(spec.phases[0]?.operations.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  test('a condition may differ from row to row', () => {
    const when = { '@param': 'on' }
    const { rows } = load({
      variants: { on: [false, true] },
      phases: [aPhase({ operations: [find('a'), find('b', { when })] })],
    })
    expect(rows.map(({ spec }) => spec.phases[0]?.operations.length)).toEqual([1, 2])
  })
})

describe('null is "not given"', () => {
  const keys = 'title description seed repeat target variants parameters profiles thresholds report'
  test.each(keys.split(' '))('for %s', (key) => expect(problemsOf({ [key]: null })).toEqual([]))

  test('for fields of parts, also when it is computed', () => {
    const warmup = { '@cond': [{ '@eq': [{ '@param': 'x' }, 'this'] }, null, { seconds: 1 }] }
    const [phase] = oneRow({ parameters, phases: [aPhase({ warmup, settle: null, writeConcern: null })] }).spec.phases
    expect(phase).toMatchObject({ settle: false, writeConcern: { w: 'majority' } })
    expect(phase).not.toHaveProperty('warmup')
  })

  test('for options that are values', () => {
    const hint = { '@cond': [{ '@eq': [{ '@param': 'x' }, 'this'] }, null, { a: 1 }] }
    const { spec } = oneRow({ parameters, phases: [aPhase({ operations: [{ kind: 'find', hint, filter: null }] })] })
    expect(spec.phases[0]?.operations[0]).toEqual({ kind: 'find', weight: 1, filter: {} })
  })

  test('but not for values that must be given', () => {
    const document = {
      _id: 1,
      list: { '@array': { size: 2, of: null } },
      one: { '@filler': { sizeKB: 1, fields: { a: null } } },
    }
    const { spec } = oneRow({ data: { collection: 'things', rows: 1, document } })
    expect(spec.data[0]?.document).toEqual(document)
    expect(problemsOf({ phases: [aPhase({ operations: [{ kind: 'updateOne', update: null }] })] })).toSay(
      'update-no-operators',
    )
  })

  test('for arguments of generators', () => {
    const document = { _id: { '@int': { min: null, max: 5 } } }
    expect(problemsOf({ data: { collection: 'things', rows: 1, document } })).toEqual([])
  })

  test('but a field that must be given is missing then', () =>
    expect(problemsOf({ phases: [aPhase({ stopAfter: null })] })).toEqual(['phases[0].stopAfter: is missing']))
})

test('values are the user\'s own: null, "when" and items of lists stay', () => {
  const document = { _id: { '@row': {} }, when: false, none: null, list: [null, { when: false, none: null }] }
  const operation = {
    kind: 'updateOne',
    filter: { a: null, when: false },
    update: { $set: { b: null } },
    arrayFilters: [{ when: false, c: null }],
  }
  const { spec } = oneRow({
    data: { collection: 'things', rows: 1, document },
    phases: [aPhase({ operations: [operation] })],
  })
  expect(spec.data[0]?.document).toEqual(document)
  expect(spec.phases[0]?.operations[0]).toMatchObject(operation)
})
