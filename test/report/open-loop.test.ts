import { describe, expect, test } from 'vitest'
import { parseAddress } from '../../src/metrics/address.ts'
import { type BuiltInMetric, measures } from '../../src/metrics/columns/index.ts'
import { measuredCell, listRows, listScopes } from '../../src/metrics/rows/rows.ts'
import { describeShape } from '../../src/metrics/scope.ts'
import { missedThresholds } from '../../src/metrics/thresholds.ts'
import { evaluateReport } from '../../src/report/definition/report-spec.ts'
import { collectEnvironmentFacts } from '../../src/report/prose/environment.ts'
import { renderReport } from '../../src/report/report.ts'
import { createMeasuredTables } from '../../src/report/tables/measured.ts'
import { type Result } from '../../src/results/schema.ts'
import { type OperationResult } from '../../src/results/schema/calls.ts'
import { compactRow } from '../../src/run/compact-row.ts'
import { fail } from '../fakes/fail.ts'
import { fakeLatency, fakeOpenLoop, fakeOperation, fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'
import { inLight } from '../fakes/in-light.ts'

const responses = { responseP50Ms: [2, 2], responseP99Ms: [9, 900], responseMaxMs: [10, 1400] }

/** Enough of the same latency for a p99. */
const always = (ms: number) => ({ ...fakeLatency([ms]), count: 1000 })

const timed = (name: string, responseMs: number): OperationResult =>
  fakeOperation({ name, openLoop: { wait: always(0.5), response: always(responseMs), late: 3, perSecond: responses } })

const open = fakePhase({
  name: 'traffic',
  load: 'open',
  workers: 512,
  littlesLaw: null,
  operations: [timed('findOne', 20), timed('updateOne', 30)],
  openLoop: fakeOpenLoop({
    wait: always(0.7),
    response: always(25),
    late: 6,
    dropped: 5,
    planned: 2005,
    sent: 2000,
    ratePerSecond: 1000,
    seconds: 2,
    perSecond: { ...responses, planned: [1000, 1005], dropped: [0, 5] },
  }),
})
const resultOf = (...phases: readonly (readonly (typeof open)[])[]): Result =>
  fakeResult({ variants: phases.map((own, row) => fakeVariant({ row, phases: [...own] })) })

const result = resultOf([open])
const closed = resultOf([fakePhase({ name: 'traffic', operations: [fakeOperation({ name: 'findOne' })] })])

const rowOf = (of: Result) => listRows(of, 'variants')[0] ?? fail('no row')
const cell = (address: string, of = result): unknown =>
  measuredCell(rowOf(of), parseAddress(address, describeShape(of)))

test.each([
  ['traffic.ratePerSecond', 1000],
  ['traffic.dropped', 5],
  ['traffic.droppedPerSecond', 2.5],
  ['traffic.late', 6],
  ['traffic.peakInFlight', 9],
  ['traffic.waitP99Ms', 0.7],
  ['traffic.responseP99Ms', 25],
  ['findOne.late', 3],
  ['findOne.waitMaxMs', 0.5],
  ['findOne.responseP99Ms', 20],
  ['traffic.updateOne.responseMeanMs', 30],
])('%s is %d', (address, expected) => expect(cell(address)).toBe(expected))

const statistics = ['MeanMs', 'MinMs', 'P50Ms', 'P95Ms', 'P99Ms', 'P999Ms', 'MaxMs'] as const
const plain = (statistic: string): BuiltInMetric =>
  measures.find((measure) => measure === `${statistic.charAt(0).toLowerCase()}${statistic.slice(1)}`) ??
  fail(`There is no ${statistic}`)

test.each(statistics)('service%s is the latency that a closed loop has too', (statistic) => {
  for (const of of [result, closed])
    for (const place of ['traffic', 'findOne'])
      expect(cell(`${place}.service${statistic}`, of)).toBe(cell(`${place}.${plain(statistic)}`, of))
})

test.each([
  ...statistics.flatMap((statistic) => [`wait${statistic}`, `response${statistic}`]),
  'ratePerSecond',
  'dropped',
  'droppedPerSecond',
  'late',
  'peakInFlight',
])('%s is unknown in a closed loop, never 0', (measure) => expect(cell(`traffic.${measure}`, closed)).toBeNull())

const courseOf = (address: string, of = result): unknown => {
  const read = parseAddress(address, describeShape(of))
  const { column } = read
  const [scope] = listScopes(rowOf(of), read)
  return 'perSecond' in column && scope ? column.perSecond?.(scope) : undefined
}

test.each([
  ['traffic.responseP99Ms', [9, 900]],
  ['findOne.responseMaxMs', [10, 1400]],
  ['traffic.ratePerSecond', [1000, 1005]],
  ['traffic.droppedPerSecond', [0, 5]],
])('%s is known second by second', (address, expected) => expect(courseOf(address)).toEqual(expected))

test('thresholds read them', () => {
  const thresholds = ['traffic.responseP99Ms < 50', 'findOne.serviceP99Ms < 0.001', 'traffic.dropped == 0']
  const missed = missedThresholds({ ...result, spec: { ...result.spec, thresholds } })
  expect(missed.map(({ threshold }) => threshold)).toEqual(thresholds.slice(1))
})

describe('a report that asks for nothing', () => {
  test('shows the three times, and how the plan was kept', () => {
    const [performance, all, plan] = createMeasuredTables(evaluateReport(result))
    expect(performance?.columns.map(({ title }) => title)).toEqual(expect.arrayContaining(['Response p99 (ms)']))
    const times = ['Service p99 (ms)', 'Response p99 (ms)', 'Response Max (ms)']
    expect(all?.columns.map(({ title }) => title)).toEqual(expect.arrayContaining(times))
    expect(plan?.title).toBe('Open Loop')
    const kept = ['Target Rate (ops/s)', 'Dropped', 'Late', 'Max in Flight']
    expect(plan?.columns.map(({ title }) => title)).toEqual(expect.arrayContaining(kept))
  })

  test('of a closed loop has neither', () => {
    const tables = createMeasuredTables(evaluateReport(closed))
    expect(tables.map(({ title }) => title)).not.toContain('Open Loop')
    expect(tables[0]?.columns.map(({ title }) => title)).not.toContain('Response p99 (ms)')
  })

  test('draws the response times under the throughput', () => {
    const [chart, ...others] = renderReport(result).charts
    expect([chart?.picture.title, others]).toEqual(['Throughput (ops/s) and Response p99 (ms) over time', []])
    expect(chart?.picture.second).toBe('below')
  })
})

test('a mix has one line for all its operations, beside their throughput', () => {
  const charts = [{ kind: 'line', x: 'second', y: ['traffic.opsPerSecond', 'traffic.responseP99Ms'] }]
  const asking = { ...result, spec: { ...result.spec, report: { charts } } }
  const [chart] = renderReport(asking as Result).charts
  const { areas, chart: drawn } = inLight(chart)
  expect(drawn.data.datasets.filter((_, index) => !areas.includes(index))).toHaveLength(2)
})

test('the environment shows that the loop was open, and how', () => {
  const facts = new Map(collectEnvironmentFacts(result).map(({ name, value }) => [name, value]))
  expect(facts.get('Open loop')).toSay('setting-open-loop', { rate: 1000, workers: 512 })
  expect(facts.has('Workers')).toBe(false)
  expect(collectEnvironmentFacts(closed).map(({ name }) => name)).not.toContain('Open loop')
})

test('a compact result has the same figures, without seconds', () => {
  const compact = { ...result, compact: true, variants: result.variants.map((row) => compactRow(row, new Set())) }
  for (const address of ['traffic.responseP99Ms', 'findOne.responseP99Ms', 'traffic.dropped', 'traffic.waitP99Ms'])
    expect(cell(address, compact)).toBe(cell(address))
  expect(courseOf('traffic.responseP99Ms', compact)).toEqual([])
})
