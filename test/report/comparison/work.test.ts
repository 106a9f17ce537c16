import { describe, expect, test } from 'vitest'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { isAnyWorse, type ResultComparison } from '../../../src/report/comparison/comparison.ts'
import { comparisonText } from '../../../src/report/comparison/text.ts'
import { type Result } from '../../../src/results/schema.ts'
import { type Explain } from '../../../src/results/schema/explain.ts'
import { latencyOf, phaseWith } from '../../fakes/compared-results.ts'
import { fakeExplain, fakeOperation, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

/** A result whose runs have these plans. */
const resultOf = (...explains: readonly Partial<Explain>[]): Result => {
  const latency = { ok: latencyOf(3, 4000), failed: null, unknown: null }
  const variants = explains.map((explain, run) => {
    const operations = [fakeOperation({ ok: 4000, explain: fakeExplain(explain), latency })]
    return fakeVariant({ run: run + 1, phases: [phaseWith(1000, { operations })] })
  })
  return fakeResult({ variants })
}

/** A result of a phase that also inserts. */
function wrote(inserted: number, docsExamined: number): Result {
  const result = resultOf({ docsExamined })
  for (const { phases } of result.variants)
    for (const { operations } of phases) operations.push(fakeOperation({ name: 'insert', inserted, ok: 1 }))
  return result
}

const twenty = { docsExamined: 20, keysExamined: 20, docsReturned: 20 }
const hundred = { docsExamined: 100, keysExamined: 100, docsReturned: 100 }

/** The first paragraph of its text. */
const answerOf = (comparison: ResultComparison) => comparisonText(comparison, 'text').split('\n\n')[0]

describe('the work of a call', () => {
  test('is compared exactly from one run on, and leads', () => {
    const comparison = compareResults(resultOf(twenty), resultOf(hundred))
    expect(
      comparison.work.map(({ measure, figureA, figureB, verdict }) => [measure, figureA, figureB, verdict.kind]),
    ).toEqual([
      ['docsExamined', 20, 100, 'counted'],
      ['keysExamined', 20, 100, 'counted'],
      ['docsReturned', 20, 100, 'counted'],
      ['bytesReturned', 500, 500, 'same count'],
      ['commands', 1, 1, 'same count'],
      ['roundTrips', 1, 1, 'same count'],
    ])
    const text = comparisonText(comparison, 'text')
    expect(answerOf(comparison)).toSay('work-answer-more')
    expect(text).toMatch(/\| read: Documents examined \(explain\) +\| +20 \| +100 \| 5\.000 \| ▼ worse +\|/)
    expect(text.indexOf('Documents examined')).toBeLessThan(text.indexOf('Throughput'))
    expect(isAnyWorse(comparison)).toBe(true)
  })

  test('that is the same is one sentence', () => {
    const comparison = compareResults(resultOf(twenty), { ...resultOf(twenty), startedAt: '2026-11-21T10:00:00.000Z' })
    expect(answerOf(comparison)).toSay('work-answer-same')
    expect(isAnyWorse(comparison)).toBe(false)
  })

  test('that is less is better', () => {
    const comparison = compareResults(resultOf(hundred), resultOf(twenty))
    expect(answerOf(comparison)).toSay('work-answer-less')
    expect(isAnyWorse(comparison)).toBe(false)
  })

  test('may differ by the smallest effect', () => {
    const [a, b] = [resultOf({ docsExamined: 1000 }), resultOf({ docsExamined: 1030 })]
    const verdicts = (smallestEffect: number) =>
      compareResults(a, b, { smallestEffect, measures: ['docsExamined'] }).figures.map(({ verdict }) => verdict.kind)
    expect(verdicts(0.02)).toEqual(['counted'])
    expect(verdicts(0.05)).toEqual(['same count'])
  })

  test('is not more where one side wrote more, by no more than that', () => {
    const verdict = (b: Result) => compareResults(wrote(1000, 100), b).work[0]?.verdict
    expect(verdict(wrote(1200, 115))).toEqual({ kind: 'same count', text: expect.toSay('work-no-more-apart') })
    expect(verdict(wrote(1200, 130))).toMatchObject({ kind: 'counted', effect: 'worse' })
    expect(verdict(wrote(1000, 115))).toMatchObject({ kind: 'counted', effect: 'worse' })
    expect(verdict(wrote(1200, 101))).toEqual({ kind: 'same count', text: 'the same' })
  })

  test('that varies from run to run differs where all of one side is apart', () => {
    const a = resultOf(twenty, { ...twenty, docsExamined: 24 })
    const kinds = (...b: readonly number[]) =>
      compareResults(a, resultOf(...b.map((docsExamined) => ({ docsExamined })))).work[0]?.verdict.kind
    expect(kinds(22, 40)).toBe('same count')
    expect(kinds(30, 40)).toBe('counted')
  })

  test('is no more where an index has keys examined instead of documents', () => {
    const scan = { docsExamined: 4000, keysExamined: 0 }
    const comparison = compareResults(resultOf(scan), resultOf({ docsExamined: 10, keysExamined: 10 }))
    expect(answerOf(comparison)).toSay('work-answer-less-of-one')
    expect(comparison.work[1]?.verdict).toEqual({ kind: 'same count', text: expect.toSay('work-more-keys') })
    const more = compareResults(resultOf(scan), resultOf({ docsExamined: 10, keysExamined: 8000 }))
    expect(more.work[1]?.verdict).toMatchObject({ kind: 'counted', effect: 'worse' })
  })

  test('is left out where metrics are named, and where one side does not know it', () => {
    expect(compareResults(resultOf(twenty), resultOf(hundred), { measures: ['opsPerSecond'] }).work).toEqual([])
    const older = { ...twenty, commands: null, roundTrips: null, bytesReturned: null }
    const known = compareResults(resultOf(older), resultOf(twenty)).work.map(({ measure }) => measure)
    expect(known).toEqual(['docsExamined', 'keysExamined', 'docsReturned'])
  })
})
