import { describe, expect, test } from 'vitest'
import { getColumn, type BuiltInMetric } from '../../src/metrics/columns/index.ts'
import { reportSpec } from '../../src/metrics/report-schema.ts'
import { memberMetrics } from '../../src/metrics/shown-metrics.ts'
import { createCharts } from '../../src/report/charts/charts.ts'
import { evaluateReport } from '../../src/report/definition/report-spec.ts'
import { createMeasuredTables } from '../../src/report/tables/measured.ts'
import { type VariantResult } from '../../src/results/schema.ts'
import { type MemberResources } from '../../src/results/schema/servers.ts'
import { validateReport } from '../../src/spec/rules/report/validate-report.ts'
import { aPhaseShape, aShape } from '../fakes/a-shape.ts'
import { fail } from '../fakes/fail.ts'
import { fakeMember, fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'
import { inLight } from '../fakes/in-light.ts'

type Role = MemberResources['role']

const aMember = (number: number, role: Role, readOps: number, more: MemberResources['totals'] = {}) =>
  fakeMember({ member: `member${number}`, role, totals: { readOps, readLatencyUs: readOps * 500, ...more } })

/** Reads of 4 seconds from a primary and a secondary. */
const reads = (ofPrimary: number, ofSecondary: number, name = 'read') =>
  fakePhase({
    name,
    members: [aMember(0, 'primary', ofPrimary), aMember(1, 'secondary', ofSecondary, { replicationLagMs: 30 })],
  })

function cellsOf(columns: readonly unknown[], variants: readonly VariantResult[], rest: object = {}) {
  const tables = [{ title: 'T', rows: 'members', columns, ...rest }]
  const result = fakeResult({ variants: [...variants], spec: { report: { tables, charts: [] } as never } })
  return (createMeasuredTables(evaluateReport(result))[0] ?? fail('no table')).rows.map(({ cells }) => cells)
}

const who = [{ row: 'member' }, { row: 'role' }]

test('there is a row for each member of each row of the variants, and it shows what that member reports', () => {
  const variants = [fakeVariant({ phases: [reads(400, 40)] }), fakeVariant({ row: 1, phases: [reads(800, 80)] })]
  const columns = [{ row: 'letter' }, ...who, 'reads', 'readsPerSecond', 'readLatencyMs']
  expect(cellsOf(columns, variants)).toEqual([
    ['A', 'member0', 'primary', 400, 100, 0.5],
    ['A', 'member1', 'secondary', 40, 10, 0.5],
    ['B', 'member0', 'primary', 800, 200, 0.5],
    ['B', 'member1', 'secondary', 80, 20, 0.5],
  ])
})

test('a cell is the median of the runs, member by member', () => {
  const variants = [300, 100, 200].map((ops, index) => fakeVariant({ run: index + 1, phases: [reads(ops, ops / 10)] }))
  expect(cellsOf(['reads'], variants)).toEqual([[200], [20]])
})

test('who was elected between two phases has both roles', () => {
  const after = fakePhase({ name: 'after', members: [aMember(0, 'secondary', 1), aMember(1, 'primary', 2)] })
  expect(cellsOf([...who, 'after.reads'], [fakeVariant({ phases: [reads(400, 40), after] })])).toEqual([
    ['member0', 'primary; secondary', 1],
    ['member1', 'secondary; primary', 2],
  ])
})

test('a member that was not there in a phase, or reported nothing, leaves its cells empty', () => {
  const alone = fakePhase({ name: 'alone', members: [aMember(0, 'primary', 5)] })
  const silent = fakePhase({ name: 'silent', members: [fakeMember({ member: 'member1', source: null, totals: {} })] })
  const variants = [fakeVariant({ phases: [alone, silent] })]
  expect(cellsOf([{ row: 'member' }, 'alone.reads', 'silent.reads'], variants)).toEqual([
    ['member0', 5, null],
    ['member1', null, null],
  ])
})

const readsAt = (mode: number) => ({ metric: 'reads', at: { mode } })

test('rows that differ only in a parameter are merged, member by member', () => {
  const variants = [400, 800].map((ops, row) =>
    fakeVariant({ row, parameters: { mode: { value: row } }, phases: [reads(ops, ops / 10)] }),
  )
  expect(cellsOf([{ row: 'member' }, readsAt(0), readsAt(1)], variants)).toEqual([
    ['member0', 400, 800],
    ['member1', 40, 80],
  ])
})

test('what the client counted is that of the phase, and expressions compute with both', () => {
  const share = { '@divide': [{ '@metric': 'reads' }, { '@metric': 'operations' }] }
  const variants = [fakeVariant({ phases: [reads(400, 40)] })]
  expect(cellsOf(['operations', { value: share, title: 'Share' }], variants)).toEqual([
    [4000, 0.1],
    [4000, 0.01],
  ])
})

test('the cores of a secondary are not known', () => {
  const used = { processCpuUs: 4_000_000 }
  const phase = fakePhase({ members: [aMember(0, 'primary', 1, used), aMember(1, 'secondary', 1, used)] })
  const cells = cellsOf(['serverCpuPercent', 'serverCpuOfLimitPercent'], [fakeVariant({ phases: [phase] })])
  expect(cells).toEqual([
    [100, 50],
    [100, null],
  ])
})

describe('the replication lag', () => {
  const lags = [30, 70].map((replicationLagMs, index) => aMember(index + 1, 'secondary', 1, { replicationLagMs }))
  const phase = fakePhase({ members: [aMember(0, 'primary', 1), ...lags] })
  const variants = [fakeVariant({ phases: [phase] })]

  test('of a member is its own, and a primary has none', () =>
    expect(cellsOf(['replicationLagMs'], variants)).toEqual([[null], [30], [70]]))
  test('of a row that is no member is the maximum', () =>
    expect(cellsOf(['replicationLagMs'], variants, { rows: 'variants' })).toEqual([[70]]))
})

test('a chart of members has a line for each, and their names at its bars', () => {
  const phase = fakePhase({
    members: [
      fakeMember({ perSecond: { readOps: [1, 2, 3, 4] } }),
      fakeMember({ member: 'member1', role: 'secondary', perSecond: { readOps: [5, 6, 7, 8] } }),
    ],
  })
  const charts = [
    { kind: 'bar', x: { row: 'member' }, y: ['reads'] },
    { kind: 'line', x: 'second', y: ['readsPerSecond'], series: [{ row: 'member' }] },
  ]
  const spec = { report: { tables: [], charts } as never }
  const [bars, lines] = createCharts(evaluateReport(fakeResult({ variants: [fakeVariant({ phases: [phase] })], spec })))
  expect(inLight(bars).chart.data.labels).toEqual([['member0'], ['member1']])
  expect(inLight(lines).chart.data.datasets.map(({ label }) => label)).toEqual(['member0', 'member1'])
})

const shape = aShape(aPhaseShape('read', ['findOne']))
const issues = (report: object) => validateReport(reportSpec.parse(report), shape, [])
const table = (columns: readonly unknown[], rows?: string) => ({ tables: [{ title: 'T', columns, rows }] })

describe('a part of a member', () => {
  test.each([
    ['a table of members', table(who, 'members')],
    [
      'a chart of members',
      { charts: [{ kind: 'bar', x: { row: 'member' }, y: ['reads'], series: [{ row: 'role' }] }] },
    ],
  ])('belongs into %s', (_, report) => expect(issues(report)).toEqual([]))

  const ofColumn = ['tables', 0, 'columns', 0, 'row']
  const bars = { charts: [{ kind: 'bar', rows: 'runs', x: { row: 'member' }, y: ['reads'] }] }
  const percentiles = { charts: [{ kind: 'percentiles', series: [{ row: 'role' }] }] }
  test.each([
    ['a table of rows', 'member', table([{ row: 'member' }]), ofColumn],
    ['a table of one row', 'role', table([{ row: 'role' }], 'once'), ofColumn],
    ['a chart of rows', 'member', bars, ['charts', 0, 'x', 'row']],
    ['latencies', 'role', percentiles, ['charts', 0, 'series', 0, 'row']],
  ])('is refused in %s', (_, part, report, path) => {
    const reason = expect.toSay('member-part-elsewhere', { part })
    expect(issues(report)).toEqual([{ path, reason, nearest: null }])
  })
})

const kept = (report: object) => [...memberMetrics(reportSpec.parse(report))].toSorted()

describe('what is kept of every member', () => {
  test('is what tables and charts of members show, expressions included', () => {
    const columns = ['read.readLatencyMs', { value: { '@add': [1, { '@metric': 'diskIops' }] }, title: 'V' }]
    const where = { '@gt': [{ '@metric': { of: 'writeConflicts', at: { mode: 1 } } }, 0] }
    const charts = [{ kind: 'bar', x: { row: 'member' }, y: ['journalSyncsPerSecond'] }]
    expect(kept({ tables: [{ title: 'T', rows: 'members', where, columns }], charts })).toEqual(
      ['diskReads', 'diskWrites', 'journalSyncs', 'readLatencyUs', 'readOps', 'writeConflicts'].toSorted(),
    )
  })
  test('is nothing where no table is of members', () => expect(kept(table(['reads', 'diskIops']))).toEqual([]))
})

/** Everything that a member may report, so that no column is empty for want of it. */
const { totals } = fakeMember({ totals: { ...fakeMember().totals, checkpoints: 3, replicationLagMs: 20 } })
const measures = ['reads', 'replicationLagMs', 'checkpoints', 'cpuPercent', 'serverCpuOfLimitPercent'] as const

test.each([
  ...measures,
  'diskIops',
  'serverLatencyMs',
  'writeLatencyMs',
  'pagesReadPerOperation',
  'ioWaitPercent',
] as const)('%s of a member is computed from the metrics that it names', (measure: BuiltInMetric) => {
  const column = getColumn(measure)
  if (!('value' in column)) return fail('no value')
  const valueOf = (names: readonly string[]) => {
    const known = Object.fromEntries(Object.entries(totals).filter(([name]) => names.includes(name)))
    const phase = fakePhase({ members: [fakeMember({ totals: known })] })
    const { operations, streams } = phase
    return column.value({ variant: fakeVariant(), phase, operations, streams, member: 'member0' })
  }
  const value = valueOf(Object.keys(totals))
  expect(value).toBeGreaterThan(0)
  expect(valueOf(column.metrics ?? [])).toBe(value)
  expect(valueOf([])).toBeNull()
})
