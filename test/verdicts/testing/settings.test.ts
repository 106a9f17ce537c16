import { expect, test } from 'vitest'
import { type MeasureOptions, validateSettings, budgetIn } from '../../../src/verdicts/testing/settings.ts'

test('options have defaults, of which some come from the depth', () => {
  expect(validateSettings({}, {})).toEqual({
    load: { workers: 1 },
    strict: false,
    seed: 1,
    timing: { rounds: 6, seconds: 0.25, warmupSeconds: 0.25 },
  })
  expect(validateSettings({ rounds: 8 }, { MONGO_PERF: 'full' }).timing).toEqual({
    rounds: 8,
    seconds: 1,
    warmupSeconds: 1,
  })
})

test('an option goes before the variable, and a reason names the one that turned measuring off', () => {
  expect(validateSettings({ depth: 'quick' }, { MONGO_PERF: 'off' }).timing).toMatchObject({ rounds: 6 })
  expect(validateSettings({}, { MONGO_PERF: 'off' }).timing).toEqual({ notTimed: 'MONGO_PERF is "off"' })
  expect(validateSettings({ depth: 'off' }, {}).timing).toEqual({ notTimed: 'its depth is "off"' })
})

const strict = (options: MeasureOptions, given?: string) =>
  validateSettings(options, { MONGO_PERF_STRICT: given }).strict

test('the variable makes all measurements strict that do not say otherwise', () => {
  expect([strict({}, '1'), strict({}, '0'), strict({}), strict({ strict: false }, '1')]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test.each<[MeasureOptions, string]>([
  [{ load: { workers: 0 } }, '"load.workers" must be a whole number from 1 to 10000, not 0'],
  [{ load: { workers: 1.5 } }, '"load.workers" must be a whole number from 1 to 10000, not 1.5'],
  [{ load: { ratePerSecond: 0 } }, '"load.ratePerSecond" must be a number above 0, not 0'],
  [{ load: { ratePerSecond: 5, maxInFlight: 0 } }, '"load.maxInFlight" must be a whole number from 1 to 10000, not 0'],
  [{ load: {} as never }, '"load" has either "workers" or "ratePerSecond"'],
  [{ load: { workers: 1, ratePerSecond: 5 } }, '"load" has either "workers" or "ratePerSecond"'],
  [{ rounds: 0 }, '"rounds" must be a whole number from 1 to 1000, not 0'],
  [{ seconds: 0 }, '"seconds" must be a number above 0, not 0'],
  [{ seconds: '1' as never }, '"seconds" must be a number above 0, not "1"'],
  [{ warmupSeconds: -1 }, '"warmupSeconds" must be a number of at least 0, not -1'],
  [{ seed: 0.5 }, '"seed" must be a whole number'],
  [{ depth: 'slow' as never }, 'The option "depth" is "slow", and can be off, quick, full'],
  [{ second: 1 } as never, 'There is no option "second"'],
])('%j is refused', (options, message) => {
  expect(() => validateSettings(options, {})).toThrow(message)
})

test('variables that cannot be read are named', () => {
  expect(() => validateSettings({}, { MONGO_PERF: 'on' })).toThrow('The variable MONGO_PERF is "on", and can be')
  expect(() => validateSettings({}, { MONGO_PERF_STRICT: 'yes' })).toThrow(
    'The variable MONGO_PERF_STRICT is "yes", and can be',
  )
  expect(() => budgetIn({ MONGO_PERF_BUDGET: '1m' })).toThrow('The variable MONGO_PERF_BUDGET is "1m"')
  expect(() => budgetIn({ MONGO_PERF_BUDGET: '' })).toThrow('must be a number of seconds above 0')
  expect([budgetIn({ MONGO_PERF_BUDGET: '1.5' }), budgetIn({})]).toEqual([1.5, Infinity])
})
