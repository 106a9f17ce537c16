import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { type Phase, type SpecInput } from '../../../src/spec/spec-input.ts'
import { type AbOptions } from '../../../src/verdicts/ab/ab.ts'
import { chooseSideOrder } from '../../../src/verdicts/ab/alternate.ts'
import { type RunSide } from '../../../src/verdicts/ab/run-side.ts'
import { choosePairs } from '../../../src/verdicts/ab/run-turns.ts'
import { phaseWith } from '../../fakes/compared-results.ts'
import { fakeVariant } from '../../fakes/fake-result.ts'
import { compareSides, isB, runAt, spec } from './fake-sides.ts'

const read: Phase = {
  name: 'read',
  load: { kind: 'closed', workers: { '@param': 'workers' } },
  stopAfter: { seconds: 5 },
  operations: [{ kind: 'findOne', filter: { _id: 5 } }],
}
const timed: SpecInput = { ...spec, phases: [read] }

/** Two sides of a spec that can stand beside each other. Both are ready after 20 s, so a round has 20 pairs where the budget holds them. */
const sides: Partial<AbOptions> = { a: { spec: timed }, b: { spec: timed, set: { workers: 8 } } }

/** Sides of so many operations a second in each turn, with the same noise every time, of pairs and of starts. */
function turnsAt(rates: { readonly a: number; readonly b: number }, noise = 0.01, ofStart = 0): RunSide {
  let [turns, starts] = [0, 0]
  return async (run, { waitForTurn }) => {
    const ofB = isB(run) ? 1 + ofStart * Math.sin(starts++ * 2) : 1
    const phases = []
    for (let turn = await waitForTurn?.(); turn !== undefined; turn = await waitForTurn?.())
      phases.push(phaseWith((isB(run) ? rates.b : rates.a) * ofB * (1 + noise * Math.sin(turns++ * 2.4))))
    return { ...runAt(1000), variants: [fakeVariant({ phases })] }
  }
}

