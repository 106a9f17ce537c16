import { describe, expect, test } from 'vitest'
import { type BuiltInMetric, getColumn } from '../../../src/metrics/columns/index.ts'
import { reportSpec } from '../../../src/metrics/report-schema.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { renderReport } from '../../../src/report/report.ts'
import { createMeasuredTables } from '../../../src/report/tables/measured.ts'
import { type PhaseResult, type VariantResult } from '../../../src/results/schema.ts'
import { validateReport } from '../../../src/spec/rules/report/validate-report.ts'
import { aPhaseShape, aShape } from '../../fakes/a-shape.ts'
import { fail } from '../../fakes/fail.ts'
import { fakeAvailability, fakeElections, fakeFault, fakeLasting, fakeOccurrence } from '../../fakes/fake-faults.ts'
import { fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

/** A primary that is killed, then one that steps down twice. */
const story = (given: Partial<PhaseResult> = {}): PhaseResult =>
  fakePhase({
    name: 'insert',
    wallSeconds: 60,
    faults: [
      fakeFault(
        'stepDown',
        fakeOccurrence(30, { targets: ['member1'], primaryBefore: 'member1', termBefore: 2 }),
        fakeOccurrence(45, { targets: ['member0'], termBefore: 3 }),
      ),
      fakeFault('kill', fakeLasting(10, 25, { beganAtSeconds: 10.125, doneAtSeconds: 10.5 })),
    ],
    elections: fakeElections(
      { 0: ['member0', 1], 10.2: [null], 20: ['member1', 2], 30.5: ['member0', 3], 45.5: ['member0', 4] },
      // The first of member0 is that of its start after the kill.
      { member0: 2, member2: 1 },
    ),
    availability: [
      fakeAvailability('kill', {
        newPrimaryMs: 9875,
        longestGapMs: 9900,
        firstSuccessMs: 9950,
        unavailableSeconds: 9,
        failed: 3,
        unknown: 4,
      }),
      fakeAvailability('stepDown', { newPrimaryMs: 500, longestGapMs: 510, firstSuccessMs: 520 }),
      fakeAvailability('stepDown', { occurrence: 1, longestGapMs: 12, firstSuccessMs: 3, unavailableSeconds: 1 }),
    ],
    ...given,
  })

function tableFor(rows: string, columns: readonly unknown[], variants: readonly VariantResult[]) {
  const tables = [{ title: 'T', rows, columns }]
  const result = fakeResult({ variants: [...variants], spec: { report: { tables, charts: [] } as never } })
  return createMeasuredTables(evaluateReport(result))[0] ?? fail('no table')
}

const cellsOf = (rows: string, columns: readonly unknown[], ...phases: readonly PhaseResult[]) =>
  tableFor(rows, columns, [fakeVariant({ phases: [...phases] })]).rows.map(({ cells }) => cells)

const killOf = (gap: number, target: string) =>
  story({
    faults: [fakeFault('kill', fakeOccurrence(10, { targets: [target], primaryBefore: null }))],
    elections: null,
    availability: [fakeAvailability('kill', { longestGapMs: gap })],
  })

describe('a table of faults', () => {
  test('has a row for each time that one happened, in the order of their beginnings', () => {
    const parts = ['fault', 'occurrence', 'faultKind', 'targets', 'primary', 'term'].map((row) => ({ row }))
    expect(cellsOf('faults', parts, story())).toEqual([
      ['kill', 1, 'kill', 'member0', 'member0 → member1', '1 → 2'],
      ['stepDown', 1, 'stepDown', 'member1', 'member1 → member0', '2 → 3'],
      ['stepDown', 2, 'stepDown', 'member0', 'member0', '3 → 4'],
    ])
  })

  test('shows the times and the costs of each', () => {
    const columns = ['faultPlannedSeconds', 'faultBeganSeconds', 'faultDoneSeconds', 'faultUndoneSeconds']
    expect(cellsOf('faults', columns, story())).toEqual([
      [10, 10.125, 10.5, 25],
      [30, 30, 30, null],
      [45, 45, 45, null],
    ])
    const costs = ['newPrimaryMs', 'longestGapMs', 'firstSuccessMs', 'unavailableSeconds', 'faultErrors', 'faults']
    expect(cellsOf('faults', costs, story())).toEqual([
      [9875, 9900, 9950, 9, 7, 1],
      [500, 510, 520, 0, 0, 1],
      [null, 12, 3, 1, 0, 1],
    ])
  })

  test('shows how many errors of which labels followed each', () => {
    const error = { code: '1', name: 'Broken', outcome: 'failed' as const, message: '', labels: [] as string[] }
    const [kill, ...others] = story().availability
    const errors = [
      { ...error, count: 3 },
      { ...error, code: '2', labels: ['RetryableWriteError'], count: 4 },
      { ...error, code: '3', labels: ['RetryableWriteError'], count: 1 },
      { ...error, code: '4', labels: ['NoWritesPerformed', 'RetryableWriteError'], count: 2 },
    ]
    const phase = story({ availability: [fakeAvailability('kill', { ...kill, errors }), ...others] })
    expect(cellsOf('faults', [{ row: 'errorLabels' }], phase)).toEqual([
      ['RetryableWriteError 5, no label 3, NoWritesPerformed + RetryableWriteError 2'],
      [null],
      [null],
    ])
  })

  test('is of the phase of each fault, and what calls came to is that of the whole phase', () => {
    const columns = [{ row: 'phase' }, { row: 'fault' }, 'longestGapMs', 'operations']
    const other = story({ name: 'other', faults: [fakeFault('kill', fakeOccurrence(1))], availability: [] })
    expect(cellsOf('faults', columns, fakePhase({ name: 'load' }), story(), other)).toEqual([
      ['insert', 'kill', 9900, 4000],
      ['insert', 'stepDown', 510, 4000],
      ['insert', 'stepDown', 12, 4000],
      ['other', 'kill', null, 4000],
    ])
  })

  test('shows medians of runs, and all distinct texts', () => {
    const variants = [killOf(100, 'member0'), killOf(300, 'member1'), killOf(200, 'member0')].map((phase, index) =>
      fakeVariant({ run: index + 1, phases: [phase] }),
    )
    const { rows } = tableFor('faults', [{ row: 'targets' }, { row: 'primary' }, 'longestGapMs'], variants)
    expect(rows.map(({ cells }) => cells)).toEqual([['member0; member1', null, 200]])
  })

  test('shows that there was no primary', () => {
    const seen = fakeElections({ 0: ['member0', 1], 11: [null] })
    const phase = story({ faults: [fakeFault('kill', fakeOccurrence(10))], elections: seen })
    expect(cellsOf('faults', [{ row: 'primary' }, { row: 'term' }], phase)).toEqual([['member0 → none', '1']])
  })
})

const remarksOf = (phase: PhaseResult, columns: readonly unknown[], rows = 'variants') =>
  tableFor(rows, columns, [fakeVariant({ phases: [phase] })]).remarks

describe('a row of several faults', () => {
  const costs = ['faults', 'longestGapMs', 'newPrimaryMs', 'firstSuccessMs', 'unavailableSeconds', 'faultErrors']

  test('shows the worst gap and times, and the sum of seconds and errors', () =>
    expect(cellsOf('variants', costs, story())).toEqual([[3, 9900, 9875, 9950, 10, 7]]))

  test('has no time to a success where one fault had none', () => {
    const [kill, ...others] = story().availability
    const availability = [fakeAvailability('kill', { ...kill, firstSuccessMs: null }), ...others]
    expect(cellsOf('variants', ['firstSuccessMs'], story({ availability }))).toEqual([[null]])
  })

  test('shows it below the table', () => {
    expect(remarksOf(story(), [{ metric: 'insert.longestGapMs' }])).toEqual([expect.stringContaining('worst')])
    expect(remarksOf(story(), ['unavailableSeconds'])).toEqual([])
    expect(remarksOf(story(), ['longestGapMs'], 'faults')).toEqual([])
    expect(remarksOf(story({ availability: story().availability.slice(0, 1) }), ['longestGapMs'])).toEqual([])
  })

  test('has no times of one fault', () => {
    expect(cellsOf('variants', ['faultBeganSeconds'], story())).toEqual([[null]])
    const once = story({ faults: [fakeFault('kill', fakeOccurrence(10))] })
    expect(cellsOf('variants', ['faultBeganSeconds'], once)).toEqual([[10]])
  })

  test('counts the members that took writes back', () => {
    expect(cellsOf('variants', ['rollbacks'], story())).toEqual([[2]])
    const started = story({ elections: fakeElections({ 0: ['member0', 1] }, { member0: 1 }) })
    expect(cellsOf('variants', ['rollbacks'], started)).toEqual([[0]])
  })
})

test.each([
  'faults',
  'longestGapMs',
  'newPrimaryMs',
  'firstSuccessMs',
  'unavailableSeconds',
  'faultErrors',
  'rollbacks',
  'faultBeganSeconds',
] as const)('%s is unknown, never 0, without a fault', (measure: BuiltInMetric) => {
  const column = getColumn(measure)
  const phase = fakePhase()
  const { operations, streams } = phase
  expect('value' in column && column.value({ variant: fakeVariant(), phase, operations, streams })).toBeNull()
})

const partOf = (...variants: readonly VariantResult[]): string =>
  renderReport(
    fakeResult({ variants: [...variants], spec: { report: { tables: [], charts: [] } as never } }),
  ).markdown.split('### Faults')[1] ?? ''

const headerOf = (phase: PhaseResult) => /^\|.*/m.exec(partOf(fakeVariant({ phases: [phase] })))?.[0]

describe('the report part of faults', () => {
  test('is not there without faults', () => expect(partOf(fakeVariant())).toBe(''))

  test('numbers faults that came again, and leaves out what is unknown', () => {
    expect(headerOf(story())).toMatch(/^\| Fault +\| +# \| Planned \(s\) /)
    const alone = story({
      faults: [fakeFault('kill', fakeOccurrence(10, { primaryBefore: null, termBefore: null }))],
      elections: null,
    })
    expect(headerOf(alone)).not.toMatch(/#|Undone|Primary|Term/)
  })

  test('shows the drawn kind of random faults', () => {
    const drawn = { ...fakeFault('chance', fakeLasting(10, 25, { kind: 'pause' })), kind: 'random' }
    expect(partOf(fakeVariant({ phases: [story({ faults: [drawn] })] }))).toMatch(/\| chance +\| pause +\|/)
  })

  test('shows whose writes were rolled back, and what went wrong with a fault, by the names of the rows', () => {
    const failed = story({
      faults: [fakeFault('kill', fakeOccurrence(10), fakeOccurrence(20, { error: 'not undone: <gone>' }))],
      elections: null,
    })
    const rows = [story(), failed].map((phase, row) =>
      fakeVariant({ row, parameters: { w: { value: row, label: `w:${row}` } }, phases: [phase] }),
    )
    const text = partOf(...rows)
    expect(text).toHaveLine('faults-rolled-back', { row: 'w:0' })
    expect(text).toContain('- kill 2, w:1: not undone: \\<gone>')
  })
})

const shape = aShape(aPhaseShape('load', ['insertMany']), aPhaseShape('insert', ['insertOne']))
const issuesIn = (report: object) => validateReport(reportSpec.parse(report), shape, [])
const table = (columns: readonly unknown[], rows?: string) => ({ tables: [{ title: 'T', columns, rows }] })

describe('a part of a fault', () => {
  test.each([
    ['a table of faults', table([{ row: 'fault' }, { row: 'primary' }, 'longestGapMs'], 'faults')],
    ['a chart of faults', { charts: [{ kind: 'bar', x: { row: 'fault' }, y: ['longestGapMs'] }] }],
  ])('belongs into %s', (_, report) => expect(issuesIn(report)).toEqual([]))

  const ofColumn = ['tables', 0, 'columns', 0, 'row']
  const percentiles = { charts: [{ kind: 'percentiles', series: [{ row: 'fault' }] }] }
  test.each([
    ['a table of rows', 'targets', table([{ row: 'targets' }]), ofColumn],
    ['a table of members', 'term', table([{ row: 'term' }], 'members'), ofColumn],
    ['latencies', 'fault', percentiles, ['charts', 0, 'series', 0, 'row']],
  ])('is refused in %s', (_, part, report, path) => {
    const reason = expect.toSay('fault-part-elsewhere', { part })
    expect(issuesIn(report)).toEqual([{ path, reason, nearest: null }])
  })
})

test('the measures of faults have addresses as all others have', () => {
  expect(issuesIn(table(['insert.longestGapMs', 'insert.insertOne.newPrimaryMs']))).toEqual([])
  expect(issuesIn(table(['insert.longestGap']))).toMatchObject([{ nearest: 'insert.longestGapMs' }])
})
