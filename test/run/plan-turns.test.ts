import { expect, test } from 'vitest'
import { planTurns, scheduleTurns } from '../../src/run/turns.ts'
import { load } from '../fakes/a-spec.ts'
import { fakeResult, fakeVariant } from '../fakes/fake-result.ts'

const spec = (startUpRuns: number) => load({ repeat: { times: 3, startUpRuns } })

/** Three runs of one row, the first of them a start-up run. */
function earlier(...last: readonly Parameters<typeof fakeVariant>[0][]) {
  const variants = [
    fakeVariant({ run: 1, startUp: true }),
    fakeVariant({ run: 2 }),
    ...last.map((each) => fakeVariant({ run: 3, ...each })),
  ]
  return fakeResult({ variants, spec: { hash: spec(1).hash, repeat: { times: 3, startUpRuns: 1 } } })
}

const runsOf = (kept: readonly { readonly run: number; readonly startUp: boolean }[]) =>
  kept.map(({ run, startUp }) => `${run}${startUp ? ' start-up' : ''}`)

test('a run that was not done is run again', () => {
  const { turns, kept, isKept } = planTurns(spec(1), { resume: earlier({ status: 'aborted' }) })
  expect(runsOf(kept)).toEqual(['1 start-up', '2'])
  expect(runsOf(turns.filter((turn) => !isKept(turn)))).toEqual(['3'])
})

test('a result with more runs than are asked for is refused, and not cut short', () => {
  const given = { resume: earlier({}), repeat: 2 }
  expect(() => planTurns(spec(1), given)).toSay('resumed-more-runs', { has: 3, left: 2 })
})

const keptWith = (startUpRuns: number) => runsOf(planTurns(spec(startUpRuns), { resume: earlier({}) }).kept)

test('which of the kept runs are start-up runs is what the spec says now', () => {
  expect(keptWith(0)).toEqual(['1', '2', '3'])
  expect(keptWith(2)).toEqual(['1 start-up', '2 start-up', '3'])
})

test('a result of other work is refused', () => {
  expect(() => planTurns(spec(1), { resume: fakeResult() })).toSay('resumed-other-spec')
})

test('a number of runs that is not whole is refused', () => {
  expect(() => planTurns(spec(0), { repeat: 1.5 })).toSay('runs-not-whole', { runs: 1.5 })
})

test('a turn has its place in the whole run, and the row that comes after it', () => {
  const plan = planTurns(load({ variants: [{ label: 'a' }, { label: 'b' }], repeat: { times: 2 } }), {})
  const scheduled = scheduleTurns(plan)
  expect(scheduled.map(({ at }) => `${at.number}/${at.of}`)).toEqual(['1/4', '2/4', '3/4', '4/4'])
  expect(scheduled.map(({ later }) => later?.label)).toEqual([
    ...plan.turns.slice(1).map(({ row }) => row.label),
    undefined,
  ])
})

test('--repeat replaces the number of runs', () => {
  expect(planTurns(spec(1), { repeat: 6 }).repeat).toEqual({ times: 6, startUpRuns: 1 })
})
