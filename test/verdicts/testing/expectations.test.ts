import { expect, test } from 'vitest'
import { type MatcherName } from '../../../src/verdicts/testing/expectations/index.ts'
import { isNoChance } from '../../../src/verdicts/testing/expectations/judgement.ts'
import { type GivenTo, judge } from '../../../src/verdicts/testing/matchers.ts'
import { type Measurement } from '../../../src/verdicts/testing/measurement.ts'
import { printAtEnd } from '../../../src/verdicts/testing/runner-output.ts'
import { aMeasurement, aPlan, someWork } from '../../fakes/a-measurement.ts'

/** Notes are tested where they are looked at. */
const quietly = { note: () => {} }

const verdict = <Name extends MatcherName>(name: Name, measurement: Measurement, given: GivenTo<Name>): string =>
  judge(name, measurement, given, quietly).verdict

/** The line of a message that comes before figures. */
const judgement = <Name extends MatcherName>(name: Name, measurement: Measurement, given: GivenTo<Name>) =>
  judge(name, measurement, given, quietly).message().split('\n')[0]

const missed = (rounds: number): number =>
  Array.from({ length: rounds + 1 }, (_, onSide) => onSide).filter((onSide) => isNoChance(onSide, rounds)).length

test('the sign test allows one exception in eight to ten rounds, and none in five to seven', () =>
  expect([4, 5, 6, 7, 8, 9, 10, 11].map(missed)).toEqual([0, 1, 1, 1, 2, 2, 2, 3]))

const p99s = (...p99Ms: readonly number[]): Measurement =>
  aMeasurement({ rounds: p99Ms.map((each) => ({ p99Ms: each })), p99Ms: Math.max(...p99Ms) })

test('a p99 is judged over rounds', () => {
  expect(verdict('toHaveP99Below', p99s(5, 5, 6, 5, 5, 5), [10])).toBe('holds')
  expect(verdict('toHaveP99Below', p99s(15, 15, 16, 15, 15, 15), [10])).toBe('missed')
  expect(verdict('toHaveP99Below', p99s(5, 15, 16, 15, 15, 15), [10])).toBe('cannot tell')
  expect(verdict('toHaveP99Below', p99s(5, 5, 5, 5, 5, 40), [10])).toBe('cannot tell')
})

const ratesOf = (...callsPerSecond: readonly number[]): Measurement =>
  aMeasurement({ rounds: callsPerSecond.map((each) => ({ callsPerSecond: each })) })

test('throughput is judged by its median round', () => {
  expect(verdict('toHaveThroughputAbove', ratesOf(900, 1100, 1000, 1200, 1000, 1000), [950])).toBe('holds')
  expect(verdict('toHaveThroughputAbove', ratesOf(900, 800, 900, 900, 900, 900), [950])).toBe('missed')
  expect(verdict('toHaveThroughputAbove', ratesOf(900, 800, 900, 960, 900, 900), [950])).toBe('cannot tell')
})

/** Judges, and returns the notes that were printed too. */
function judged<Name extends MatcherName>(name: Name, measurement: Measurement, given: GivenTo<Name>, isNot = false) {
  const notes: string[] = []
  const { pass, message } = judge(name, measurement, given, { isNot, note: (text) => notes.push(text) })
  return { pass, message: message(), notes }
}

test('what cannot be told passes with a note, and is missed when a measurement is strict', () => {
  const lenient = aMeasurement({ rounds: [{ p99Ms: 20 }], p99Ms: 20 })
  const { pass, notes } = judged('toHaveP99Below', lenient, [10])
  expect(pass).toBe(true)
  expect(notes).toSay('expectation-undecided', { p99: 20, limit: 10 })
  const strict = { ...lenient, strict: true }
  expect(judged('toHaveP99Below', strict, [10])).toMatchObject({ pass: false, notes: [] })
  expect(judgement('toHaveP99Below', strict, [10])).toSay('expectation-undecided-strict', { p99: 20, limit: 10 })
})

