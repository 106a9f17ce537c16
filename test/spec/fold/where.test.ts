import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { loadSpecFile } from '../../../src/spec/load-spec.ts'
import { aPhase, load, problemsOf } from '../../fakes/a-spec.ts'
import { type TextData } from '../../texts/golden.ts'

const ne = (name: string, value: unknown) => ({ '@ne': [{ '@param': name }, value] })
const standaloneWithW2 = { '@and': [{ '@eq': [{ '@param': 'members' }, 1] }, { '@eq': [{ '@param': 'w' }, 2] }] }

/** A standalone server cannot acknowledge a write on two members. */
const topologies: JsonObject = {
  target: {
    '@cond': [{ '@eq': [{ '@param': 'members' }, 1] }, { kind: 'standalone' }, { kind: 'replicaSet', members: 3 }],
  },
  variants: { members: [1, 3], w: [1, 2] },
  phases: [
    aPhase({
      writeConcern: { w: { '@param': 'w' } },
      operations: [{ kind: 'insertOne', document: { n: 1 } }],
    }),
  ],
}
const where = { '@not': [standaloneWithW2] }

const rowsOf = (parts: object, overrides = {}) =>
  load({ ...parts }, overrides).rows.map(({ index, label }) => `${index}: ${label}`)

test('a combination that "where" excludes is no row and need not be valid', () => {
  expect(problemsOf(topologies).length).toBeGreaterThan(0)
  expect(rowsOf({ ...topologies, where })).toEqual(['0: members 1, w 1', '1: members 3, w 1', '2: members 3, w 2'])
})

test('the values of an excluded combination are not computed', () => {
  const variants = { a: [0, 2], b: [{ '@divide': [10, { '@param': 'a' }] }] }
  const phases = [aPhase({ stopAfter: { operations: { '@add': [{ '@param': 'a' }, { '@param': 'b' }] } } })]
  expect(problemsOf({ variants, phases }).join()).toContain('variants.b[0]')
  expect(rowsOf({ variants, phases, where: ne('a', 0) })).toEqual(['0: a 2, b 5'])
})

test('rows of a list can be excluded, by parameters that not every row gives', () => {
  const parts = {
    parameters: { n: 5, isSlow: false },
    variants: [{ label: 'five' }, { label: 'none', n: 0, isSlow: true }, { label: 'six', n: 6 }],
    where: { '@not': [{ '@param': 'isSlow' }] },
    phases: [aPhase({ stopAfter: { operations: { '@param': 'n' } } })],
  }
  expect(rowsOf(parts)).toEqual(['0: five', '1: six'])
})

test('a profile and --set may change what is excluded', () => {
  const parts = {
    ...topologies,
    parameters: { maxMembers: 3 },
    profiles: { smoke: { maxMembers: 1 } },
    where: { '@and': [where, { '@lte': [{ '@param': 'members' }, { '@param': 'maxMembers' }] }] },
  }
  expect(rowsOf(parts, { profile: 'smoke' })).toEqual(['0: members 1, w 1'])
  expect(rowsOf(parts, { set: { maxMembers: 1 } })).toEqual(['0: members 1, w 1'])
  expect(rowsOf(parts)).toHaveLength(3)
})

test('--only chooses among the rows that are left, by their numbers among these', () => {
  expect(rowsOf({ ...topologies, where }, { only: ['members=3'] })).toEqual(['1: members 3, w 1', '2: members 3, w 2'])
  expect(() => rowsOf({ ...topologies, where }, { only: ['members=1', 'w=2'] })).toSay('spec-only-without-row-left')
})

test('the work is that of the rows which are left', () => {
  const { hash } = load({ ...topologies, variants: [{ members: 1, w: 1 }] })
  const excluded = load({
    ...topologies,
    variants: [
      { members: 1, w: 1 },
      { members: 1, w: 2 },
    ],
    where,
  })
  expect(excluded.hash).toBe(hash)
})

describe('a parameter', () => {
  test('may be used by "where" alone', () => {
    const variants = [{ stable: true }, { stable: false }]
    expect(rowsOf({ variants, where: { '@param': 'stable' } })).toEqual(['0: stable true'])
  })

  test('of this name is another thing', () => {
    const phases = [aPhase({ stopAfter: { operations: { '@param': 'where' } } })]
    expect(rowsOf({ variants: { where: [1, 2] }, where: ne('where', 1), phases })).toEqual(['0: where 2'])
  })

  test('that only excluded rows give is there all the same', () => {
    const operation = { kind: 'find', when: { '@param': 'sorts' }, sort: { '@param': 'order' } }
    const parts = {
      variants: [{ sorts: false }, { sorts: true, order: { a: 1 } }],
      where: { '@not': [{ '@param': 'sorts' }] },
      phases: [aPhase({ operations: [{ kind: 'find', name: 'all' }, operation] })],
    }
    expect(problemsOf(parts)).toSay('spec-parameter-of-some-rows')
  })

  test('that is misspelt in "where" is reported, with the nearest name', () =>
    expect(problemsOf({ ...topologies, where: ne('membres', 1) })).toSay('spec-where-parameter-misspelt'))
})

test.each<[unknown, string, TextData?]>([
  [{ '@param': 'w' }, 'spec-where-number', { value: 1 }],
  ['yes', 'spec-where-text'],
  [{ '@param': 'w.x' }, 'spec-where-number', { value: 'null' }],
  [{ '@metric': 'opsPerSecond' }, 'spec-where-measured'],
])('%j is refused', (wrong, code, data) => expect(problemsOf({ ...topologies, where: wrong })).toHaveLine(code, data))

test('what is drawn while the spec runs is refused', () =>
  expect(problemsOf({ ...topologies, where: { '@eq': [{ '@int': {} }, 1] } })).toSay('spec-where-drawn'))

test('"where" may be null without variants', () => expect(problemsOf({ where: null })).toEqual([]))

test('the example of topologies has the combinations that servers accept', async () => {
  const { rows } = await loadSpecFile('fixtures/language/topologies.json')
  expect(rows).toHaveLength(1 + 6)
})
