import { describe, expect, test } from 'vitest'
import { validateAddress, parseAddress } from '../../src/metrics/address.ts'
import { aPhaseShape, aShape } from '../fakes/a-shape.ts'

const one = aShape(aPhaseShape('mix', ['findOne', 'insertOne']))
const two = aShape(aPhaseShape('write', ['insertMany']), aPhaseShape('read', ['findOne', 'find']))
/** A phase with an operation of two steps, and a change stream. */
const parts = aShape(
  aPhaseShape('update', [], {
    operations: [
      { name: 'call', steps: ['change', 'insert'] },
      { name: 'findOne', steps: [] },
    ],
    streams: ['watch'],
  }),
)

describe('an address is understood', () => {
  test.each([
    ['p99Ms', one, { metric: 'p99Ms', target: { kind: 'phase', phase: 'mix' } }],
    ['mix.p99Ms', one, { metric: 'p99Ms', target: { kind: 'phase', phase: 'mix' } }],
    ['findOne.p99Ms', one, { metric: 'p99Ms', target: { kind: 'operation', phase: 'mix', operation: 'findOne' } }],
    ['mix.findOne.p99Ms', one, { metric: 'p99Ms', target: { kind: 'operation', phase: 'mix', operation: 'findOne' } }],
    [
      'find.opsPerSecond',
      two,
      { metric: 'opsPerSecond', target: { kind: 'operation', phase: 'read', operation: 'find' } },
    ],
    [
      'insertMany.cpuPercent',
      two,
      { metric: 'cpuPercent', target: { kind: 'operation', phase: 'write', operation: 'insertMany' } },
    ],
    [
      'call.change.p99Ms',
      parts,
      { metric: 'p99Ms', target: { kind: 'step', phase: 'update', operation: 'call', step: 'change' } },
    ],
    [
      'update.call.insert.skipped',
      parts,
      { metric: 'skipped', target: { kind: 'step', phase: 'update', operation: 'call', step: 'insert' } },
    ],
    ['watch.lagP99Ms', parts, { metric: 'lagP99Ms', target: { kind: 'stream', phase: 'update', stream: 'watch' } }],
    ['update.watch.errors', parts, { metric: 'errors', target: { kind: 'stream', phase: 'update', stream: 'watch' } }],
    ['call.upserted', parts, { metric: 'upserted', target: { kind: 'operation', phase: 'update', operation: 'call' } }],
  ])('%s', (address, shape, expected) => {
    expect(validateAddress(address, shape)).toBeNull()
    expect(parseAddress(address, shape)).toMatchObject(expected)
  })

  test('a bare metric is that of the row where a row is one operation', () => {
    expect(parseAddress('p99Ms', two, 'operations')).toMatchObject({ metric: 'p99Ms', target: null })
  })

  test('an operation that is alone in a phase of its own name is that phase', () => {
    const same = aShape(aPhaseShape('find', ['find']), ...two.phases.slice(0, 1))
    expect(parseAddress('find.cpuPercent', same)).toMatchObject({
      metric: 'cpuPercent',
      target: { kind: 'phase', phase: 'find' },
    })
  })

  test('what only a stream has is that of the only stream of a phase', () => {
    for (const address of ['events', 'update.events']) {
      expect(parseAddress(address, parts).target).toEqual({ kind: 'stream', phase: 'update', stream: 'watch' })
    }
  })
})

describe('an address is refused, with the nearest right one', () => {
  test.each([
    ['p99ms', one, 'there is no metric "p99ms"', 'p99Ms'],
    ['findOne.opsPerSec', one, 'there is no metric "opsPerSec"', 'findOne.opsPerSecond'],
    ['findone.p99', one, 'there is no metric "p99"', 'findOne.p99Ms'],
    ['FindOne.P99', one, 'there is no metric "P99"', 'findOne.p99Ms'],
    ['change.p50', parts, 'there is no metric "p50"', 'call.change.p50Ms'],
    ['other.p99', one, 'there is no metric "p99"', 'other.p99Ms'],
    ['insert.ops', one, 'there is no metric "ops"', 'insertOne.opsPerSecond'],
    ['findone.p99Ms', one, 'no measured phase or operation is called "findone"', 'findOne.p99Ms'],
    ['mix.findTwo.p99Ms', one, 'no measured phase or operation is called "mix.findTwo"', 'mix.findOne.p99Ms'],
    ['p99Ms', two, 'several phases are measured: name one', 'write.p99Ms'],
    [
      'findOne.cpuPercent',
      one,
      '"cpuPercent" is known for the phase "mix" as a whole, not for one of its operations',
      'mix.cpuPercent',
    ],
    ['change.p99Ms', parts, 'no measured phase or operation is called "change"', 'call.change.p99Ms'],
    ['call.chnage.p99Ms', parts, 'no measured phase or operation is called "call.chnage"', 'call.change.p99Ms'],
    [
      'skipped',
      parts,
      '"skipped" is known for every step, not for the phase "update" as a whole',
      'call.change.skipped',
    ],
    [
      'findOne.skipped',
      parts,
      '"skipped" is known for every step, not for one of its operations',
      'call.change.skipped',
    ],
    [
      'findOne.lagP99Ms',
      parts,
      '"lagP99Ms" is known for every stream, not for one of its operations',
      'watch.lagP99Ms',
    ],
    ['findOne.events', one, '"events" is known for every stream, not for one of its operations', null],
    [
      'call.change.cpuPercent',
      parts,
      '"cpuPercent" is known for the phase "update" as a whole, not for a step of one of its operations',
      'update.cpuPercent',
    ],
    [
      'call.change.commits',
      parts,
      '"commits" is known for the phase "update" as a whole, not for a step of one of its operations',
      'update.commits',
    ],
    ['', one, 'there is no metric ""', null],
    ['toString', one, 'there is no metric "toString"', null],
  ])('%j', (address, shape, reason, nearest) => {
    expect(validateAddress(address, shape)).toEqual({ reason, nearest })
  })

  test('an operation of two phases needs its phase', () => {
    const twice = aShape(aPhaseShape('first', ['find']), aPhaseShape('second', ['find', 'findOne']))
    expect(validateAddress('find.p99Ms', twice)).toEqual({
      reason: 'several phases and operations are called "find"',
      nearest: 'first.find.p99Ms',
    })
    expect(validateAddress('second.find.p99Ms', twice)).toBeNull()
  })

  test('a reader that cannot go on gets a problem with a way out', () => {
    expect(() => parseAddress('mix.p99ms', one)).toThrow(
      expect.objectContaining({ code: 'spec-invalid', hint: 'Did you mean "mix.p99Ms"?' }),
    )
  })
})

test('where no run got through, a phase that is not there is no mistake', () => {
  expect(validateAddress('write.p99Ms', { phases: [], partial: true })).toBeNull()
  expect(validateAddress('write.p99ms', { phases: [], partial: true })).not.toBeNull()
})
