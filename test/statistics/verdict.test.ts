import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Estimate, type MeasuredRatio, pairedRatio, sequentialRatio } from '../../src/statistics/estimate.ts'
import { isClear, type ComparisonRow, type ComparisonVerdict, computeVerdicts } from '../../src/statistics/verdict.ts'
import { forAll } from '../fakes/for-all.ts'

/** Ten rounds; 95 % are 2.262 standard errors to either side. */
const estimateOf = (ratio: number, standardError: number, kind: MeasuredRatio['kind'] = 'paired'): Estimate => ({
  kind,
  logRatio: Math.log(ratio),
  standardError,
  degreesOfFreedom: 9,
  rounds: 10,
})

const verdictOf = (estimate: Estimate, better: ComparisonRow['better'] = 'higher', rules = {}): ComparisonVerdict =>
  computeVerdicts([{ estimate, better }], rules)[0] as ComparisonVerdict

const kindsOf = (rows: readonly ComparisonRow[]): readonly string[] => computeVerdicts(rows).map(({ kind }) => kind)

const rowOf = (count: number): ComparisonRow => ({
  estimate: sequentialRatio(Array.from({ length: count }, (_, i) => ({ a: 1, b: 1.5 + (i % 2) / 10 }))),
  better: 'lower',
})

describe('a verdict in words', () => {
  test.each([
    [1.12, 0.01, 'verdict-higher', { change: '12 %', low: '9.5', high: '15 %' }],
    [0.93, 0.01, 'verdict-lower', { change: '7 %', low: '4.9', high: '9.1 %' }],
    [3.5, 0.05, 'verdict-higher-by-factor', { factor: '3.5', low: '3.1', high: '3.9' }],
    [0.01, 0.1, 'verdict-lower-by-factor', { factor: 100, low: 80, high: 125 }],
    [1.001, 0.003, 'verdict-same', { effect: '2 %' }],
    [1.01, 0.05, 'verdict-open', { visible: '17 %' }],
    [1.5, 0.5, 'verdict-open', { visible: 'a factor of 4.8' }],
  ])('of a ratio of %d with a standard error of %d', (ratio, standardError, code, data) =>
    expect(verdictOf(estimateOf(ratio, standardError)).text).toSay(code, data),
  )

  test('of a latency: what is higher is worse', () => {
    expect(verdictOf(estimateOf(1.12, 0.01), 'lower')).toMatchObject({ kind: 'higher', effect: 'worse' })
    expect(verdictOf(estimateOf(0.9, 0.01), 'lower')).toMatchObject({ kind: 'lower', effect: 'better' })
  })

  test('says that rounds are not paired', () =>
    expect(verdictOf(estimateOf(1.12, 0.01, 'unpaired')).text).toSay('verdict-higher-not-paired'))

  test.each([
    [0, 'verdict-after-more-rounds', { more: 6 }],
    [5, 'verdict-after-one-round', {}],
  ])('after %i rounds', (count, code, data) => {
    const rounds = Array.from({ length: count }, () => ({ a: 1, b: 2 }))
    const text = expect.toSay(code, data)
    expect(verdictOf(pairedRatio(rounds))).toMatchObject({ kind: 'no verdict', moreRounds: 6 - count, text })
  })
})

describe('a verdict needs', () => {
  test('more than significance: an effect below the smallest one is neither higher nor, as it may be above, the same', () => {
    expect(verdictOf(estimateOf(1.018, 0.004)).kind).toBe('cannot tell')
    expect(verdictOf(estimateOf(1.018, 0.004), 'higher', { smallestEffect: 0.01 }).kind).toBe('higher')
    expect(verdictOf(estimateOf(1.018, 0.004), 'higher', { smallestEffect: 0.03 }).kind).toBe('same')
  })

  test('more than a large estimate', () => expect(verdictOf(estimateOf(1.3, 0.2)).kind).toBe('cannot tell'))

  test('the whole interval within the smallest effect, to be the same', () => {
    const justInside = (Math.log(1.02) / 2.2621571628) * 0.9999
    expect(verdictOf(estimateOf(1, justInside)).kind).toBe('same')
    expect(verdictOf(estimateOf(1, justInside * 1.001)).kind).toBe('cannot tell')
  })

  test('the same figures, whichever side is called B', () => {
    const opposite = { higher: 'lower', lower: 'higher', same: 'same', 'cannot tell': 'cannot tell' } as const
    const logRatios = fc.double({ min: -1, max: 1, noNaN: true })
    const errors = fc.double({ min: 0.0001, max: 0.3, noNaN: true })
    forAll(logRatios, errors, (logRatio, standardError) => {
      const measured = { kind: 'paired', standardError, degreesOfFreedom: 9, rounds: 10 } as const
      const { kind } = verdictOf({ ...measured, logRatio })
      expect(verdictOf({ ...measured, logRatio: -logRatio }).kind).toBe(opposite[kind as keyof typeof opposite])
    })
  })

  test.each([{ smallestEffect: 0 }, { smallestEffect: Number.NaN }, { errorRate: 0 }, { errorRate: 1 }])(
    'rules within their ranges, not %o',
    (rules) => expect(() => computeVerdicts([], rules)).toThrow(RangeError),
  )
})

describe('several rows', () => {
  // p is about 0.02.
  const weak: ComparisonRow = { estimate: estimateOf(1.15, 0.05), better: 'higher' }
  const strong: ComparisonRow = { estimate: estimateOf(1.15, 0.01), better: 'higher' }
  const none: ComparisonRow = { estimate: estimateOf(1.01, 0.05), better: 'higher' }

  test('share the error rate', () => {
    expect(kindsOf([weak])).toEqual(['higher'])
    expect(kindsOf([weak, none, none])).toEqual(['cannot tell', 'cannot tell', 'cannot tell'])
  })

  test('take less of it the more of them are clear', () =>
    expect(kindsOf([weak, strong, strong])).toEqual(['higher', 'higher', 'higher']))

  test('share it for being the same, too', () => {
    const same: ComparisonRow = { estimate: estimateOf(1, 0.008), better: 'higher' }
    expect(kindsOf([same])).toEqual(['same'])
    expect(kindsOf([same, none])).toEqual(['cannot tell', 'cannot tell'])
  })

  test('could have seen less each', () => {
    expect(computeVerdicts([none])[0]?.text).toSay('verdict-open', { visible: '17 %' })
    expect(computeVerdicts([none, none, none])[0]?.text).toSay('verdict-open', { visible: '21 %' })
  })

  test('count although their rounds are too few yet', () => {
    const few: ComparisonRow = { estimate: pairedRatio([{ a: 1, b: 1 }]), better: 'higher' }
    expect(kindsOf([weak, few, few])).toEqual(['cannot tell', 'no verdict', 'no verdict'])
  })
})

describe('until it is clear', () => {
  test('there is no verdict before the sixth round', () => {
    expect(isClear(computeVerdicts([rowOf(5)]))).toBe(false)
    expect(isClear(computeVerdicts([rowOf(6)]))).toBe(true)
  })

  test('one row that is not clear is enough to go on', () => {
    const unclear: ComparisonRow = { estimate: estimateOf(1.01, 0.05, 'sequential'), better: 'lower' }
    expect(isClear(computeVerdicts([rowOf(20), unclear]))).toBe(false)
  })

  test('so few rounds that no effect of any size could be seen in so many rows say so', () => {
    const rows = Array.from({ length: 14 }, () => rowOf(6))
    expect(computeVerdicts(rows)[0]?.text).toSay('verdict-of-too-few-rounds')
  })
})
