import { describe, expect, test } from 'vitest'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { changeText } from '../../../src/report/comparison/explanations.ts'
import { comparisonText } from '../../../src/report/comparison/text.ts'
import { type PhaseResult, type Result } from '../../../src/results/schema.ts'
import { type Explain } from '../../../src/results/schema/explain.ts'
import { latencyOf, phaseWith } from '../../fakes/compared-results.ts'
import { fakeExplain, fakeMember, fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

/** Eight runs of 1000 operations per second, in which the phase has these fields. */
function resultOf(given: Partial<PhaseResult>, label = ''): Result {
  const phases = [phaseWith(1000, given)]
  return fakeResult({ variants: Array.from({ length: 8 }, (_, run) => fakeVariant({ run: run + 1, label, phases })) })
}

const textsOf = (a: Partial<PhaseResult>, b: Partial<PhaseResult>): readonly string[] =>
  compareResults(resultOf(a), resultOf(b)).explanations.flatMap(({ texts }) => texts)

const plan = { plans: ['IXSCAN a_1 → FETCH'], indexes: ['a_1'] }
const byIndex = fakeExplain({ ...plan, keysExamined: 10, docsExamined: 10, docsReturned: 10 })
const scan = { plans: ['COLLSCAN'], indexes: [], usesIndex: false }
const byScan: Explain = { ...byIndex, ...scan, keysExamined: 0, docsExamined: 4000 }

const explained = (explain: Explain | null): Partial<PhaseResult> => ({
  operations: [fakeOperation({ ok: 4000, explain, latency: { ok: latencyOf(3, 4000), failed: null, unknown: null } })],
})
const withTotals = (totals: PhaseResult['members'][number]['totals']): Partial<PhaseResult> => ({
  members: [fakeMember({ totals: { processCpuUs: 1_000_000, ...totals } })],
})

describe('beside the figures it is shown that', () => {
  test('the plan changed, with what is examined for a document', () =>
    expect(textsOf(explained(byIndex), explained(byScan))).toSay('explanation-of-plan'))

  test('more is examined by the same plan, for each operation where nothing is returned', () => {
    const update = { ...byIndex, docsReturned: null }
    expect(textsOf(explained(update), explained({ ...update, keysExamined: 16 }))).toSay('explanation-of-keys')
  })

  test.each<readonly [string, Partial<PhaseResult>, Partial<PhaseResult>]>([
    ['explanation-of-cache', withTotals({ pagesReadIntoCache: 100 }), withTotals({ pagesReadIntoCache: 2000 })],
    ['explanation-of-conflicts', withTotals({ writeConflicts: 0 }), withTotals({ writeConflicts: 200 })],
    [
      'explanation-of-machine-speed',
      { machineSpeed: { before: 100, after: 100 } },
      { machineSpeed: { before: 80, after: 90 } },
    ],
    ['explanation-of-client', {}, { client: { ...fakePhase().client, saturated: true } }],
  ])('%s', (code, a, b) => expect(textsOf(a, b)).toSay(code))
})

test('what limited throughput is shown where it changed, unless a baseline lacks the counters', () => {
  const busy = withTotals({ processCpuUs: 1_000_000_000 })
  const saturated = { ...busy, client: { ...fakePhase().client, saturated: true, eventLoopUtilization: 0.97 } }
  expect(textsOf(busy, saturated)[0]).toSay('explanation-of-limit')
  const without = { ...saturated, members: [fakeMember({ totals: {} })] }
  expect(textsOf(busy, without).filter((text) => text.includes('limited by'))).toEqual([])
})

test('nothing is shown where both sides are alike, or one is not known', () => {
  expect(textsOf(explained(byIndex), explained(byIndex))).toEqual([])
  expect(textsOf(explained(byIndex), explained(null))).toEqual([])
  expect(textsOf({ machineSpeed: { before: 100, after: 100 } }, {})).toEqual([])
})

describe('a figure differs clearly', () => {
  const figure = { title: 'pages', factor: 1.5, notable: 0.01 }

  test('from its factor on, with all runs of one side above the other', () => {
    expect(changeText(figure, [1, 1.1, 0.9], [1.6, 1.5, 1.7])).toEqual(['pages 1 → 1.6'])
    expect(changeText(figure, [1, 1.1, 0.9], [1.4, 1.4, 1.4])).toEqual([])
    expect(changeText(figure, [1, 1.1, 1.8], [1.6, 1.7, 1.9])).toEqual([])
  })

  test('not near 0, and not where a side has no value', () => {
    expect(changeText(figure, [0], [0.009])).toEqual([])
    expect(changeText(figure, [0], [0.01])).toEqual(['pages 0 → 0.01'])
    expect(changeText(figure, [], [3])).toEqual([])
  })
})

describe('a comparison as text has', () => {
  const comparison = compareResults(resultOf(explained(byIndex), 'one'), resultOf(explained(byScan), 'one'))

  test('the reasons of each row before the tables', () => {
    const text = comparisonText(comparison, 'text')
    expect(text).toMatch(/\n\nWhy, [^\n]*\n\n- one: [^\n]*\n\n\|/)
    expect(text).toHaveLine('explanations-heading')
    expect(text).toHaveLine('explanations-of-row', { row: 'one' })
  })

  test('these for a comment too', () =>
    expect(comparisonText(comparison, 'github')).toMatch(/\n- one: read findOne: plan [^\n]*\n\n\|/))

  test('no such part where nothing differs', () => {
    const base = resultOf({})
    expect(comparisonText(compareResults(base, base), 'text')).not.toContain('Why')
  })
})

/** Two specs with two rows each, of which the first is explained. */
const both = (explain: Explain): readonly Result[] =>
  ['x', 'y'].map((name) => {
    const { variants } = resultOf(explained(explain), 'one')
    const same = fakeVariant({ row: 1, label: 'two', phases: [phaseWith(1000)] })
    return fakeResult({ spec: { name }, variants: [...variants, same] })
  })

test('rows without a change are left out, and specs are named where there are several', () => {
  const comparison = compareResults(both(byIndex), both(byScan))
  expect(comparison.explanations.map(({ spec, row }) => `${spec} ${row}`)).toEqual(['x one', 'y one'])
  expect(comparisonText(comparison, 'text')).toContain('\n- y: one: read findOne: plan')
})
