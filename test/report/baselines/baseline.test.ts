import { describe, expect, test } from 'vitest'
import { baselineText, parseBaseline } from '../../../src/report/baselines/baseline.ts'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { type Result } from '../../../src/results/schema.ts'
import { around, exampleAfter, exampleBefore, latencyOf, phaseWith, resultWith } from '../../fakes/compared-results.ts'
import { fakeExplain, fakeOperation, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const stored = (result: Result): Result => parseBaseline('b.json', baselineText({ result, commit: null })).result

/** All figures against the same B. */
const summary = (a: Result): readonly string[] =>
  compareResults(a, exampleAfter)
    .figures.map(({ row, title, verdict, ratio }) => `${row} ${title} ${verdict.kind} ${ratio?.toFixed(4)}`)
    .toSorted()

describe('a baseline', () => {
  test('compares as the result that it was made of', () => {
    expect(summary(stored(exampleBefore))).toEqual(summary(exampleBefore))
    const { limits } = compareResults(exampleBefore, exampleAfter)
    expect(compareResults(stored(exampleBefore), exampleAfter).limits).toEqual(limits)
  })

  test('keeps the commit, the plans, the machine, and which runs the client limited', () => {
    const explain = fakeExplain({ plans: ['COLLSCAN'], indexes: [], usesIndex: false, docsExamined: 400 })
    const phase = phaseWith(1000, {
      operations: [fakeOperation({ explain })],
      warnings: [{ code: 'client-limited', message: 'long', advice: 'long' }],
      machineSpeed: { before: 100, after: 101 },
    })
    const result = fakeResult({ variants: [fakeVariant({ phases: [phase] })] })
    const baseline = parseBaseline('b.json', baselineText({ result, commit: 'abc1234' }))
    expect(baseline).toMatchObject({ commit: 'abc1234', result: { environment: result.environment } })
    expect(baseline.result.variants[0]?.phases).toMatchObject([
      { operations: [{ explain }], machineSpeed: { before: 100 }, warnings: [{ code: 'client-limited' }] },
    ])
  })

  test('has no start-up runs and unfinished ones', () => {
    const runs = [{ startUp: true }, { run: 2 }, { run: 3, status: 'failed' as const, phases: [] }]
    const result = fakeResult({ variants: runs.map((given) => fakeVariant(given)) })
    expect(stored(result).variants.map(({ run }) => run)).toEqual([2])
  })

  test('takes less than 20 KB for ten runs of a row with four operations', () => {
    const runs = Array.from({ length: 10 }, (_, run) => {
      const speed = 1000 + 7.31 * Math.sin(run)
      const latency = { ok: latencyOf(speed / 317, Math.round(speed) * 4), failed: null, unknown: null }
      const operations = ['findOne', 'insertOne', 'updateOne', 'lastOrders'].map((name) =>
        fakeOperation({ name, ok: Math.round(speed) * 4, latency }),
      )
      return fakeVariant({ run: run + 1, phases: [phaseWith(speed, { operations })] })
    })
    expect(baselineText({ result: fakeResult({ variants: runs }), commit: 'abc1234' }).length).toBeLessThan(20_000)
  })

  test('is the same text for the same result', () => {
    const text = baselineText({ result: exampleBefore, commit: null })
    expect(baselineText({ result: stored(exampleBefore), commit: null })).toBe(text)
    expect(text.endsWith('\n')).toBe(true)
  })
})

const text = baselineText({ result: resultWith({ '': around(1000) }), commit: null })

test.each([
  ['no JSON', '{', 'baseline-not-json'],
  ['the marks of a merge', `<<<<<<< ours\n${text}=======\n`, 'baseline-with-merge-marks'],
  ['a result', JSON.stringify(fakeResult()), 'baseline-of-another-format'],
  ['less than a result', text.replace('"startedAt"', '"begunAt"'), 'baseline-incomplete'],
  ['more runs of a row than any', text.replace(/"runs": \d+/, '"runs": 1000000000'), 'baseline-of-endless-runs'],
  ['more levels than any', `{"rows":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'baseline-nested-too-deep'],
  ['a version that is newer', text.replace(/"version": \d+/, '"version": 99'), 'baseline-of-newer-version'],
])('a file with %s is refused', (_, content, code) => expect(() => parseBaseline('b.json', content)).toSay(code))
