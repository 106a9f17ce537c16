import { describe, expect, test } from 'vitest'
import { intervalsChart } from '../../../src/report/charts/intervals.ts'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { comparisonText } from '../../../src/report/comparison/text.ts'
import { type Result } from '../../../src/results/schema.ts'
import { type Pairing } from '../../../src/results/schema/pairing.ts'
import { resultWith } from '../../fakes/compared-results.ts'

/** A machine that loses a third of its speed in eight rounds, and B is 5 % slower in each of them. */
const drifting = [1000, 950, 905, 860, 815, 770, 730, 690]
const noise = [0.002, -0.001, 0.001, -0.002, 0.001, 0, -0.001, 0.001]

const side = (name: 'a' | 'b', rates: readonly number[], given: Partial<Pairing> = {}): Result => {
  const settings = name === 'a' ? [] : ['workers=8']
  const first = rates.map(() => 'a' as const)
  return resultWith({ '': rates }, { pairing: { id: 'one', side: name, settings, first, rounds: 'fixed', ...given } })
}

const a = side('a', drifting)
const slower = drifting.map((rate, round) => rate * 0.95 * (1 + (noise[round] ?? 0)))
const b = side('b', slower)
const measures = { measures: ['opsPerSecond'] }

const verdictOf = (one: Result, other: Result) => compareResults(one, other, measures).figures[0]?.verdict.kind

describe('the rounds of two sides', () => {
  test('are paired, so that a drift of the machine cancels', () => {
    expect(verdictOf(a, b)).toBe('lower')
    expect(verdictOf({ ...a, pairing: null }, { ...b, pairing: null })).toBe('cannot tell')
  })

  test('are paired in either direction', () => expect(verdictOf(b, a)).toBe('higher'))

  test.each([
    ['another comparison', side('b', slower, { id: 'other' })],
    ['the same side', side('a', slower)],
    ['a run of its own', { ...b, pairing: null }],
  ])('are not paired with those of %s', (_, other) =>
    expect(compareResults(a, other, measures)).toMatchObject({ rounds: ['unpaired'], settings: null }),
  )

  test('are matched by their numbers, and those of one side alone are left out', () => {
    const others = b.variants.filter(({ run }) => run !== 3).toReversed()
    const { figures, limits } = compareResults(a, { ...b, variants: others }, measures)
    expect(figures[0]?.a).toEqual(drifting.filter((_, index) => index !== 2))
    expect(figures[0]?.b[0]).toBeCloseTo(slower[0] ?? 0, -1)
    expect(limits).toHaveLine('comparison-limit-uneven-rounds', { ofA: 8, ofB: 7 })
  })

  test('are no values where no round is finished on both sides', () => {
    const [first, second] = [a.variants.slice(0, 1), b.variants.slice(1, 2)]
    const compare = () => compareResults({ ...a, variants: first }, { ...b, variants: second }, measures)
    expect(compare).toSay('comparison-of-no-round')
  })

  test('have no verdict below six', () => {
    const { answer } = compareResults(side('a', [1000, 990]), side('b', [900, 890]), measures)
    expect(answer).toSay('comparison-answer-few-rounds', { rounds: 6 })
  })

  test('may be of sides between which nothing differs, which is said', () => {
    const same = side('b', slower, { settings: [] })
    expect(compareResults(a, same, measures).limits).toHaveLine('comparison-limit-noise')
    expect(compareResults(a, b, measures).limits).toHaveLine('comparison-limit-no-difference')
    const [one, other] = [side('a', drifting, { settings: ['uri:old'] }), side('b', slower, { settings: ['uri:new'] })]
    expect(compareResults(one, other, measures).limits.join()).not.toContain('Nothing')
  })
})

describe('rounds that were added until it was clear', () => {
  const rounds = 'until clear'
  const sequential = [side('a', drifting, { rounds }), side('b', slower, { rounds })] as const

  test('have wider intervals', () => {
    const [fixed, added] = [compareResults(a, b, measures), compareResults(...sequential, measures)]
    const width = ({ figures: [figure] }: typeof fixed) => (figure?.interval?.high ?? 0) - (figure?.interval?.low ?? 0)
    expect(width(added)).toBeGreaterThan(1.5 * width(fixed))
    expect(added).toMatchObject({ rounds: ['sequential'], figures: [{ rounds: 'sequential' }] })
  })

  test('are described as such', () => {
    const text = comparisonText(compareResults(...sequential, measures), 'text')
    expect(text).toHaveLine('comparison-method-until-clear')
  })
})

