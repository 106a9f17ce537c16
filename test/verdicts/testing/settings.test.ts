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
  expect(strict({}, '1')).toBe(true)
  expect([strict({}, '0'), strict({}), strict({ strict: false }, '1')]).toEqual([false, false, false])
})

test.each<[MeasureOptions, string, Readonly<Record<string, string | number>>?]>([
  [{ load: { workers: 0 } }, 'setting-out-of-range', { option: 'load.workers', given: 'not 0', most: 10_000 }],
  [{ load: { workers: 1.5 } }, 'setting-out-of-range', { option: 'load.workers', given: 'not 1.5', most: 10_000 }],
  [{ load: { ratePerSecond: 0 } }, 'setting-not-above-0', { option: 'load.ratePerSecond', given: 'not 0' }],
  [
    { load: { ratePerSecond: 5, maxInFlight: 0 } },
    'setting-out-of-range',
    { option: 'load.maxInFlight', given: 'not 0', most: 10_000 },
  ],
  [{ load: {} as never }, 'setting-load-unclear'],
  [{ load: { workers: 1, ratePerSecond: 5 } }, 'setting-load-unclear'],
  [{ rounds: 0 }, 'setting-out-of-range', { option: 'rounds', given: 'not 0', most: 1000 }],
  [{ seconds: 0 }, 'setting-not-above-0', { option: 'seconds', given: 'not 0' }],
  [{ seconds: '1' as never }, 'setting-not-above-0', { option: 'seconds', given: 'not "1"' }],
  [{ warmupSeconds: -1 }, 'setting-negative', { option: 'warmupSeconds', given: -1 }],
  [{ seed: 0.5 }, 'setting-seed-wrong', { given: 0.5 }],
  [{ depth: 'slow' as never }, 'setting-depth-unknown', { given: 'slow' }],
  [{ second: 1 } as never, 'setting-unknown', { option: 'second' }],
])('%j is refused', (options, code, data?) => expect(() => validateSettings(options, {})).toSay(code, data))

test('variables that cannot be read are named', () => {
  expect(() => validateSettings({}, { MONGO_PERF: 'on' })).toSay('variable-depth-unknown', { given: 'on' })
  expect(() => validateSettings({}, { MONGO_PERF_STRICT: 'yes' })).toSay('variable-strict-unknown', { given: 'yes' })
  for (const given of ['1m', ''])
    expect(() => budgetIn({ MONGO_PERF_BUDGET: given })).toSay('variable-budget-wrong', { given: `"${given}"` })
  expect([budgetIn({ MONGO_PERF_BUDGET: '1.5' }), budgetIn({})]).toEqual([1.5, Infinity])
})
