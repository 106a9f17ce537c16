import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { type ArrivalTimes } from '../../../src/load/plan/arrival-times.ts'
import { type OpenLoadPlan, type PhasePlan } from '../../../src/load/plan/plan.ts'
import { aPlan } from '../../fakes/a-plan.ts'
import { aPhase } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

function planOf(phase: JsonObject, seed = 42): PhasePlan & { readonly load: OpenLoadPlan } {
  const plan = aPlan({ seed, phases: [phase] })
  const { load } = plan
  return load.kind === 'open' ? { ...plan, load } : fail('no open load')
}

const atRate = (load: JsonObject, phase: JsonObject = { stopAfter: { seconds: 10 } }): JsonObject =>
  aPhase({ load: { kind: 'open', ...load }, ...phase })

const inStages = (...stages: readonly JsonObject[]): JsonObject => atRate({ stages: [...stages] }, { stopAfter: null })

const all = (next: ArrivalTimes): readonly number[] => {
  const moments: number[] = []
  for (let ms = next(); ms !== undefined; ms = next()) moments.push(ms)
  return moments
}

const timesOf = (seed: number) => planOf(atRate({ ratePerSecond: 50 }), seed).load.times

describe('an open load at one rate', () => {
  test('lasts as long as the phase says', () => {
    const { load, workers, threads, warmup, stopAfter } = planOf(
      atRate({ ratePerSecond: 50, arrivals: 'constant' }, { warmup: { seconds: 2 }, stopAfter: { seconds: 10 } }),
    )
    expect({ workers, threads, warmup, stopAfter }).toEqual({
      workers: 256,
      threads: 1,
      warmup: { seconds: 2 },
      stopAfter: { seconds: 10 },
    })
    expect(load).toMatchObject({ arrivals: 'constant', maxInFlight: 256, ratePerSecond: 50, cooldown: undefined })
    expect([all(load.times('warm-up')).length, all(load.times('measured')).length]).toEqual([100, 500])
  })

  test('goes on until another limit of the phase is reached', () => {
    const { load, stopAfter } = planOf(atRate({ ratePerSecond: 1000 }, { stopAfter: { operations: 5 } }))
    expect(stopAfter).toEqual({ operations: 5 })
    const next = load.times('measured')
    expect(Array.from({ length: 1000 }, next)).not.toContain(undefined)
  })

  test('is drawn from the seed, and otherwise for the warm-up than for what is measured', () => {
    const first = all(timesOf(42)('measured'))
    expect(all(timesOf(42)('measured'))).toEqual(first)
    expect(all(timesOf(43)('measured'))).not.toEqual(first)
    expect(timesOf(42)('warm-up')()).not.toBe(first[0])
  })
})

describe('an open load in stages', () => {
  const up = { seconds: 10, ratePerSecond: 100, toRatePerSecond: 300, measured: false }
  const level = { seconds: 30, ratePerSecond: 300 }
  const further = { seconds: 10, ratePerSecond: 300, toRatePerSecond: 500 }
  const down = { seconds: 5, ratePerSecond: 500, toRatePerSecond: 0, measured: false }

  test('is warm-up, window and cool-down, by what is measured', () => {
    const { load, warmup, stopAfter } = planOf(inStages(up, level, further, down))
    expect({ warmup, stopAfter, cooldown: load.cooldown }).toEqual({
      warmup: { seconds: 10 },
      stopAfter: { seconds: 40 },
      cooldown: { seconds: 5 },
    })
    expect(load.ratePerSecond).toBe((30 * 300 + 10 * 400) / 40)
  })

  test.each([
    ['warm-up', 2000],
    ['measured', 13_000],
    ['cool-down', 1250],
  ] as const)('has its calls in the %s', (pass, calls) => {
    const stages = inStages(up, level, further, down)
    const { load } = planOf(atRate({ ...(stages['load'] as JsonObject), arrivals: 'constant' }, { stopAfter: null }))
    expect(all(load.times(pass))).toHaveLength(calls)
  })

  test('has neither warm-up nor cool-down where all is measured', () => {
    const { load, warmup, stopAfter } = planOf(inStages(level))
    expect({ warmup, stopAfter, cooldown: load.cooldown }).toEqual({
      warmup: undefined,
      stopAfter: { seconds: 30 },
      cooldown: undefined,
    })
  })
})
