import { expect, test } from 'vitest'
import { loadSpecText } from '../../../src/spec/load-spec.ts'
import { compilePhase } from '../../../src/spec/plan/compile-phase.ts'
import { createDataSet } from '../../../src/spec/plan/data-set.ts'
import { shapeOfSpec } from '../../../src/spec/plan/shape.ts'
import { fail } from '../../fakes/fail.ts'

const read = { kind: 'findOne', filter: { _id: { '@key': {} } } }

const loaded = (...phases: readonly object[]) => {
  const data = { collection: 'items', rows: 100, document: { _id: { '@row': {} } } }
  return loadSpecText(JSON.stringify({ name: 'loads', data, phases }), 'spec.json')
}

const specOf = (...phases: readonly object[]) => loaded(...phases).rows[0]?.spec ?? fail('no row')

const mixed = {
  name: 'mixed',
  warmup: { seconds: 2 },
  stopAfter: { seconds: 10 },
  deadlineSeconds: 20,
  loads: [
    { name: 'readers', load: { kind: 'closed', workers: 4 }, operations: [read] },
    { name: 'scan', from: 3, until: 8, deadlineSeconds: 60, operations: [{ kind: 'find', filter: {} }] },
  ],
}

test('each load has what it says, and else what its phase has', () => {
  const [readers, scan] = specOf(mixed).phases
  expect(readers).toMatchObject({
    name: 'readers',
    load: { workers: 4 },
    warmup: { seconds: 2 },
    stopAfter: { seconds: 10 },
    deadlineSeconds: 20,
    parallel: { phase: 'mixed', from: 0 },
  })
  expect(scan).toMatchObject({
    name: 'scan',
    load: { kind: 'closed', workers: 1 },
    stopAfter: { seconds: 5 },
    deadlineSeconds: 60,
    parallel: { phase: 'mixed', from: 3 },
  })
  expect(scan?.warmup).toBeUndefined()
})

test('a load that is on and off in turn has as many pairs of stretches as there is time for, and does not warm up', () => {
  const [readers = fail('no load'), job] = mixed.loads
  const { phases } = specOf({ ...mixed, loads: [readers, { ...job, from: 0, until: undefined, alternate: 0.75 }] })
  const alternation = { load: 'scan', seconds: 0.75, pairs: 6 }
  expect(phases.map(({ parallel }) => parallel?.alternation)).toEqual([alternation, alternation])
  expect(phases.map(({ warmup }) => warmup)).toEqual([{ seconds: 2 }, undefined])
})

test('a load alone in its phase draws as a phase of its name does', () => {
  const { seed, data, phases } = specOf(
    { name: 'phase', stopAfter: { seconds: 1 }, loads: [{ name: 'one', operations: [read] }] },
    { name: 'other', stopAfter: { seconds: 1 }, operations: [read] },
  )
  const context = { seed, data, report: () => fail('invalid') }
  const drawn = phases.map((phase) => {
    const dataSets = data.map((one, i) => createDataSet(one, ['data', i], context))
    const source = compilePhase({ ...phase, name: 'one' }, ['phases', 0], dataSets, context).calls('measured')
    return Array.from({ length: 20 }, () => source.next().args)
  })
  expect(drawn[0]).toEqual(drawn[1])
})

test('a spec with one load in each phase has the hash that it had', () => {
  const phase = { name: 'p', stopAfter: { seconds: 1 }, operations: [read] }
  const withDefaults = { ...phase, load: { kind: 'closed', workers: 1 } }
  expect(loaded(phase).hash).toBe(loaded(withDefaults).hash)
})

test('addresses name a load as they name a phase', () =>
  expect(shapeOfSpec(specOf(mixed)).phases.map(({ name }) => name)).toEqual(['readers', 'scan']))
