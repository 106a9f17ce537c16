import { expect, test } from 'vitest'
import { type PhaseResult, type VariantResult } from '../../src/results/schema.ts'
import { type Turn } from '../../src/run/turns/order.ts'
import { isWhole, planTurns } from '../../src/run/turns/plan-turns.ts'
import { scheduleTurns } from '../../src/run/turns/schedule-turns.ts'
import { withRun } from '../../src/run/turns/slow-runs.ts'
import { type SpecRow } from '../../src/spec/fold/read-rows.ts'
import { load } from '../fakes/a-spec.ts'
import { fakeMember, fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'

const labels = ['a', 'b', 'c'] as const

const spec = (repeat: object) => load({ variants: labels.map((label) => ({ label })), repeat })

/** How fast the machine is in each attempt at a run; 100 where nothing is said. */
type Speeds = Readonly<Record<string, readonly number[]>>

/** A machine that is half as fast needs twice the CPU time for the same. */
function around(speed: number): PhaseResult {
  const slower = 100 / speed
  const { client } = fakePhase()
  const members = [fakeMember({ totals: { processCpuUs: 1_000_000 * slower } })]
  return fakePhase({ wallSeconds: 10, client: { ...client, cpuPercent: 20 * slower }, members })
}

const slowTwice: Speeds = { a2: [80], b1: [70], b3: [85] }

function runOn(speeds: Speeds, { row, run, startUp, attempt }: Turn<SpecRow>): VariantResult {
  const speed = speeds[`${row.label}${run}`]?.[attempt - 1] ?? 100
  return fakeVariant({ row: row.index, label: row.label, run, startUp, attempt, phases: [around(speed)] })
}

/** Runs everything that is scheduled, without a server. */
function play(repeat: object, speeds: Speeds, resumed: readonly VariantResult[] = [], seed?: number) {
  const loaded = seed === undefined ? spec(repeat) : { ...spec(repeat), seed }
  const resume = fakeResult({ variants: [...resumed], spec: { hash: loaded.hash } })
  const plan = planTurns(loaded, resumed.length === 0 ? {} : { resume })
  let variants: readonly VariantResult[] = plan.kept
  const done: string[] = []
  const places: string[] = []
  for (const { turn, at, later } of scheduleTurns(plan, () => ({ variants: [...variants] }))) {
    if (plan.isKept(turn)) continue
    done.push(`${turn.row.label}${turn.run}${turn.again === null ? '' : ' again'}`)
    places.push(`${at.number}/${at.of}${later === undefined ? '' : ` then ${later.label}`}`)
    variants = withRun(variants, runOn(speeds, turn), turn.again)
  }
  const again = done.filter((text) => text.endsWith('again'))
  return { plan, variants, done, again, places }
}

const six = { times: 6 }

test('without slow runs nothing is run again', () => {
  const { done, plan, variants } = play(six, {})
  expect(done).toHaveLength(18)
  expect(isWhole(plan, variants)).toBe(true)
})

test('after the planned rounds each row repeats its slowest run, then the next', () => {
  const { done, again, variants } = play(six, slowTwice)
  expect(done.slice(0, 18).some((text) => text.endsWith('again'))).toBe(false)
  expect(again.slice(0, 2).toSorted()).toEqual(['a2 again', 'b1 again'])
  expect(again.slice(2)).toEqual(['b3 again'])
  const excluded = variants.flatMap(({ label, run, attempt, excludedBecause }) =>
    excludedBecause === null ? [] : [`${label}${run}.${attempt} ${excludedBecause.slice(0, 11)}`],
  )
  expect(excluded.toSorted()).toEqual(['a2.1 25 % more C', 'b1.1 43 % more C', 'b3.1 18 % more C'])
})

test('a row is given up after two more runs, be it of one round or of two', () => {
  const slow = Array.from({ length: 9 }, () => 50)
  expect(play(six, { a1: slow }).again).toEqual(['a1 again', 'a1 again'])
  expect(play(six, { a1: slow, a2: [40, 60], a3: slow }).again).toHaveLength(2)
})

test('by default one of three runs may be run again, and none of fewer', () => {
  const slow = { a2: [50], a3: [50] }
  const one = { a2: [50] }
  expect(play({ times: 2 }, one).again).toEqual([])
  expect(play({ times: 3 }, one).again).toHaveLength(1)
  expect(play({ times: 3, startUpRuns: 1 }, one).again).toEqual([])
  expect(play({ times: 6, startUpRuns: 1 }, slow).again).toHaveLength(1)
  expect(play({ times: 12 }, { ...slow, a4: [50] }).again).toHaveLength(2)
})

test('the spec may ask for more, fewer or none', () => {
  const slow = { a2: [50], a3: [50], a4: [50] }
  expect(play({ times: 8, rerunSlow: 3 }, slow).again).toHaveLength(3)
  expect(play({ times: 2, rerunSlow: 1 }, { a2: [50] }).again).toEqual(['a2 again'])
  expect(play({ times: 6, rerunSlow: 0 }, slow).again).toEqual([])
})

test('--repeat counts as "times" does', () => {
  const few = planTurns(spec({ times: 2 }), { repeat: 6 })
  expect(few.repeat).toEqual({ times: 6, startUpRuns: 0, rerunSlow: 2 })
})

test('start-up runs are not run again', () => {
  expect(play({ times: 7, startUpRuns: 1 }, { a1: [50] }).again).toEqual([])
})

test('rounds of slow runs are in seeded order', () => {
  const slow: Speeds = { a1: [50], b1: [50], c1: [50] }
  const orders = Array.from({ length: 8 }, (_, seed) => play(six, slow, [], seed).again.join())
  expect(new Set(orders).size).toBeGreaterThan(1)
  expect(play(six, slow, [], 3).again.join()).toBe(orders[3])
})

test('positions go on from the plan, and name what follows in the round', () => {
  const { places, again } = play(six, { a2: [50], b1: [50] })
  expect(places[17]).toBe('18/18')
  expect(places.slice(18)).toEqual([`19/20 then ${again[1]?.slice(0, 1)}`, '20/20'])
})

const asCounted = (run: VariantResult): VariantResult => ({ ...run, excludedBecause: null })
const asInterrupted = (run: VariantResult): VariantResult => ({
  ...run,
  status: 'aborted',
  excludedBecause: 'it did not finish',
})

test('a resumed run keeps what was run again, and goes on with what is left', () => {
  const first = play(six, slowTwice)
  const once = play(six, slowTwice, first.variants)
  expect(once.done).toEqual([])
  expect(once.plan.rowsToRun).toEqual([])
  expect(once.variants).toEqual(first.variants)

  const untilFirst = first.variants.filter(({ attempt, label }) => attempt === 1 || label === 'a')
  const marked = untilFirst.map((run) => (run.label === 'b' ? asCounted(run) : run))
  const left = play(six, slowTwice, marked)
  expect(left.done).toEqual(['b1 again', 'b3 again'])
  expect(left.plan.rowsToRun.map(({ label }) => label)).toEqual(['b'])
})

test('a run that was interrupted while it was run again is not whole, and is run again', () => {
  const { plan, variants } = play(six, { a2: [50] })
  const interrupted = variants.map((run) => (run.attempt === 2 ? asInterrupted(run) : asCounted(run)))
  expect(isWhole(plan, interrupted)).toBe(false)
  expect(play(six, {}, interrupted).done).toEqual(['a2 again'])
})
