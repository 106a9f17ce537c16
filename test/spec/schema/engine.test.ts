import { describe, expect, test } from 'vitest'
import { describePlan } from '../../../src/cli/actions/describe-plan.ts'
import { type Overrides } from '../../../src/spec/load-spec.ts'
import { compilePhase } from '../../../src/spec/plan/compile-phase.ts'
import { aPhase, load, oneRow, problemsOf } from '../../fakes/a-spec.ts'

const two = (first: object, second: object) => [aPhase({ ...first }), aPhase({ name: 'again', ...second })]

const enginesOf = (parts: object, overrides: Overrides = {}) =>
  load({ ...parts }, overrides).rows.map(({ spec }) => spec.phases.map(({ engine }) => engine))

describe('the engine of a phase', () => {
  test.each([
    ['is the driver by default', {}, ['driver', 'driver']],
    ['is that of the spec', { engine: 'wire' }, ['wire', 'wire']],
    ['is its own where it has one', { phases: two({ engine: 'wire' }, {}) }, ['wire', 'driver']],
    [
      'is its own, whatever that of the spec',
      { engine: 'wire', phases: two({}, { engine: 'driver' }) },
      ['wire', 'driver'],
    ],
    ['is that of the spec where it is null', { engine: 'wire', phases: two({ engine: null }, {}) }, ['wire', 'wire']],
  ])('%s', (_, parts, expected) => expect(enginesOf({ phases: two({}, {}), ...parts })).toEqual([expected]))

  test('may vary from row to row', () => {
    const varied = { variants: { engine: ['driver', 'wire'] } }
    const engine = { '@param': 'engine' }
    expect(enginesOf({ ...varied, engine })).toEqual([['driver'], ['wire']])
    expect(enginesOf({ ...varied, phases: two({ engine }, {}) })).toEqual([
      ['driver', 'driver'],
      ['wire', 'driver'],
    ])
  })

  test('may be set', () => {
    const parts = { parameters: { engine: 'driver' }, engine: { '@param': 'engine' } }
    expect(enginesOf(parts, { set: { engine: 'wire' } })).toEqual([['wire']])
  })

  test('is in the plan', () => {
    const { spec } = oneRow({ engine: 'wire', phases: [aPhase({ operations: [{ kind: 'findOne', filter: {} }] })] })
    const [phase] = spec.phases
    expect(phase && compilePhase(phase, [], [], { seed: 1, report: () => {} }).engine).toBe('wire')
  })

  test('is shown with the plan where it is "wire"', () => {
    expect(describePlan(load({ engine: 'wire' }))).toContain('phase read: 1 worker, engine wire, 10 operations')
    expect(describePlan(load())).toContain('phase read: 1 worker, 10 operations')
  })

  test('makes the same hash wherever it is written', () => {
    expect(load({ engine: 'driver' }).hash).toBe(load().hash)
    expect(load({ phases: [aPhase({ engine: 'wire' })] }).hash).toBe(load({ engine: 'wire' }).hash)
    expect(load({}, { engine: 'wire' }).hash).toBe(load({ engine: 'wire' }).hash)
  })
})

describe('an engine that is asked for', () => {
  test('is that of every phase', () => {
    const parts = { engine: 'wire', phases: two({ engine: 'driver' }, {}) }
    expect(enginesOf(parts, { engine: 'wire' })).toEqual([['wire', 'wire']])
    expect(enginesOf(parts, { engine: 'driver' })).toEqual([['driver', 'driver']])
  })

  test('is in the effective spec, which then asks for it alone', () => {
    const { effective } = load({ phases: two({ engine: 'driver' }, {}) }, { engine: 'wire' })
    expect(effective).toMatchObject({ engine: 'wire', phases: [{ name: 'read' }, { name: 'again' }] })
    expect(JSON.stringify(effective)).not.toContain('"driver"')
  })

  test('is refused by the option that asked for it where only the driver can', () => {
    const phases = [aPhase({ engine: 'driver', retries: 'driver' })]
    expect(problemsOf({ phases }, { engine: 'wire' })).toSay('spec-engine-without-retries')
    expect(problemsOf({ phases }, { engine: 'driver' })).toEqual([])
  })

  test('is refused where rows compare engines', () => {
    const compared = { variants: { engine: ['driver', 'wire'] }, engine: { '@param': 'engine' } }
    expect(problemsOf(compared, { engine: 'wire' })).toSay('spec-engine-one-for-all')
    expect(enginesOf(compared, { engine: 'wire', only: ['engine=driver'] })).toEqual([['wire']])
  })
})

test('what needs no driver is allowed with "wire"', () => {
  const phases = [
    aPhase({ load: { kind: 'findPeak', from: 2, to: 4, threads: 2 }, stopAfter: null }),
    aPhase({ name: 'open', load: { kind: 'open', ratePerSecond: 10 }, readPreference: { mode: 'nearest' } }),
    aPhase({ name: 'pays', operations: [{ kind: 'transaction', steps: [{ kind: 'insertOne' }] }] }),
  ]
  expect(
    problemsOf({ engine: 'wire', target: { kind: 'replicaSet' }, phases, thresholds: ['read.errors == 0'] }),
  ).toEqual([])
})
