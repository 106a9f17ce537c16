import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { type Json, type JsonObject } from '../../../src/core/json.ts'
import { type Overrides } from '../../../src/spec/load-spec.ts'
import { aPhase, load, oneRow, problemsOf } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

const withSet = (parts: JsonObject, set: Readonly<Record<string, Json>>, overrides: Overrides = {}) =>
  oneRow(parts, { ...overrides, set }).spec

const refused = (parts: JsonObject, name: string, value: Json = 1, overrides: Overrides = {}): Problem => {
  try {
    load(parts, { ...overrides, set: { [name]: value } })
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  return fail('nothing was refused')
}

const cacheSizes = (parts: JsonObject, overrides: Overrides = {}): readonly unknown[] =>
  load(parts, { ...overrides, set: { 'target.server.cacheGB': 0.5 } }).rows.map(({ spec: { target } }) =>
    'server' in target ? target.server?.cacheGB : undefined,
  )

describe('--set of a path', () => {
  test('sets a part that the spec has, or has not', () => {
    expect(cacheSizes({})).toEqual([0.5])
    expect(cacheSizes({ target: { kind: 'standalone', server: { cacheGB: 2 } } })).toEqual([0.5])
    expect(withSet({}, { seed: 7 }).seed).toBe(7)
  })

  test('finds an item of a list by its position, or by its name', () => {
    const parts = { phases: [aPhase({ name: 'a' }), aPhase({ name: 'b' })] }
    const { phases } = withSet(parts, { 'phases.0.stopAfter.operations': 1, 'phases.b.stopAfter.operations': 2 })
    expect(phases.map(({ stopAfter }) => stopAfter?.operations)).toEqual([1, 2])
  })

  test('sets a part of a parameter', () => {
    const parts = { parameters: { stop: { operations: 5 } }, phases: [aPhase({ stopAfter: { '@param': 'stop' } })] }
    expect(withSet(parts, { 'stop.operations': 3 }).phases[0]?.stopAfter).toEqual({ operations: 3 })
  })

  test('reaches through a parameter and its profile, in all rows that vary it', () => {
    const target = { '@param': 'server' }
    const small = { kind: 'standalone', server: { cacheGB: 1 } }
    expect(cacheSizes({ target, parameters: { server: small } })).toEqual([0.5])
    const profiles = { smoke: { server: { kind: 'standalone' } } }
    expect(cacheSizes({ target, parameters: { server: small }, profiles }, { profile: 'smoke' })).toEqual([0.5])
    const variants = {
      server: [
        { label: 'small', value: small },
        { kind: 'replicaSet', members: 1 },
      ],
    }
    expect(load({ target, variants }, { set: { 'target.facts.disk': 'fast' } }).rows.map(({ label }) => label)[0]).toBe(
      'server small',
    )
    expect(cacheSizes({ target, variants })).toEqual([0.5, 0.5])
    expect(
      cacheSizes({
        target,
        variants: [
          { label: 'a', server: small },
          { label: 'b', server: small },
        ],
      }),
    ).toEqual([0.5, 0.5])
    expect(
      cacheSizes({ target: { '@cond': [true, small, { '@param': 'server' }] }, parameters: { server: small } }),
    ).toEqual([0.5])
  })

  test('leaves a parameter that leads back to itself to the check of parameters', () => {
    const parts = { target: { '@param': 'a' }, parameters: { a: { '@param': 'b' }, b: { '@param': 'a' } } }
    expect(problemsOf(parts, { set: { 'target.kind': 'standalone' } }).join()).toContain('form a cycle')
  })

  test('changes the work, and the spec that the result keeps', () => {
    const { effective, hash } = load({}, { set: { 'target.server.cacheGB': 0.5 } })
    expect(effective).toMatchObject({ target: { server: { cacheGB: 0.5 } } })
    expect(hash).not.toBe(load().hash)
  })

  test('takes expressions, and changes nothing that was passed', () => {
    const set = { target: { kind: 'standalone' }, 'target.server.cacheGB': { '@divide': [1, 2] } }
    expect(withSet({}, set).target).toMatchObject({ server: { cacheGB: 0.5 } })
    expect(set.target).toEqual({ kind: 'standalone' })
  })

  test('is refused for a path that does not exist, with the nearest one', () => {
    expect(refused({}, 'targt.server.cacheGB')).toSay('spec-set-unknown-path')
    expect(refused({}, 'phases.raed.settle')).toSay('spec-set-unknown-item')
    expect(refused({}, 'phases.7.settle')).toSay('spec-set-unknown-position')
    expect(problemsOf({}, { set: { 'target.server.cacheGb': 1 } })).toSay('spec-set-unknown-key')
    expect(refused({ seed: 1 }, 'seed.start')).toSay('spec-set-part-of-number')
  })

  test.each(['__proto__', '$where'])('is refused for the key %s', (key) =>
    expect(refused({}, `target.${key}.x`).code).toBe('usage'),
  )

  test('is refused where an expression computes what the path leads through', () => {
    const members = { '@map': { input: [1], as: 'one', in: {} } }
    expect(refused({ target: { kind: 'replicaSet', members } }, 'target.members.0.priority')).toSay('spec-set-computed')
  })

  test('is refused where a server that others started is in the place of the target, but for its facts', () => {
    const overrides = { existing: true }
    expect(refused({}, 'target.server.cacheGB', 1, overrides)).toSay('spec-set-of-replaced')
    expect(withSet({}, { 'target.facts.disk': 'fast' }, overrides).target.facts).toEqual({ disk: 'fast' })
  })
})