test('on a machine in a slow state a limit is missed only if dividing by the slowness leaves it missed', () => {
  const slow = {
    ...aMeasurement({ rounds: Array.from({ length: 6 }, () => ({ p99Ms: 20, callsPerSecond: 500 })), p99Ms: 20 }),
    machineSlowerPercent: 15,
  }
  const explained = judged('toHaveP99Below', slow, [18])
  expect(explained.pass).toBe(true)
  expect(explained.notes).toSay('expectation-on-slow-machine', { slower: 15 })
  expect(judged('toHaveP99Below', slow, [10])).toMatchObject({ pass: false, notes: [] })
  expect(judgement('toHaveP99Below', slow, [10])).toSay('expectation-missed-on-slow-machine', { slower: 15 })
  expect(verdict('toHaveThroughputAbove', slow, [550])).toBe('cannot tell')
  expect(verdict('toHaveThroughputAbove', slow, [600])).toBe('missed')
})

test('the closing line counts what passed undecided, and is printed once', () => {
  const printed: string[] = []
  const print = (text: string) => printed.push(text)
  printAtEnd(() => {})
  judged('toHaveP99Below', aMeasurement({ rounds: [{ p99Ms: 20 }], p99Ms: 20 }), [10])
  judged('toBeNoSlowerThan', comparedRates(1), [{ ...comparedRates(1), load: { workers: 2 } }])
  judged('toHaveP99Below', aMeasurement({}), [10])
  printAtEnd(print)
  printAtEnd(print)
  expect(printed).toSay('expectations-undecided', { expectations: 2 })
})

const untimed: Measurement = {
  ...aMeasurement({ commands: ['find', 'find'] }),
  notTimed: 'MONGO_PERF is "off"',
  rounds: [],
  latency: null,
}

test('where nothing was timed, time is not judged, and commands are', () => {
  expect(judged('toHaveP99Below', untimed, [1])).toEqual({
    pass: true,
    message: expect.toSay('expectation-not-timed'),
    notes: [],
  })
  expect(judged('toHaveP99Below', { ...untimed, strict: true }, [1]).pass).toBe(true)
  expect(verdict('toBeNoSlowerThan', untimed, [aMeasurement({})])).toBe('not timed')
  expect(verdict('toSendAtMost', untimed, [1])).toBe('missed')
})

const passesWithNot = (measurement: Measurement) => !judged('toHaveP99Below', measurement, [10], true).pass

test('the opposite of an expectation passes and fails as the expectation does where nothing can be told', () => {
  const lenient = aMeasurement({ rounds: [{ p99Ms: 20 }], p99Ms: 20 })
  expect(passesWithNot(untimed)).toBe(true)
  expect(passesWithNot(lenient)).toBe(true)
  expect(passesWithNot({ ...lenient, strict: true })).toBe(false)
})

test('errors are missed with their message', () => {
  expect(verdict('toHaveNoErrors', aMeasurement({}), [])).toBe('holds')
  const failing: Measurement = {
    ...aMeasurement({}),
    calls: { ok: 10, failed: 2 },
    errors: [{ code: '11000', name: 'DuplicateKey', message: 'E11000', count: 2 }],
  }
  expect(judgement('toHaveNoErrors', failing, [])).toSay('errors-in-calls', { failed: 2, calls: 12 })
  const early = { ...aMeasurement({}), firstErrors: ['no such order'] }
  expect(judgement('toHaveNoErrors', early, [])).toSay('errors-before-timing', { error: 'no such order' })
})

test('an N+1 query is found by the number of commands', () => {
  const calls = aMeasurement({ commands: ['find', ...Array.from({ length: 20 }, () => 'find')] })
  expect(judgement('toSendAtMost', calls, [2])).toSay('commands-above-limit', { sent: 21, limit: 2 })
  expect(verdict('toSendAtMost', aMeasurement({ commands: ['find'] }), [1])).toBe('holds')
})

