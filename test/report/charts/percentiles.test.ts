import { describe, expect, test } from 'vitest'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { createPercentileLines } from '../../../src/report/html/article.ts'
import { type PhaseResult, type Result } from '../../../src/results/schema.ts'
import { fail } from '../../fakes/fail.ts'
import {
  fakeLatency,
  fakeOpenLoop,
  fakeOperation,
  fakePhase,
  fakeResult,
  fakeVariant,
} from '../../fakes/fake-result.ts'

const always = (ms: number) => fakeLatency(Array.from({ length: 2000 }, () => ms))
const serviceMs = 2
const responseMs = 50
const perSecond = { responseP50Ms: [], responseP99Ms: [], responseMaxMs: [] }

const served = fakeOperation({ latency: { ok: always(serviceMs), failed: null, unknown: null } })
const waiting = { ...served, openLoop: { wait: always(1), response: always(responseMs), late: 0, perSecond } }
const closed = fakePhase({ name: 'load', operations: [served] })
const open = fakePhase({ name: 'traffic', load: 'open', operations: [waiting], openLoop: fakeOpenLoop() })

const resultOf = (...phases: readonly PhaseResult[]): Result =>
  fakeResult({
    variants: [fakeVariant({ phases: [...phases] })],
    spec: { report: { tables: [], charts: [{ kind: 'percentiles' }] } as never },
  })

function drawn(result: Result) {
  const [chart = fail('no chart')] = createCharts(evaluateReport(result))
  const { lines, y, legend } = chart.picture
  const medians = lines.map(({ points }) => Math.round(points.find(({ x }) => x >= 2)?.y ?? 0))
  return { file: chart.file, title: chart.picture.title, axis: y[0]?.title, medians, legend }
}

const linesInPage = (result: Result) =>
  createPercentileLines(evaluateReport(result)).map(({ ms, isFromPlan }) => [Math.round(ms.at(-1) ?? 0), isFromPlan])

describe('percentiles', () => {
  test('of an open loop are those of response times, which count from the plan', () => {
    expect(drawn(resultOf(open))).toMatchObject({
      file: 'response-time-by-percentile.png',
      title: expect.toSay('percentiles-title-of-responses'),
      axis: 'Response time (ms)',
      medians: [responseMs],
      legend: expect.toSay('percentiles-from-plan'),
    })
    expect(linesInPage(resultOf(open))).toEqual([[responseMs, true]])
  })

  test('of a closed loop are those of latencies', () => {
    const { legend, ...others } = drawn(resultOf(closed))
    expect(others).toEqual({
      file: 'latency-by-percentile.png',
      title: 'Latency by percentile',
      axis: 'Latency (ms)',
      medians: [serviceMs],
    })
    expect(legend).not.toContain('planned')
    expect(linesInPage(resultOf(closed))).toEqual([[serviceMs, false]])
  })

  test('of both show for each what counts there', () => {
    expect(drawn(resultOf(closed, open))).toMatchObject({
      title: 'Latency by percentile',
      axis: 'Latency (ms)',
      medians: [serviceMs, responseMs],
      legend: expect.toSay('percentiles-from-plan-in-part'),
    })
    expect(linesInPage(resultOf(closed, open))).toEqual([
      [serviceMs, false],
      [responseMs, true],
    ])
  })

  test('have the points that percentiles are named by', () => {
    const times = Array.from({ length: 5000 }, (_, index) => (index + 1) / 10)
    const spread = { ...served, latency: { ok: fakeLatency(times), failed: null, unknown: null } }
    const result = resultOf({ ...closed, operations: [spread] })
    const [chart = fail('no chart')] = createCharts(evaluateReport(result))
    const points = chart.picture.lines[0]?.points ?? []
    const valuesAt = [2, 10, 100].map((place) => points.find(({ x }) => x === place)?.y ?? Number.NaN)
    expect(valuesAt.map(Math.round)).toEqual([250, 450, 495])
    expect(points.map(({ x }) => x)).toEqual(points.map(({ x }) => x).toSorted((one, other) => one - other))
    expect(chart.title).toContain('p50 250 ms, p99 495 ms')
  })

  test('of an open loop without a success are not drawn', () => {
    const failed = { ...waiting, openLoop: { ...waiting.openLoop, response: null } }
    expect(createCharts(evaluateReport(resultOf({ ...open, operations: [failed] })))).toEqual([])
  })
})

const phaseOf = (name: string, operation: string) => fakePhase({ name, operations: [{ ...served, name: operation }] })
const labelsOf = (...phases: readonly PhaseResult[]) =>
  createCharts(evaluateReport(resultOf(...phases))).flatMap(({ picture }) => picture.lines.map(({ label }) => label))

test('lines of two phases have distinct labels, that say no name twice', () => {
  expect(labelsOf(phaseOf('w:1', 'w:1'), phaseOf('w:majority', 'w:majority'))).toEqual(['w:1', 'w:majority'])
  expect(labelsOf(phaseOf('a', 'w:1'), phaseOf('b', 'w:1'))).toEqual(['a', 'b'])
})

test('operations of one name in two phases are two lines, and not two points of one', () => {
  const phases = ['a', 'b'].map((name) => phaseOf(name, 'w:1'))
  const charts = [{ kind: 'bar', x: { row: 'operation' }, y: ['p99Ms'] }]
  const result = fakeResult({ variants: [fakeVariant({ phases })], spec: { report: { tables: [], charts } as never } })
  const lines = createCharts(evaluateReport(result)).flatMap(({ picture }) => picture.lines)
  expect(lines.map(({ label, points }) => `${label}: ${points.length}`)).toEqual(['a: 1', 'b: 1'])
})
