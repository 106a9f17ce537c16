import { describe, expect, test } from 'vitest'
import { describePlan } from '../../../src/cli/actions/describe-plan.ts'
import { type JsonObject } from '../../../src/core/json.ts'
import { aPhase, load, oneRow, problemsOf } from '../../fakes/a-spec.ts'

const withLoad = (given: JsonObject, phase: JsonObject = {}) => ({
  phases: [aPhase({ load: { kind: 'open', ...given }, ...phase })],
})
const inStages = (...stages: readonly JsonObject[]) => withLoad({ stages: [...stages] }, { stopAfter: null })

const level = { seconds: 10, ratePerSecond: 100 }
const unmeasured = { ...level, measured: false }

test('has Poisson arrivals and 256 places by default', () =>
  expect(oneRow(withLoad({ ratePerSecond: 5 })).spec.phases[0]?.load).toEqual({
    kind: 'open',
    ratePerSecond: 5,
    arrivals: 'poisson',
    maxInFlight: 256,
  }))

test('its stages may be computed, and left out by a condition', () => {
  const { spec } = oneRow({
    parameters: { peak: 200, long: false },
    ...inStages(
      { when: { '@param': 'long' }, ...unmeasured },
      { seconds: 10, ratePerSecond: { '@divide': [{ '@param': 'peak' }, 4] }, toRatePerSecond: { '@param': 'peak' } },
    ),
  })
  expect(spec.phases[0]?.load).toMatchObject({
    stages: [{ seconds: 10, ratePerSecond: 50, toRatePerSecond: 200, measured: true }],
  })
})

describe('issues of it are reported', () => {
  test.each<[string, ReturnType<typeof withLoad>, string]>([
    ['neither rate nor stages', withLoad({}), 'open-load-without-rate'],
    ['both', withLoad({ ratePerSecond: 5, stages: [level] }, { stopAfter: null }), 'open-load-without-rate'],
    ['a rate without an end', withLoad({ ratePerSecond: 5 }, { stopAfter: null }), 'open-load-without-end'],
    ['stages beside another end', withLoad({ stages: [level] }), 'open-load-two-ends'],
    [
      'stages beside a warm-up',
      withLoad({ stages: [level] }, { stopAfter: null, warmup: { seconds: 1 } }),
      'open-load-two-warm-ups',
    ],
    ['a rate of 0', withLoad({ ratePerSecond: 0 }), 'open-load-rate-zero'],
    ['no place', withLoad({ ratePerSecond: 5, maxInFlight: 0 }), 'open-load-no-place'],
    ['other arrivals', withLoad({ ratePerSecond: 5, arrivals: 'bursts' }), 'open-load-arrivals'],
    ['more threads than places', withLoad({ ratePerSecond: 5, maxInFlight: 2, threads: 3 }), 'open-load-threads'],
    ['workers', withLoad({ ratePerSecond: 5, workers: 2 }), 'open-load-workers'],
    ['nothing measured', inStages(unmeasured), 'open-load-unmeasured'],
    ['no calls', inStages({ seconds: 1, ratePerSecond: 0 }), 'open-load-no-calls'],
    ['a hole in what is measured', inStages(unmeasured, level, unmeasured, level), 'open-load-hole'],
    ['a falling rate below 0', inStages({ ...level, toRatePerSecond: -1 }), 'open-load-rate-negative'],
  ])('%s', (_, parts, code) => expect(problemsOf(parts)).toSay(code))

  test('beside what else is wrong with the phase', () => {
    const parts = withLoad({ ratePerSecond: 5, arrivals: 'bursts' }, { stopAfter: null, deadlineSeconds: 'long' })
    expect(problemsOf(parts).map((line) => line.split(': ')[0])).toEqual(
      expect.arrayContaining(['phases[0].load.arrivals', 'phases[0].stopAfter', 'phases[0].deadlineSeconds']),
    )
  })
})

test.each([
  [
    withLoad({ ratePerSecond: 50, maxInFlight: 20 }),
    'phase read: 50 operations/s, at most 20 in flight, 10 operations: findOne',
  ],
  [
    inStages(unmeasured, level),
    'phase read: 100 operations/s, at most 256 in flight over 100 connections, 10 seconds: findOne',
  ],
  [
    inStages({ ...unmeasured, toRatePerSecond: 0 }, { seconds: 20, ratePerSecond: 40, toRatePerSecond: 200 }),
    'phase read: 0 to 200 operations/s, at most 256 in flight over 100 connections, 20 seconds: findOne',
  ],
])('it is shown with the plan: %j', (parts, expected) => expect(describePlan(load(parts))).toContain(expected))
