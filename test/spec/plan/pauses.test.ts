import { expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { type PhasePlan } from '../../../src/load/plan/plan.ts'
import { createShares } from '../../../src/load/plan/share.ts'
import { aPlan } from '../../fakes/a-plan.ts'
import { aPhase, problemsOf } from '../../fakes/a-spec.ts'

const thinking: JsonObject = { '@add': [18, { '@exponential': { mean: 12, max: 120 } }] }
const read = (pause: unknown, more: JsonObject = {}) =>
  ({ kind: 'findOne', filter: { _id: { '@key': {} } }, pause, ...more }) as JsonObject
const planWith = (operations: readonly JsonObject[]): PhasePlan => aPlan({ phases: [aPhase({ operations })] })
const quick = { kind: 'findOne', name: 'quick', filter: {} }

const refused = (pause: unknown, parts: JsonObject = {}, more: JsonObject = {}) =>
  problemsOf({ phases: [aPhase({ operations: [read(pause, more)], ...parts })] })

test('each call has a pause of its own, and an operation without one has none', () => {
  const plan = planWith([read(thinking), quick])
  const calls = plan.calls('measured')
  const pauses = Array.from({ length: 200 }, calls.next).map(
    ({ operation, number }) => [operation, calls.pauseMs?.(number) ?? -1] as const,
  )
  const drawn = pauses.flatMap(([operation, ms]) => (operation === 0 ? [ms] : []))
  expect(drawn.every((ms) => ms > 18_000 && ms < 138_000)).toBe(true)
  expect(new Set(drawn).size).toBe(drawn.length)
  expect(new Set(pauses.flatMap(([operation, ms]) => (operation === 1 ? [ms] : [])))).toEqual(new Set([0]))
})

test('the pause of a call is the same in every unit, and whoever asks when', () => {
  const plan = planWith([read(thinking), quick])
  const [alone, ...units] = [
    plan.calls('measured'),
    ...createShares(3).map((share) => plan.calls('measured', {}, share)),
  ]
  const numbers = Array.from({ length: 60 }, (_, i) => i)
  const pauses = numbers.map((n) => alone.pauseMs?.(n))
  for (const unit of units)
    expect(
      numbers
        .toReversed()
        .map((n) => unit.pauseMs?.(n))
        .toReversed(),
    ).toEqual(pauses)
})

test('pauses change neither the calls nor their digest', () => {
  const digestOf = (pause: unknown): string => {
    const calls = planWith([read(pause)]).calls('measured')
    for (let i = 0; i < 20; i++) calls.next()
    return calls.digest()
  }
  expect(digestOf(thinking)).toBe(digestOf(undefined))
  expect([planWith([quick]).pauses, planWith([quick]).calls('measured').pauseMs]).toEqual([false, undefined])
})

test('a pause that is none is refused before anything runs', () => {
  expect(refused({ '@string': { length: 3 } })).toSay('pause-no-number')
  expect(refused(-1)).toSay('pause-negative')
})