describe('turns', () => {
  test('are rounds of as many pairs each, in the order of the seed, until the throughput is clear', async () => {
    await using done = await compareSides(turnsAt({ a: 1000, b: 900 }), { ...sides, budgetSeconds: 600 })
    expect(done.outcome).toMatchObject({
      ended: 'clear',
      comparison: {
        rounds: ['sequential turns'],
        turns: { rounds: 6, pairs: 6 * 20, seconds: 0.5, leadInSeconds: 0.05 },
        figures: [{ verdict: { kind: 'lower', effect: 'worse' } }],
      },
    })
    expect(done.ran).toHaveLength(12)
    const [a, b] = [await done.stored('a'), await done.stored('b')]
    expect(a.variants.map(({ run }) => run)).toEqual(Array.from({ length: 6 * 20 }, (_, index) => index + 1))
    expect(a.pairing).toMatchObject({
      first: a.variants.map(({ run }) => chooseSideOrder(7, run)[0]),
      rounds: 'until clear',
      turns: { rounds: a.variants.map((_, index) => 1 + Math.floor(index / 20)) },
    })
    expect(b.pairing).toMatchObject({ id: a.pairing?.id, side: 'b', turns: a.pairing?.turns })
  })

  test('are stored so that their comparison can be made again, and says how much was measured', async () => {
    await using done = await compareSides(turnsAt({ a: 1000, b: 900 }), { ...sides, budgetSeconds: 600 })
    const options = { measures: ['opsPerSecond'], differences: ['spec', 'load'] as const }
    const again = compareResults(await done.stored('a'), await done.stored('b'), options)
    expect(again.figures).toEqual(done.outcome?.comparison?.figures)
    expect(again.answer).toSay('ab-turns-answer')
    expect(again.turns).toEqual({ rounds: 6, pairs: 120, seconds: 0.5, leadInSeconds: 0.05 })
  })

  test('leave a database of each side on a server that was not started for them', async () => {
    const there: SpecInput = { ...timed, target: { kind: 'existing' } }
    await using done = await compareSides(turnsAt({ a: 1000, b: 900 }), {
      a: { spec: there },
      b: { spec: there, set: { workers: 8 } },
      uris: { MONGO_PERF_URI: 'mongodb://127.0.0.1:1/' },
    })
    expect(done.outcome?.left).toEqual(['mongoperf_reads_a', 'mongoperf_reads_b'])
    await using ofOurs = await compareSides(turnsAt({ a: 1000, b: 900 }), sides)
    expect(ofOurs.outcome?.left).toEqual([])
  })

  test('are judged by a last look where the budget is spent before it is clear', async () => {
    await using done = await compareSides(turnsAt({ a: 1000, b: 1000 }, 0.01, 0.1), {
      ...sides,
      budgetSeconds: 200,
    })
    expect(done.outcome).toMatchObject({ ended: 'budget', comparison: { rounds: ['budgeted turns'] } })
    expect((await done.stored('b')).pairing?.rounds).toBe('budget spent')
  })

  test('are a fixed number of rounds where few fit into the budget, at least three', async () => {
    await using done = await compareSides(turnsAt({ a: 1000, b: 500 }), { ...sides, budgetSeconds: 10 })
    expect(done.outcome).toMatchObject({
      ended: 'rounds',
      comparison: { rounds: ['turns'], turns: { rounds: 3 }, figures: [{ verdict: { kind: 'lower' } }] },
    })
    expect(done.events.map(({ kind, of }) => `${kind} ${of}`)).toEqual(['turns 3', 'turns 3', 'turns 3'])
  })

  test('end with the budget where starts differ by more than the sides', async () => {
    const uneven = turnsAt({ a: 1000, b: 1030 }, 0.01, 0.2)
    await using done = await compareSides(uneven, { ...sides, budgetSeconds: 200 })
    expect(done.outcome).toMatchObject({
      ended: 'budget',
      comparison: { figures: [{ verdict: { kind: 'cannot tell' }, a: expect.objectContaining({ length: 10 }) }] },
    })
  })

  test('a side that fails ends the other one, and leaves the rounds before', async () => {
    const whole = turnsAt({ a: 1000, b: 900 })
    let starts = 0
    await using done = await compareSides(
      async (run, control) => {
        if (isB(run) && ++starts === 2) throw new Problem('no-server', 'there is no mongod', { hint: 'Install one.' })
        return await whole(run, control)
      },
      { ...sides, budgetSeconds: 600 },
    )
    expect(done.error).toSay('ab-side-failed-later', { side: 'B', round: 2 })
    expect((await done.stored('a')).variants).toHaveLength(20)
  })

  test('an abort keeps the rounds that are done', async () => {
    const stop = new AbortController()
    const whole = turnsAt({ a: 1000, b: 900 })
    let starts = 0
    await using done = await compareSides(
      async (run, control) => {
        if (++starts > 2) stop.abort()
        return await whole(run, control)
      },
      { ...sides, signal: stop.signal },
    )
    expect(done.outcome).toMatchObject({
      ended: 'aborted',
      comparison: { figures: [{ verdict: { kind: 'no verdict', moreRounds: 2 } }] },
    })
    expect((await done.stored('b')).variants).toHaveLength(3)
  })

  test('an abort while servers start, which fails for it, leaves nothing to compare', async () => {
    const stop = new AbortController()
    await using done = await compareSides(
      async () => {
        stop.abort()
        throw new Problem('no-server', 'its start was stopped', { hint: 'Run again.' })
      },
      { ...sides, signal: stop.signal },
    )
    expect(done.outcome).toEqual({ ended: 'aborted', a: null, b: null, comparison: null, left: [] })
  })

  test('are refused with a number of rounds', async () => {
    await using done = await compareSides(turnsAt({ a: 1, b: 1 }), { ...sides, budgetSeconds: 60, rounds: 6 })
    expect(done.error).toSay('ab-rounds-and-budget')
    expect(done.ran).toEqual([])
  })
})

test.each([
  ['twice as long as the set-up took', 3, 120, 5],
  ['as many as six rounds need at least', 0.5, 60, 2],
  ['as many as fit into a sixth of the budget', 12, 90, 2],
  ['as many as fit into a third of it', 12, 60, 6],
  ['as many as three rounds need, whatever the budget', 30, 60, 3],
  ['twenty at most', 100, 6000, 20],
])('a round has %s: ready after %d s of %d s, %d pairs', (_what, ready, budget, pairs) =>
  expect(choosePairs(ready, budget)).toBe(pairs),
)
