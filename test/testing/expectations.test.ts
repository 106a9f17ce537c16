import { expect, test } from 'vitest'
import { type MatcherName } from '../../src/testing/expectations/index.ts'
import { type GivenTo, judge } from '../../src/testing/matchers.ts'
import { type Measurement } from '../../src/testing/measurement.ts'
import { isNoChance } from '../../src/testing/sign-test.ts'
import { aMeasurement, aPlan } from '../fakes/a-measurement.ts'

const verdict = <Name extends MatcherName>(name: Name, measurement: Measurement, given: GivenTo<Name>): string =>
  judge(name, measurement, given).verdict

const missed = (rounds: number): number =>
  Array.from({ length: rounds + 1 }, (_, onSide) => onSide).filter((onSide) => isNoChance(onSide, rounds)).length

test('the sign test allows one exception in eight to ten rounds, and none in five to seven', () => {
  expect([4, 5, 6, 7, 8, 9, 10, 11].map(missed)).toEqual([0, 1, 1, 1, 2, 2, 2, 3])
})

const p99s = (...p99Ms: readonly number[]): Measurement =>
  aMeasurement({ rounds: p99Ms.map((each) => ({ p99Ms: each })), p99Ms: Math.max(...p99Ms) })

test('a p99 is judged over rounds', () => {
  expect(verdict('toHaveP99Below', p99s(5, 5, 6, 5, 5, 5), [10])).toBe('holds')
  expect(verdict('toHaveP99Below', p99s(15, 15, 16, 15, 15, 15), [10])).toBe('missed')
  expect(verdict('toHaveP99Below', p99s(5, 15, 16, 15, 15, 15), [10])).toBe('cannot tell')
  expect(judge('toHaveP99Below', p99s(5, 5, 5, 5, 5, 40), [10])).toMatchObject({ verdict: 'cannot tell', pass: true })
})

const ratesOf = (...callsPerSecond: readonly number[]): Measurement =>
  aMeasurement({ rounds: callsPerSecond.map((each) => ({ callsPerSecond: each })) })

test('throughput is judged by its median round', () => {
  expect(verdict('toHaveThroughputAbove', ratesOf(900, 1100, 1000, 1200, 1000, 1000), [950])).toBe('holds')
  expect(verdict('toHaveThroughputAbove', ratesOf(900, 800, 900, 900, 900, 900), [950])).toBe('missed')
  expect(verdict('toHaveThroughputAbove', ratesOf(900, 800, 900, 960, 900, 900), [950])).toBe('cannot tell')
})

test('what cannot be told is missed when a measurement is strict', () => {
  const lenient = aMeasurement({ rounds: [{ p99Ms: 20 }], p99Ms: 20 })
  expect(judge('toHaveP99Below', lenient, [10])).toMatchObject({ verdict: 'cannot tell', pass: true })
  expect(judge('toHaveP99Below', { ...lenient, strict: true }, [10]).pass).toBe(false)
})

test('on a machine in a slow state nothing is missed', () => {
  const slow = { ...aMeasurement({ rounds: Array.from({ length: 6 }, () => ({ p99Ms: 20 })), p99Ms: 20 }) }
  const judged = judge('toHaveP99Below', { ...slow, machineSlowerPercent: 15 }, [10])
  expect(judged.verdict).toBe('cannot tell')
  expect(judged.message()).toContain('The machine was 15 % slower than before in this process')
})

test('where nothing was timed, time is not judged, and commands are', () => {
  const off: Measurement = { ...aMeasurement({ commands: ['find', 'find'] }), depth: 'off', rounds: [], latency: null }
  expect(verdict('toHaveP99Below', off, [1])).toBe('holds')
  expect(verdict('toBeNoSlowerThan', off, [aMeasurement({})])).toBe('holds')
  expect(verdict('toSendAtMost', off, [1])).toBe('missed')
})

test('errors are missed with their message', () => {
  expect(verdict('toHaveNoErrors', aMeasurement({}), [])).toBe('holds')
  const failing: Measurement = {
    ...aMeasurement({}),
    calls: { ok: 10, failed: 2 },
    errors: [{ code: '11000', name: 'DuplicateKey', message: 'E11000', count: 2 }],
  }
  expect(judge('toHaveNoErrors', failing, []).message()).toContain('failed in 2 of 12 calls (DuplicateKey: E11000).')
  const early = { ...aMeasurement({}), firstErrors: ['no such order'] }
  expect(judge('toHaveNoErrors', early, []).message()).toContain('failed before anything was timed: no such order.')
})

