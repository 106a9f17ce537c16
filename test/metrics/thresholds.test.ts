import { describe, expect, test } from 'vitest'
import {
  missedThresholds,
  thresholdVerdicts,
  unforeseenFailures,
  unforeseenFaults,
  type Verdict,
} from '../../src/metrics/thresholds.ts'
import { renderReport } from '../../src/report/report.ts'
import { fail } from '../fakes/fail.ts'
import { fakeFault, fakeOccurrence } from '../fakes/fake-faults.ts'
import { fakeLatency, fakeOperation, fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'
import { storedResult } from '../fakes/stored-results.ts'

const rows = [4, 9, 6].map((wallSeconds, row) =>
  fakeVariant({ row, label: `row ${row}`, phases: [fakePhase({ wallSeconds })] }),
)
const resultWith = (...thresholds: readonly string[]) =>
  fakeResult({ variants: rows, spec: { thresholds: [...thresholds] } })
const verdictOn = (threshold: string) => thresholdVerdicts(resultWith(threshold))[0]

test.each([
  ['wallSeconds < 10', { verdict: 'held', measured: 9, label: 'row 1', misses: 0 }],
  ['wallSeconds <= 5', { verdict: 'missed', measured: 9, label: 'row 1', misses: 2 }],
  ['wallSeconds > 3', { verdict: 'held', measured: 4, label: 'row 0', misses: 0 }],
  ['wallSeconds >= 5', { verdict: 'missed', measured: 4, label: 'row 0', misses: 1 }],
  ['wallSeconds == 6', { verdict: 'missed', measured: 9, label: 'row 1', misses: 2 }],
  [
    'foundPercent > 99',
    { verdict: 'missed', measured: null, reason: expect.toSay('threshold-not-measured'), label: 'row 0', misses: 3 },
  ],
])('a threshold shows its worst row %s', (threshold, verdict) =>
  expect(verdictOn(threshold)).toEqual({ threshold, reason: null, ...verdict }),
)

test('it holds on the median of the runs', () => {
  const variants = [4, 5, 60].map((wallSeconds, index) =>
    fakeVariant({ run: index + 1, phases: [fakePhase({ wallSeconds })] }),
  )
  const result = fakeResult({ variants, spec: { thresholds: ['wallSeconds < 6'] } })
  expect(missedThresholds(result)).toEqual([])
})

test('a percentile of too few samples is missed, and says so', () => {
  const latency = { ok: fakeLatency(Array.from({ length: 999 }, () => 1)), failed: null, unknown: null }
  const run = (number: number) =>
    fakeVariant({ run: number, phases: [fakePhase({ operations: [fakeOperation({ ok: 999, latency })] })] })
  const verdictOver = (variants: readonly ReturnType<typeof run>[]) =>
    thresholdVerdicts(fakeResult({ variants: [...variants], spec: { thresholds: ['p99Ms < 5'] } }))[0]
  expect(verdictOver([run(1)])).toMatchObject({
    verdict: 'missed',
    measured: null,
    reason: expect.toSay('threshold-of-few-samples', { samples: 999 }),
  })
  expect(verdictOver([run(1), run(2)])).toMatchObject({ verdict: 'held', measured: 1, reason: null })
})

test('it may name a step or a stream', () => {
  const result = storedResult('update-api')
  result.spec.thresholds = ['call.change.p99Ms < 1000', 'watch.lagP99Ms < 1']
  expect(thresholdVerdicts(result).map(({ verdict }) => verdict)).toEqual(['held', 'missed'])
})

const verdictOver = (threshold: string, phases: readonly ReturnType<typeof fakePhase>[]) => {
  const variants = phases.map((phase, index) => fakeVariant({ run: index + 1, phases: [phase] }))
  return thresholdVerdicts(fakeResult({ variants, spec: { thresholds: [threshold] } }))[0]
}

describe('a run that was disturbed from outside', () => {
  const nothing = 'nothing was measured'
  const cause = 'other programs used 83 % of the CPU'
  const otherLoad = [{ runs: ['client', 'member0'], cpuPercent: 83, usedPercent: 83 }]
  const warnings = [{ code: 'other-load', message: 'Others', advice: '' }]
  const disturbed = fakePhase({ wallSeconds: 9, otherLoad, warnings, operations: [fakeOperation({ failed: 5 })] })
  const quiet = fakePhase({ wallSeconds: 9 })
  test.each<[string, Verdict['verdict'], string | null, readonly (typeof quiet)[]]>([
    ['wallSeconds < 5', 'not judged', cause, [disturbed]],
    ['wallSeconds < 10', 'not judged', cause, [disturbed]],
    ['wallSeconds < 5', 'not judged', cause, [disturbed, quiet, disturbed]],
    ['wallSeconds < 5', 'missed', null, [disturbed, quiet]],
    ['wallSeconds < 10', 'held', null, [disturbed, quiet]],
    ['errors < 3', 'missed', null, [disturbed]],
    ['docsExamined < 3', 'missed', nothing, [disturbed]],
    ['wallSeconds < 5', 'missed', null, [fakePhase({ wallSeconds: 9, otherLoad: [], warnings })]],
  ])('%s: %s because of %s', (threshold, verdict, reason, phases) =>
    expect(verdictOver(threshold, phases)).toMatchObject({ verdict, reason }),
  )

  test('hides no row that missed it', () => {
    const variants = [disturbed, quiet].map((phase, row) => fakeVariant({ row, label: `row ${row}`, phases: [phase] }))
    const result = fakeResult({ variants, spec: { thresholds: ['wallSeconds < 5', 'wallSeconds < 10'] } })
    expect(thresholdVerdicts(result).map((one) => [one.label, one.verdict])).toEqual([
      ['row 1', 'missed'],
      ['row 0', 'not judged'],
    ])
  })
})

test('without a row nothing held', () => {
  const [verdict] = thresholdVerdicts(fakeResult({ variants: [], spec: { thresholds: ['errors == 0'] } }))
  expect(verdict).toEqual({
    threshold: 'errors == 0',
    verdict: 'missed',
    measured: null,
    reason: expect.toSay('threshold-not-measured'),
    label: '',
    misses: 0,
  })
})

test('the report has a line for each, and its JSON the verdicts', () => {
  const { markdown, json } = renderReport(resultWith('wallSeconds < 5', 'wallSeconds > 3.5'))
  expect(markdown).toContain(
    '| wallSeconds < 5   |     9 | row 1 | missed  |\n| wallSeconds > 3.5 |     4 | row 0 | held    |',
  )
  expect(json.thresholds.map(({ verdict }) => verdict)).toEqual(['missed', 'held'])
})

test('a report without thresholds does not mention them', () =>
  expect(renderReport(resultWith()).markdown).not.toContain('Thresholds'))

test('errors of a change stream are failures that were not foreseen', () => {
  const [phase] = storedResult('update-api').variants[0]?.phases ?? []
  const broken = { code: '286', name: 'HistoryLost', outcome: 'failed' as const, labels: [], count: 2, message: '' }
  const [stream = fail('no stream')] = phase?.streams ?? []
  const streams = [{ ...stream, errors: [broken] }]
  const variants = [fakeVariant({ phases: [fakePhase({ streams, operations: [fakeOperation({ failed: 1 })] })] })]
  expect(unforeseenFailures(fakeResult({ variants }))).toBe(3)
  expect(unforeseenFailures(fakeResult({ variants, spec: { thresholds: ['errors < 9'] } }))).toBe(0)
})

test.each([
  [[], 1],
  [['faultsFailed < 2'], 0],
  [['write.faultsFailed == 1'], 0],
  [['write.faults == 2'], 1],
])('with the thresholds %j, %i faults failed that were not foreseen', (thresholds, unforeseen) => {
  const errors = [null, 'not undone: member1 did not start']
  const occurrences = errors.map((error) => fakeOccurrence(1, { plannedUndoSeconds: 2, error }))
  const faults = [fakeFault('kill', ...occurrences)]
  const variants = [fakeVariant({ phases: [fakePhase({ name: 'write', faults })] })]
  expect(unforeseenFaults(fakeResult({ variants, spec: { thresholds } }))).toBe(unforeseen)
})

const step = (name: string, failed: number) => ({ ...fakeOperation({ name, failed }), skipped: 0 })

describe('a threshold on errors shows how many may fail', () => {
  const operations = [
    fakeOperation({ name: 'insert', failed: 10 }),
    fakeOperation({ name: 'change', failed: 5, unknown: 2, steps: [step('first', 4), step('second', 1)] }),
  ]
  const variants = [
    fakeVariant({
      phases: [
        fakePhase({ name: 'read', operations: [fakeOperation({ name: 'find' })] }),
        fakePhase({ name: 'write', operations }),
      ],
    }),
  ]
  test.each([
    [[], 17],
    [['read.errors == 0'], 17],
    [['write.opsPerSecond > 1'], 17],
    [['insert.errors < 20'], 7],
    [['insert.errors < 20', 'write.change.failed < 9'], 0],
    [['write.errors < 20'], 0],
    [['change.first.errors < 9'], 13],
  ])('%j leaves %i that were not foreseen', (thresholds, unforeseen) =>
    expect(unforeseenFailures(fakeResult({ variants, spec: { thresholds } }))).toBe(unforeseen),
  )
})