test('a collection that is read as a whole uses no index', () => {
  const scan = aMeasurement({ plan: aPlan({ text: 'COLLSCAN', indexes: [], scansCollection: true }) })
  expect(judgement('toUseIndex', scan, [])).toSay('index-not-used', { plan: 'COLLSCAN' })
  const byIndex = aMeasurement({ plan: aPlan({ indexes: ['customer_1'] }) })
  expect(verdict('toUseIndex', byIndex, [])).toBe('holds')
  expect(verdict('toUseIndex', byIndex, ['customer_1'])).toBe('holds')
  expect(verdict('toUseIndex', byIndex, ['date_1'])).toBe('missed')
  expect(verdict('toUseIndex', aMeasurement({ commands: ['insert'] }), [])).toBe('missed')
})

test('a plan that reads nothing, as of a collection that does not exist, is not one without an index', () => {
  const nothing = aMeasurement({ plan: aPlan({ text: 'EOF', indexes: [], scansCollection: false }) })
  expect(judgement('toUseIndex', nothing, [])).toSay('index-of-missing-collection')
  const without = aMeasurement({ plan: aPlan({ text: 'FETCH', indexes: [], scansCollection: false }) })
  expect(judgement('toUseIndex', without, [])).toSay('index-not-used', { plan: 'FETCH' })
})