test('an N+1 query is found by the number of commands', () => {
  const calls = aMeasurement({ commands: ['find', ...Array.from({ length: 20 }, () => 'find')] })
  expect(judge('toSendAtMost', calls, [2]).message()).toContain(
    'sent 21 commands in a call (21 × find on orders); expected are at most 2.',
  )
  expect(verdict('toSendAtMost', aMeasurement({ commands: ['find'] }), [1])).toBe('holds')
})

test('a collection that is read as a whole uses no index', () => {
  const scan = aMeasurement({ plan: aPlan({ text: 'COLLSCAN', indexes: [], scansCollection: true }) })
  expect(judge('toUseIndex', scan, []).message()).toContain('did not use an index: find on orders: COLLSCAN.')
  const byIndex = aMeasurement({ plan: aPlan({ indexes: ['customer_1'] }) })
  expect(verdict('toUseIndex', byIndex, [])).toBe('holds')
  expect(verdict('toUseIndex', byIndex, ['customer_1'])).toBe('holds')
  expect(verdict('toUseIndex', byIndex, ['date_1'])).toBe('missed')
  expect(verdict('toUseIndex', aMeasurement({ commands: ['insert'] }), [])).toBe('missed')
})

const figures = (docsExamined: number, docsReturned: number): Measurement =>
  aMeasurement({ plan: aPlan({ figures: { keysExamined: docsExamined, docsExamined, docsReturned } }) })

test('documents examined are counted for each result', () => {
  expect(verdict('toExamineAtMost', figures(20, 20), [1])).toBe('holds')
  expect(verdict('toExamineAtMost', figures(1000, 20), [2])).toBe('missed')
  expect(verdict('toExamineAtMost', figures(1, 0), [1])).toBe('holds')
})

test('commands that were not seen do not pass', () => {
  const unseen: Measurement = {
    ...aMeasurement({}),
    sent: { kind: 'not seen', reason: 'no client was given', hint: 'Hand it in.' },
  }
  expect(judge('toSendAtMost', unseen, [5])).toMatchObject({ verdict: 'missed', pass: false })
})

test('no slower than another: by the verdict of a comparison, paired where both were measured in turn', () => {
  const series = Symbol('series')
  const rates = (factor: number, of = series): Measurement => ({
    ...aMeasurement({ rounds: [1000, 1100, 900, 1050, 950, 1000].map((rate) => ({ callsPerSecond: rate * factor })) }),
    series: of,
  })
  expect(verdict('toBeNoSlowerThan', rates(0.7), [rates(1)])).toBe('missed')
  expect(verdict('toBeNoSlowerThan', rates(1.3), [rates(1)])).toBe('holds')
  expect(verdict('toBeNoSlowerThan', rates(0.98), [rates(1)])).toBe('holds')
  // Not paired, and the noise of rounds is as large as the difference.
  expect(verdict('toBeNoSlowerThan', rates(0.93), [rates(1, Symbol('other'))])).toBe('cannot tell')
  expect(judge('toBeNoSlowerThan', rates(0.7), [rates(1)]).message()).toMatch(/throughput: 30 % lower .*which is worse/)
})

test('a message has the figures and the latencies as a histogram', () => {
  const measurement = aMeasurement({ rounds: Array.from({ length: 6 }, () => ({ p99Ms: 20 })), p99Ms: 20 })
  expect(judge('toHaveP99Below', measurement, [10]).message().split('\n')).toEqual([
    'orders had a p99 of 20 ms, 10 ms or more in 6 of 6 rounds; expected is less than 10 ms.',
    '600 calls in 6 rounds, 1 worker: 1000 per second (95 %: 1000 to 1000)',
    'p50 1 ms, p95 2 ms, p99 20 ms',
    `  ≤ 1 ms ${'█'.repeat(40)} 400`,
    `  ≤ 2 ms ${'█'.repeat(20)} 200`,
  ])
})
