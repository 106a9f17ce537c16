import { describe, expect, test } from 'vitest'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { changeText } from '../../../src/report/comparison/explanations.ts'
import { comparisonText } from '../../../src/report/comparison/text.ts'
import { type PhaseResult, type Result } from '../../../src/results/schema.ts'
import { type Explain } from '../../../src/results/schema/explain.ts'
import { latencyOf, phaseWith } from '../../fakes/compared-results.ts'
import { fakeMember, fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

/** Eight runs of 1000 operations per second, in which the phase has these fields. */
function resultOf(given: Partial<PhaseResult>, label = ''): Result {
  const phases = [phaseWith(1000, given)]
  return fakeResult({ variants: Array.from({ length: 8 }, (_, run) => fakeVariant({ run: run + 1, label, phases })) })
}

const textsOf = (a: Partial<PhaseResult>, b: Partial<PhaseResult>): readonly string[] =>
  compareResults(resultOf(a), resultOf(b)).explanations.flatMap(({ texts }) => texts)

const byIndex: Explain = {
  calls: 5,
  plans: ['IXSCAN a_1 → FETCH'],
  indexes: ['a_1'],
  usesIndex: true,
  keysExamined: 10,
  docsExamined: 10,
  docsReturned: 10,
  bytesReturned: 900,
  commands: 1,
  roundTrips: 1,
  reason: null,
}
const byScan: Explain = {
  ...byIndex,
  plans: ['COLLSCAN'],
  indexes: [],
  usesIndex: false,
  keysExamined: 0,
  docsExamined: 4000,
}

const explained = (explain: Explain | null): Partial<PhaseResult> => ({
  operations: [fakeOperation({ ok: 4000, explain, latency: { ok: latencyOf(3, 4000), failed: null, unknown: null } })],
})
const withTotals = (totals: PhaseResult['members'][number]['totals']): Partial<PhaseResult> => ({
  members: [fakeMember({ totals: { processCpuUs: 1_000_000, ...totals } })],
})

describe('beside the figures it is shown that', () => {
  test('the plan changed, with what is examined for a document', () => {
    expect(textsOf(explained(byIndex), explained(byScan))).toEqual([
      'read findOne: plan "IXSCAN a_1 → FETCH" became "COLLSCAN"',
      'read findOne: keys examined per document returned 1 → 0',
      'read findOne: documents examined per document returned 1 → 400',
    ])
  })

  test('more is examined by the same plan, for each operation where nothing is returned', () => {
    const update = { ...byIndex, docsReturned: null }
    expect(textsOf(explained(update), explained({ ...update, keysExamined: 16 }))).toEqual([
      'read findOne: keys examined per operation 10 → 16',
    ])
  })

  test.each<readonly [string, Partial<PhaseResult>, Partial<PhaseResult>]>([
    [
      'pages read into cache per operation 0.025 → 0.5',
      withTotals({ pagesReadIntoCache: 100 }),
      withTotals({ pagesReadIntoCache: 2000 }),
    ],
    ['write conflicts per operation 0 → 0.05', withTotals({ writeConflicts: 0 }), withTotals({ writeConflicts: 200 })],
    [
      "speed of the client's machine (fixed kernel, 1/s) 100 → 85",
      { machineSpeed: { before: 100, after: 100 } },
      { machineSpeed: { before: 80, after: 90 } },
    ],
    [
      'the client was the bottleneck in 0 of 8 runs of A and in 8 of 8 of B',
      {},
      { client: { ...fakePhase().client, saturated: true } },
    ],
  ])('%s', (text, a, b) => {
    expect(textsOf(a, b)).toEqual([`read: ${text}`])
  })
})

test('what limited throughput is shown where it changed, unless a baseline lacks the counters', () => {
  const busy = withTotals({ processCpuUs: 1_000_000_000 })
  const saturated = { ...busy, client: { ...fakePhase().client, saturated: true, eventLoopUtilization: 0.97 } }
  expect(textsOf(busy, saturated)[0]).toMatch(/^read: limited by server CPU \(.*\) → client CPU \(.*97 %.*\)$/)
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

  test('the reasons of each row under its table', () => {
    expect(comparisonText(comparison, 'text')).toMatch(
      /\|\n\nWhy, as far as the results show \(A → B\):\n\n- one: read findOne: plan "IXSCAN a_1 → FETCH" became "COLLSCAN"; [^\n]*\n\nThe columns/,
    )
  })

  test('these before what is folded', () => {
    expect(comparisonText(comparison, 'github')).toMatch(/\n- one: read findOne: plan [^\n]*\n\n<details>/)
  })

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
