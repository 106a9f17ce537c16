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

const metricIn = (address: string): string => address.slice(address.lastIndexOf('.') + 1)

const windows = aShape(
  aPhaseShape('search', ['findOne'], { windows: 'steps' }),
  aPhaseShape('reads', ['findOne', 'find'], { windows: 'pairs' }),
  aPhaseShape('load', ['insertOne']),
)

describe('an address is understood', () => {
  test.each([
    ['p99Ms', one, { kind: 'phase', phase: 'mix' }],
    ['mix.p99Ms', one, { kind: 'phase', phase: 'mix' }],
    ['findOne.p99Ms', one, { kind: 'operation', phase: 'mix', operation: 'findOne' }],
    ['mix.findOne.p99Ms', one, { kind: 'operation', phase: 'mix', operation: 'findOne' }],
    ['find.opsPerSecond', two, { kind: 'operation', phase: 'read', operation: 'find' }],
    ['insertMany.cpuPercent', two, { kind: 'operation', phase: 'write', operation: 'insertMany' }],
    ['call.change.p99Ms', parts, { kind: 'step', phase: 'update', operation: 'call', step: 'change' }],
    ['update.call.insert.skipped', parts, { kind: 'step', phase: 'update', operation: 'call', step: 'insert' }],
    ['watch.lagP99Ms', parts, { kind: 'stream', phase: 'update', stream: 'watch' }],
    ['update.watch.errors', parts, { kind: 'stream', phase: 'update', stream: 'watch' }],
    ['call.upserted', parts, { kind: 'operation', phase: 'update', operation: 'call' }],
    ['search@found.p99Ms', windows, { kind: 'phase', phase: 'search', window: 'found' }],
    ['search.findOne@8.p99Ms', windows, { kind: 'operation', phase: 'search', operation: 'findOne', window: '8' }],
    ['search@1234.5.responseP99Ms', windows, { kind: 'phase', phase: 'search', window: '1234.5' }],
    ['reads@without.opsPerSecond', windows, { kind: 'phase', phase: 'reads', window: 'without' }],
    ['@with.errors', aShape(...windows.phases.slice(1, 2)), { kind: 'phase', phase: 'reads', window: 'with' }],
  ])('%s', (address, shape, target) => {
    expect(validateAddress(address, shape)).toBeNull()
    expect(parseAddress(address, shape)).toMatchObject({ metric: metricIn(address), target })
  })

  test.each([
    ['p99.9', null],
    ['findOne.p99.9', 'findOne'],
    ['mix.findOne.responseP99.9', 'findOne'],
    ['findOne.p99.9Ms', 'findOne'],
  ])('%s, with the decimal of its percentile', (address, operation) => {
    const { metric, target } = parseAddress(address, one)
    expect(metric).toMatch(/^(?:p|responseP)999Ms$/)
    expect(target).toMatchObject(operation === null ? { kind: 'phase' } : { kind: 'operation', operation })
  })

  test('a bare metric is that of the row where a row is one operation', () =>
    expect(parseAddress('p99Ms', two, 'operations')).toMatchObject({ metric: 'p99Ms', target: null }))

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
    ['p99ms', one, 'p99Ms'],
    ['findOne.opsPerSec', one, 'findOne.opsPerSecond'],
    ['findone.p99', one, 'findOne.p99Ms'],
    ['FindOne.P99', one, 'findOne.p99Ms'],
    ['change.p50', parts, 'call.change.p50Ms'],
    ['other.p99', one, 'other.p99Ms'],
    ['insert.ops', one, 'insertOne.opsPerSecond'],
    ['toString', one, null],
  ])('without its metric: %j', (address, shape, nearest) => {
    const reason = expect.toSay('address-metric-unknown', { metric: metricIn(address) })
    expect(validateAddress(address, shape)).toEqual({ reason, nearest })
  })

  test.each([
    ['findone.p99Ms', one, 'findOne.p99Ms'],
    ['mix.findTwo.p99Ms', one, 'mix.findOne.p99Ms'],
    ['change.p99Ms', parts, 'call.change.p99Ms'],
    ['call.chnage.p99Ms', parts, 'call.change.p99Ms'],
  ])('without its place: %j', (address, shape, nearest) => {
    const reason = expect.toSay('address-place-unknown', { place: address.slice(0, address.lastIndexOf('.')) })
    expect(validateAddress(address, shape)).toEqual({ reason, nearest })
  })

  test.each([
    ['findOne.cpuPercent', one, 'address-of-phase-not-operation', 'mix.cpuPercent'],
    ['skipped', parts, 'address-of-step-not-phase', 'call.change.skipped'],
    ['findOne.skipped', parts, 'address-of-step-not-operation', 'call.change.skipped'],
    ['findOne.lagP99Ms', parts, 'address-of-stream-not-operation', 'watch.lagP99Ms'],
    ['findOne.events', one, 'address-of-stream-not-operation', null],
    ['call.change.cpuPercent', parts, 'address-of-phase-not-step', 'update.cpuPercent'],
    ['call.change.commits', parts, 'address-of-phase-not-step', 'update.commits'],
  ])('of another kind of place: %j', (address, shape, code, nearest) => {
    const reason = expect.toSay(code, { metric: metricIn(address) })
    expect(validateAddress(address, shape)).toEqual({ reason, nearest })
  })

  test.each([
    ['p99Ms', two, 'address-of-several-phases', 'write.p99Ms'],
    ['', one, 'address-empty', null],
  ])('that names too little: %j', (address, shape, code, nearest) =>
    expect(validateAddress(address, shape)).toEqual({ reason: expect.toSay(code), nearest }),
  )

  test.each([
    ['search@fuond.p99Ms', 'address-window-unknown-step', 'search@found.p99Ms'],
    ['reads@off.p99Ms', 'address-window-unknown-pair', 'reads@with.p99Ms'],
    ['load@found.p99Ms', 'address-window-only-one', 'load.p99Ms'],
    ['search@found.cpuPercent', 'address-window-without-metric', null],
    ['serach@found.p99Ms', 'address-place-of-window-unknown', 'search@found.p99Ms'],
    ['search@found.p99', 'address-metric-of-window-unknown', 'search@found.p99Ms'],
  ])('of a window that is not there: %j', (address, code, nearest) =>
    expect(validateAddress(address, windows)).toEqual({ reason: expect.toSay(code), nearest }),
  )

  test('an operation of two phases needs its phase', () => {
    const twice = aShape(aPhaseShape('first', ['find']), aPhaseShape('second', ['find', 'findOne']))
    const reason = expect.toSay('address-ambiguous', { name: 'find' })
    expect(validateAddress('find.p99Ms', twice)).toEqual({ reason, nearest: 'first.find.p99Ms' })
    expect(validateAddress('second.find.p99Ms', twice)).toBeNull()
  })

  test('a reader that cannot go on gets a problem with a way out', () =>
    expect(() => parseAddress('mix.p99ms', one)).toSay('address-refused'))
})

test('where no run got through, a phase that is not there is no mistake', () => {
  expect(validateAddress('write.p99Ms', { phases: [], partial: true })).toBeNull()
  expect(validateAddress('write.p99ms', { phases: [], partial: true })).not.toBeNull()
})
