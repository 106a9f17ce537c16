import { describe, expect, test } from 'vitest'
import { findLimit } from '../../src/metrics/limited-by/index.ts'
import { memberMetrics } from '../../src/metrics/shown-metrics.ts'
import { reportTree } from '../../src/report/blocks/report-tree.ts'
import { createCharts } from '../../src/report/charts/charts.ts'
import { evaluateReport } from '../../src/report/definition/report-spec.ts'
import { readReportSpec } from '../../src/report/definition/report-spec.ts'
import { sectionMarkdown } from '../../src/report/markdown/render.ts'
import { packResult, unpackResult } from '../../src/results/files/pack-result.ts'
import { result as resultSchema, type Result, type VariantResult } from '../../src/results/schema.ts'
import { compactRow } from '../../src/run/compact-row.ts'
import { fakeMember, fakeOperation, fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'
import { storedResult, storedResults } from '../fakes/stored-results.ts'

const compacted = (result: Result): Result => {
  const ofMembers = memberMetrics(readReportSpec(result))
  return { ...result, compact: true, variants: result.variants.map((row) => compactRow(row, ofMembers)) }
}
const throughFile = (result: Result): Result =>
  resultSchema.parse(unpackResult(JSON.parse(JSON.stringify(packResult(result))) as Record<string, unknown>))
const asking = (result: Result, report: object): Result => ({
  ...result,
  spec: { ...result.spec, report: report as never },
})
const partsOf = (result: Result) =>
  reportTree(evaluateReport(result))
    .sections.filter(({ key }) => key !== 'charts')
    .map((section) => sectionMarkdown(section))

const number = /\d+(?:\.\d+)?/g

const numbersIn = (text: string): readonly number[] => (text.match(number) ?? []).map(Number)

/** The largest difference of a number, as a share of it. Infinity: more differs than numbers and widths of columns. */
function differenceOf(one: unknown, other: unknown): number {
  const [text = '', otherText = ''] = [one, other].map((parts) => JSON.stringify(parts).replaceAll(/ +|-+/g, ' '))
  if (text.replaceAll(number, '#') !== otherText.replaceAll(number, '#')) return Infinity
  const others = numbersIn(otherText)
  return Math.max(
    ...numbersIn(text).map((value, index) => Math.abs(value - (others[index] ?? 0)) / Math.max(1e-9, value)),
  )
}

describe.each(storedResults)('the result %s, made compact', (name) => {
  const whole = storedResult(name)
  const compact = compacted(whole)

  test('gives the same tables and texts, with percentiles of several runs within 1 %', () => {
    expect(differenceOf(partsOf(compact), partsOf(whole))).toBeLessThan(0.01)
  })

  test('gives the same tables when its spec asks for none', () => {
    expect(differenceOf(partsOf(asking(compact, {})), partsOf(asking(whole, {})))).toBeLessThan(0.01)
  })

  test('has a chart when its spec asks for none', () => {
    expect(createCharts(evaluateReport(asking(compact, {})))).toHaveLength(1)
  })

  test('comes out of its file as it went in, and smaller', () => {
    expect(throughFile(compact)).toEqual(compact)
    expect(JSON.stringify(packResult(compact)).length).toBeLessThan(JSON.stringify(whole).length)
  })

  test('is the same when it is made compact again', () => {
    expect(compacted(compact)).toEqual(compact)
  })
})

test('charts over seconds and single calls of a compact result are left out', () => {
  const charts = [
    { kind: 'line', x: 'second', y: ['opsPerSecond', 'cpuPercent'] },
    { kind: 'line', x: 'operation', y: ['latencyMs'] },
    { kind: 'percentiles' },
    { kind: 'bar', x: { row: 'operation' }, y: ['p99Ms'] },
  ]
  const samples = { numbers: [0, 1], ms: [1, 2], dropped: 0 }
  const operations = [fakeOperation({ samples }), fakeOperation({ name: 'insertOne' })]
  const whole = asking(fakeResult({ variants: [fakeVariant({ phases: [fakePhase({ operations })] })] }), { charts })
  expect(createCharts(evaluateReport(whole))).toHaveLength(4)
  const titles = createCharts(evaluateReport(compacted(whole))).map(({ title }) => title)
  expect(titles).toEqual([expect.toSay('chart-percentiles-of-compact'), expect.toSay('chart-p99-of-compact')])
})

test('a compact row keeps the percentiles of several operations together', () => {
  const phase = fakePhase({ operations: [fakeOperation({ ok: 100 }), fakeOperation({ name: 'insertOne', ok: 300 })] })
  const report = { tables: [{ title: 'T', columns: ['p50Ms', 'p99Ms', 'meanMs', 'findOne.p99Ms'] }] }
  const whole = asking(fakeResult({ variants: [fakeVariant({ phases: [phase] })] }), report)
  expect(partsOf(compacted(whole))).toEqual(partsOf(whole))
  expect(compacted(whole).variants[0]?.phases[0]?.latency?.count).toBe(400)
})

test('a compact row keeps counts whole, six digits of other figures, and parameters as they are', () => {
  const members = [fakeMember(), fakeMember({ role: 'secondary', member: 'member1' })]
  const phases = [fakePhase({ members, operations: [fakeOperation({ documents: 123_456_789 })] })]
  const figures = { seconds: 12.3456789, parameters: { share: { value: 0.123456789 } } }
  const row = compactRow(fakeVariant({ ...figures, phases }), new Set())
  expect(row).toMatchObject({ seconds: 12.3457, parameters: { share: { value: 0.123456789 } } })
  const [phase] = row.phases
  const latency = { ok: { histogram: expect.any(String) } }
  expect(phase?.operations[0]).toMatchObject({ documents: 123_456_789, latency })
  expect(phase?.members.map(({ totals, perSecond }) => [Object.keys(totals).length > 0, perSecond])).toEqual([
    [true, {}],
    [true, {}],
  ])
})

const limitsOf = (variant: VariantResult) =>
  variant.phases.flatMap(
    (phase) => findLimit({ variant, phase, operations: phase.operations, streams: phase.streams }) ?? [],
  )

test('a compact row has the same limit where several members used up the CPU of their host together', () => {
  const totals = { ...fakeMember().totals, hostCpuBusyMs: 8000, hostCpuIoWaitMs: 0 }
  const members = [fakeMember({ totals }), fakeMember({ role: 'secondary', member: 'member1', totals })]
  const row = fakeVariant({ phases: [fakePhase({ members, operations: [fakeOperation({ documents: 0 })] })] })
  expect(limitsOf(row)).toMatchObject([{ name: 'server CPU' }])
  expect(limitsOf(compactRow(row, new Set()))).toEqual(limitsOf(row))
})

test('a compact row keeps what a table of members shows of them, the lag and CPU time of each, and nothing else', () => {
  const lagging = { ...fakeMember().totals, replicationLagMs: 30 }
  const members = [fakeMember(), fakeMember({ role: 'secondary', member: 'member1', totals: lagging })]
  const columns = [{ row: 'member' }, { row: 'role' }, 'reads', 'diskIops']
  const ofRows = { title: 'Rows', columns: ['replicationLagMs', 'writeConflicts'] }
  const report = { tables: [{ title: 'Members', rows: 'members', columns }, ofRows] }
  const whole = asking(fakeResult({ variants: [fakeVariant({ phases: [fakePhase({ members })] })] }), report)
  const compact = compacted(whole)
  expect(partsOf(throughFile(compact))).toEqual(partsOf(whole))
  expect(compacted(compact)).toEqual(compact)
  const kept = compact.variants[0]?.phases[0]?.members[1]?.totals ?? {}
  expect(Object.keys(kept).toSorted()).toEqual([
    'diskReads',
    'diskWrites',
    'processCpuUs',
    'readOps',
    'replicationLagMs',
  ])
})