test('a plan that the server does not report as a whole meets no expectation', () => {
  const why = 'the server does not report what $graphLookup examines'
  const unknown = aMeasurement({ plan: aPlan({ scansCollection: null, figures: why }) })
  expect(judgement('toUseIndex', unknown, [])).toSay('index-use-unknown', { why })
  expect(judgement('toExamineAtMost', unknown, [1000])).toSay('examined-unknown', { why })
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

const series = Symbol('series')

const comparedRates = (factor: number, of = series): Measurement => ({
  ...aMeasurement({ rounds: [1000, 1100, 900, 1050, 950, 1000].map((rate) => ({ callsPerSecond: rate * factor })) }),
  series: of,
})

test('no slower than another: by the verdict of a comparison, paired where both were measured in turn', () => {
  const before = { ...comparedRates(1), name: 'before' }
  expect(verdict('toBeNoSlowerThan', comparedRates(0.7), [before])).toBe('missed')
  expect(verdict('toBeNoSlowerThan', comparedRates(1.3), [before])).toBe('holds')
  expect(verdict('toBeNoSlowerThan', comparedRates(0.98), [before])).toBe('holds')
  const percentLower = { now: 700, before: 1000, percent: 30 }
  expect(judgement('toBeNoSlowerThan', comparedRates(0.7), [before])).toSay('slower-than', percentLower)
})

test('of what was measured in turn, a slow machine explains nothing: both sides met it', () => {
  const slow = { ...comparedRates(0.8), machineSlowerPercent: 15 }
  const apart = comparedRates(1, Symbol('other'))
  expect(verdict('toBeNoSlowerThan', slow, [comparedRates(1)])).toBe('missed')
  expect(verdict('toBeNoSlowerThan', slow, [apart])).toBe('cannot tell')
  expect(verdict('toBeNoSlowerThan', { ...slow, machineSlowerPercent: 0 }, [apart])).toBe('missed')
  expect(verdict('toBeNoSlowerThan', { ...comparedRates(0.3), machineSlowerPercent: 15 }, [apart])).toBe('missed')
})

test('a machine that has become slower explains no more than its own share', () => {
  const then = { ...comparedRates(1, Symbol('other')), machineSpeed: 120 }
  expect(verdict('toBeNoSlowerThan', comparedRates(0.8), [then])).toBe('cannot tell')
  expect(judgement('toBeNoSlowerThan', comparedRates(0.1), [then])).toSay('slower-than-machine-explains')
})

test('slower although the machine has become faster is slower', () => {
  const then = { ...comparedRates(1, Symbol('other')), machineSpeed: 80 }
  expect(judged('toBeNoSlowerThan', comparedRates(0.8), [then])).toMatchObject({ pass: false, notes: [] })
  expect(judgement('toBeNoSlowerThan', comparedRates(0.8), [then])).toSay('slower-on-faster-machine')
})

const needing = (work: Parameters<typeof someWork>[0]): Measurement => aMeasurement({ work: someWork(work) })

test('each limit on the work of a call is judged exactly, and what is not known does not pass', () => {
  const limits = { docsExamined: 20, keysExamined: 20, bytesReturned: 2000, commands: 1, roundTrips: 1 }
  expect(verdict('toNeedAtMost', needing({}), [limits])).toBe('holds')
  const message = (work: Parameters<typeof needing>[0], given: Partial<typeof limits> = limits) =>
    judge('toNeedAtMost', needing(work), [given]).message()
  expect(message({ docsExamined: 100, roundTrips: 2 })).toSay('work-above-limits', { documents: 100, roundTrips: 2 })
  expect(message({ keysExamined: null })).toSay('work-above-limit-unknown')
  expect(message({}, { commands: 0 })).toSay('work-above-limit-of-0')
  expect(verdict('toNeedAtMost', untimed, [limits])).toBe('holds')
})

const limitedTo = (limits: object) => () => judge('toNeedAtMost', needing({}), [limits])

test('a limit on work that is no limit is refused', () => {
  expect(limitedTo({ docsExamind: 20 })).toSay('work-limit-wrong', { limit: '"docsExamind": 20' })
  expect(limitedTo({ commands: 'one' })).toSay('work-limit-wrong', { limit: '"commands": "one"' })
  expect(limitedTo({})).toSay('work-limit-wrong', { limit: 'nothing' })
})

const withCpu = (cpuUs: number, of = series): Measurement => ({
  ...aMeasurement({ rounds: [1, 1.02, 0.98, 1.01, 0.99, 1].map((factor) => ({ cpuUs: cpuUs * factor })) }),
  series: of,
})

test('CPU time is judged over rounds, and as other times where the machine is slow', () => {
  expect(verdict('toNeedAtMost', withCpu(200), [{ cpuUs: 250 }])).toBe('holds')
  const cpuAndCommands = [{ cpuUs: 250, commands: 1 }] as const
  expect(judgement('toNeedAtMost', withCpu(300), cpuAndCommands)).toSay('cpu-above-limit', { cpuUs: 300, limit: 250 })
  expect(verdict('toNeedAtMost', { ...withCpu(300), machineSlowerPercent: 20 }, [{ cpuUs: 250 }])).toBe('cannot tell')
  expect(verdict('toNeedAtMost', { ...withCpu(300), machineSlowerPercent: 20 }, [{ cpuUs: 200 }])).toBe('missed')
  expect(verdict('toNeedAtMost', untimed, [{ cpuUs: 1 }])).toBe('not timed')
  expect(verdict('toDoNoMoreWorkThan', withCpu(300), [withCpu(200)])).toBe('holds')
  expect(verdict('toDoNoMoreWorkThan', withCpu(300), [withCpu(200), { cpuPercent: 20 }])).toBe('missed')
  expect(verdict('toDoNoMoreWorkThan', withCpu(300), [withCpu(200), { cpuPercent: 60 }])).toBe('holds')
})

test('reading 100 documents instead of 20 is found, within a percentage and on a busy machine too', () => {
  const twenty = needing({})
  const hundred = { ...needing({ docsExamined: 100, keysExamined: 100, docsReturned: 100 }), machineSlowerPercent: 60 }
  expect(verdict('toExamineAtMost', hundred, [1])).toBe('holds')
  expect(verdict('toDoNoMoreWorkThan', hundred, [twenty])).toBe('missed')
  const message = judge('toDoNoMoreWorkThan', hundred, [twenty, { percent: 300 }]).message()
  expect(message).toSay('more-work-than', { now: 100, before: 20, limit: 300 })
  expect(verdict('toDoNoMoreWorkThan', hundred, [twenty, { percent: 400 }])).toBe('holds')
  expect(verdict('toDoNoMoreWorkThan', twenty, [hundred])).toBe('holds')
  expect(verdict('toDoNoMoreWorkThan', { ...untimed, work: hundred.work }, [twenty])).toBe('missed')
})

test('keys of an index that spares documents are no more work', () => {
  const scan = needing({ docsExamined: 1000, keysExamined: 0 })
  expect(verdict('toDoNoMoreWorkThan', needing({}), [scan])).toBe('holds')
  expect(verdict('toDoNoMoreWorkThan', needing({ keysExamined: 2000 }), [scan])).toBe('missed')
})

test('work that is not known on one side is not compared', () => {
  const unknown = needing({ docsExamined: null })
  expect(judge('toDoNoMoreWorkThan', unknown, [needing({})], quietly).message()).toSay('work-not-comparable')
  expect(verdict('toDoNoMoreWorkThan', needing({}), [unknown])).toBe('holds')
  expect(verdict('toDoNoMoreWorkThan', needing({}), [{ ...unknown, work: null }])).toBe('cannot tell')
})

test('a difference that may be smaller than what matters is no alarm', () => {
  // 12 % in the middle, and by the interval from below 5 %.
  const [now, before] = [ratesOf(1000, 890, 760, 980, 800, 850), ratesOf(1000, 1000, 1000, 1000, 1000, 1000)]
  const { pass, notes } = judged('toBeNoSlowerThan', { ...now, series }, [{ ...before, series }])
  expect(pass).toBe(true)
  expect(notes).toSay('slower-perhaps')
})

test('what was not measured in turn is not paired, and the message names the way to do so', () => {
  // The noise of rounds is as large as the difference.
  const { pass, notes } = judged('toBeNoSlowerThan', comparedRates(0.93), [comparedRates(1, Symbol('other'))])
  expect(pass).toBe(true)
  expect(notes).toSay('slower-not-told-unpaired', { now: 930, before: 1000 })
})

const latencies = (factor: number): Measurement => ({
  ...aMeasurement({ rounds: [1, 1.1, 0.9, 1.05, 0.95, 1].map((ms) => ({ meanMs: ms * factor })) }),
  load: { ratePerSecond: 100 },
  series,
})

test.each<[string, Measurement, string, string]>([
  [
    'a measurement with another load',
    { ...comparedRates(1), load: { workers: 4 } },
    'cannot tell',
    'not-comparable-other-load',
  ],
  [
    'one that was made on the machine in another state',
    { ...comparedRates(1, Symbol('other')), machineSpeed: 120 },
    'cannot tell',
    'not-comparable-slower-machine',
  ],
  ['one that was not timed', untimed, 'not timed', 'not-comparable-untimed'],
  ['one without successful calls', comparedRates(0), 'cannot tell', 'not-comparable-no-calls'],
])('with %s there is no verdict', (_, other, expected, code) => {
  expect(verdict('toBeNoSlowerThan', comparedRates(1), [other])).toBe(expected)
  expect(judgement('toBeNoSlowerThan', comparedRates(1), [other])).toSay(code)
})

test('open loops are compared by their mean latency', () =>
  expect(judgement('toBeNoSlowerThan', latencies(2), [latencies(1)])).toSay('latency-higher'))

test('a message has the figures and the latencies as a histogram', () => {
  const measurement = aMeasurement({ rounds: Array.from({ length: 6 }, () => ({ p99Ms: 20 })), p99Ms: 20 })
  expect(judge('toHaveP99Below', measurement, [10]).message()).toSay('p99-above-limit', { p99: 20, limit: 10 })
})
