import { expect, test } from 'vitest'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { pixelColumns, thinOut } from '../../../src/report/charts/per-second.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { inLight } from '../../fakes/in-light.ts'
import { storedResult } from '../../fakes/stored-results.ts'

const flat = (count: number) => Array.from({ length: count }, (_, index) => ({ x: index + 1, y: 1 }))

test('a column of pixels without any value is a gap, and one with some is none', () => {
  const points = flat(9000).map(({ x, y }) => ({ x, y: x > 4000 || x % 2 === 0 ? y : null }))
  for (let second = 5000; second < 5100; second += 1) points[second] = { x: second + 1, y: null }
  const gaps = thinOut(points, 9001).filter(({ y }) => y === null)
  expect(gaps.length).toBeGreaterThanOrEqual(8)
  expect(gaps.every(({ x }) => x > 5000 && x <= 5100)).toBe(true)
})

test('points that are few enough stay as they are', () =>
  expect(thinOut(flat(2 * pixelColumns), 2 * pixelColumns)).toHaveLength(2 * pixelColumns))

test('of many points, the lowest and the highest of each column of pixels are left, in their order', () => {
  const points = flat(100_000)
  points[40_000] = { x: 40_001, y: 99 }
  points[40_003] = { x: 40_004, y: 0.1 }
  const thinned = thinOut(points, 100_001)
  expect(thinned.length).toBeLessThanOrEqual(2 * pixelColumns)
  const spike = thinned.findIndex(({ y }) => y === 99)
  expect(thinned.slice(spike, spike + 2)).toEqual([
    { x: 40_001, y: 99 },
    { x: 40_004, y: 0.1 },
  ])
  expect(thinned.map(({ x }) => x)).toEqual(thinned.map(({ x }) => x).toSorted((a, b) => a - b))
})

const bySingleCall = (more: object = {}) => ({ kind: 'line', x: 'operation', y: ['latencyMs'], ...more })

test('a chart over the operations has a point for each kept call, numbered from 1', () => {
  const [chart] = createCharts(evaluateReport(storedResult('write-concern-latency')))
  const [first] = inLight(chart).chart.data.datasets ?? []
  expect(first?.data).toHaveLength(200)
  expect(first?.data[0]).toMatchObject({ x: 1 })
  expect(inLight(chart).chart.options?.scales?.['x']).toMatchObject({ title: { text: ['Operation'] } })
})

test('a condition leaves rows out of a chart', () => {
  const [, chart] = createCharts(evaluateReport(storedResult('write-concern-latency')))
  expect(inLight(chart).chart.data.datasets.map(({ label }) => label)).toEqual(['j=1 (spinning disk)', 'j=1 (SSD)'])
})

test('the caption shows what is left out', () => {
  const ms = Array.from({ length: 5000 }, () => 1)
  const samples = { numbers: ms.map((_, index) => index), ms, dropped: 70 }
  const phases = [fakePhase({ operations: [fakeOperation({ samples })] })]
  const report = { tables: [], charts: [bySingleCall()] } as never
  const [chart] = createCharts(evaluateReport(fakeResult({ variants: [fakeVariant({ phases })], spec: { report } })))
  const [shown, kept] = chart?.caption?.split(' · ') ?? []
  expect(shown).toSay('chart-caption-operations', { columns: 900 })
  expect(kept).toSay('chart-caption-later-operations', { dropped: 70 })
})

test('calls of several operations are one line in the order of their calls, unless they are separated', () => {
  const operations = [
    fakeOperation({ name: 'a', samples: { numbers: [0, 3], ms: [1, 4], dropped: 0 } }),
    fakeOperation({ name: 'b', samples: { numbers: [1, 2], ms: [2, 3], dropped: 0 } }),
  ]
  const variants = [fakeVariant({ phases: [fakePhase({ operations })] })]
  const drawn = (chart: object) => {
    const report = { tables: [], charts: [chart] } as never
    return inLight(createCharts(evaluateReport(fakeResult({ variants, spec: { report } })))[0]).chart.data.datasets
  }
  expect(drawn(bySingleCall())?.map(({ data }) => data)).toEqual([[1, 2, 3, 4].map((n) => ({ x: n, y: n }))])
  expect(drawn(bySingleCall({ series: [{ row: 'operation' }] }))?.map(({ label }) => label)).toEqual(['a', 'b'])
})