const named = (result: Result, name: string): Result => ({ ...result, spec: { ...result.spec, name } })

describe('the text of paired rounds', () => {
  const comparison = compareResults(a, b, measures)

  test('says what each side is, and that rounds are paired', () => {
    const text = comparisonText(comparison, 'github')
    expect(text).toHaveLine('comparison-answer-of-pairs')
    expect(text).toHaveLine('comparison-method-of-pairs', { setting: 'workers=8' })
    expect(text).not.toContain('apart')
  })

  test('is in the caption of the chart too', () =>
    expect(intervalsChart(comparison)?.caption).toSay('intervals-caption-of-pairs'))

  test('says where only some specs are paired', () => {
    const mixed = compareResults(
      [named(a, 'one'), named(resultWith({ '': drifting }), 'two')],
      [named(b, 'one'), named(resultWith({ '': slower }), 'two')],
      measures,
    )
    const text = comparisonText(mixed, 'text')
    expect(text).toHaveLine('comparison-answer-of-specs')
    expect(text).toHaveLine('comparison-method-mixed')
    expect(mixed.settings).toBeNull()
  })
})

const inRounds = (rounds: readonly number[], given: Partial<Pairing> = {}): Partial<Pairing> => ({
  turns: { seconds: 0.5, leadInSeconds: 0.05, rounds: [...rounds] },
  ...given,
})

describe('the stretches of two sides', () => {
  const threeRounds = inRounds([1, 1, 2, 2, 3, 3])
  /** In each round a pair on a fast machine, and one on a machine that is ten times slower. */
  const states = [10_000, 1000, 1000, 10_000, 10_000, 1000]
  const ratios = [0.9, 0.9, 0.89, 0.89, 0.91, 0.91]
  const ofA = side('a', states, threeRounds)
  const ratesOfB = states.map((rate, pair) => rate * (ratios[pair] ?? 1))
  const ofB = side('b', ratesOfB, threeRounds)

  test('are one value for each round, in which a state of the machine that a pair shares cancels', () => {
    const { figures, rounds, turns } = compareResults(ofA, ofB, measures)
    expect([rounds, turns]).toEqual([['turns'], { rounds: 3, pairs: 6, seconds: 0.5, leadInSeconds: 0.05 }])
    expect(figures[0]?.a.map(Math.round)).toEqual([3162, 3162, 3162])
    expect(figures[0]?.verdict).toMatchObject({ kind: 'lower', effect: 'worse' })
    expect(figures[0]?.ratio).toBeCloseTo(0.9, 3)
  })

  test('have no verdict below three rounds', () => {
    const two = inRounds([1, 1, 1, 2, 2, 2])
    const { answer } = compareResults(side('a', states, two), side('b', states, two), measures)
    expect(answer).toSay('comparison-answer-few-starts')
  })

  test('that were added until it was clear are judged by the test that holds at all looks, from six rounds on', () => {
    const five = inRounds([1, 2, 3, 4, 5, 5], { rounds: 'until clear' })
    const { rounds, figures } = compareResults(side('a', states, five), side('b', states, five), measures)
    expect(rounds).toEqual(['sequential turns'])
    expect(figures[0]?.verdict).toMatchObject({ kind: 'no verdict', moreRounds: 1 })
  })

  test('that were added until the budget was spent are judged by the last look, which finds more than an early one', () => {
    const [early, last] = (['until clear', 'budget spent'] as const).map((rounds) => {
      const given = inRounds([1, 2, 3, 4, 5, 6], { rounds })
      const noisy = states.map((value, index) => value * 0.9 * (1 + 0.03 * Math.sin(index * 2.4)))
      return compareResults(side('a', states, given), side('b', noisy, given), measures)
    })
    expect([early?.rounds, last?.rounds]).toEqual([['sequential turns'], ['budgeted turns']])
    expect([early, last].map((one) => one?.figures[0]?.verdict.kind)).toEqual(['cannot tell', 'lower'])
  })

  test('are called turns wherever rounds are described', () => {
    const comparison = compareResults(ofA, ofB, measures)
    const text = comparisonText(comparison, 'text')
    expect(text).toHaveLine('comparison-method-of-turns')
    expect(text).not.toContain('ran in turn')
    expect(intervalsChart(comparison)?.caption).toSay('intervals-caption-of-stretches')
  })
})
