import { describe, expect, test } from 'vitest'
import { type Json } from '../../src/json.ts'
import { type Overrides } from '../../src/load-spec.ts'
import { aPhase, load, problemsOf } from '../fakes/a-spec.ts'

const variants = {
  topology: [
    { label: 'standalone', value: { members: 1 } },
    { label: 'replica set', value: { members: 3 } },
  ],
  w: [1, 'majority'],
}
const filter = Object.fromEntries(['topology', 'w', 'limit'].map((name) => [name, { '@param': name }]))
const parts = (where: Json) => ({
  parameters: { limit: 3 },
  variants,
  where,
  phases: [aPhase({ operations: [{ kind: 'find', filter }] })],
})

const rowsFor = (where: Json, overrides: Overrides = {}) =>
  load(parts(where), overrides).rows.map(({ index, label }) => `${index} ${label.replaceAll('topology ', '')}`)
const topology = { '@param': 'topology' }
const w = { '@param': 'w' }

describe('"where" leaves combinations of the variants out', () => {
  test.each<[string, Json]>([
    ['by a label', { '@or': [{ '@ne': [topology, 'standalone'] }, { '@eq': [w, 1] }] }],
    ['by a value', { '@or': [{ '@ne': [topology, { members: 1 }] }, { '@ne': [w, 'majority'] }] }],
    ['by a part of a value', { '@or': [{ '@gt': [{ '@param': 'topology.members' }, 1] }, { '@eq': [w, 1] }] }],
    ['by a list', { '@not': [{ '@and': [{ '@in': [topology, ['standalone']] }, { '@in': [w, ['majority']] }] }] }],
    ['by a choice', { '@cond': [{ '@eq': [topology, 'standalone'] }, { '@eq': [w, 1] }, true] }],
  ])('%s, and keeps the written order', (_, where) => {
    expect(rowsFor(where)).toEqual(['0 standalone, w 1', '1 replica set, w 1', '2 replica set, w majority'])
  })

  test('by a parameter that is set', () => {
    const where = { '@lte': [{ '@param': 'topology.members' }, { '@param': 'limit' }] }
    expect(rowsFor(where)).toHaveLength(4)
    expect(rowsFor(where, { set: { limit: 1 } })).toEqual(['0 standalone, w 1', '1 standalone, w majority'])
  })

  test('of a list of rows, too', () => {
    const listed = {
      ...parts({ '@gt': [w, 1] }),
      parameters: { limit: 3, topology: 1 },
      variants: [{ w: 1 }, { w: 2 }],
    }
    expect(load(listed).rows.map(({ label }) => label)).toEqual(['w 2'])
  })

  test('before --only chooses among the others', () => {
    const where = { '@ne': [topology, 'standalone'] }
    expect(rowsFor(where, { only: ['w=1'] })).toEqual(['0 replica set, w 1'])
    expect(() => rowsFor(where, { only: ['topology=standalone'] })).toThrow('No row matches "topology=standalone"')
  })

  test('without a change of the work that is left', () => {
    const where = { '@eq': [w, 1] }
    const written = { ...parts(true), variants: { ...variants, w: [1] } }
    expect(load(parts(where)).hash).toBe(load(written).hash)
  })
})

describe('"where" is refused', () => {
  test.each<[string, Json, string]>([
    ['that leaves no row', false, 'where: leaves no row: it is true for none of the variants'],
    [
      'with a value that is drawn',
      { '@eq': [w, { '@int': {} }] },
      'where: depends on parameters alone: nothing is drawn in it',
    ],
    [
      'with what was measured',
      { '@gt': [{ '@metric': 'p99Ms' }, 1] },
      'where.@gt[0].@metric: "@metric" stands only in "report": it reads what was measured',
    ],
    [
      'with a parameter that does not exist',
      { '@eq': [{ '@param': 'topologie' }, 1] },
      'where.@eq[0].@param: there is no parameter "topologie"; did you mean "topology"?',
    ],
    ['with too few arguments', { '@eq': [w] }, 'where: "@eq" takes 2 arguments, not 1'],
  ])('%s', (_, where, problem) => {
    expect(problemsOf(parts(where))).toEqual([problem])
  })
})
