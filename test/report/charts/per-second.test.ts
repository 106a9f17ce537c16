import { expect, test } from 'vitest'
import { sum } from '../../../src/metrics/statistics.ts'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { fakeMember, fakeOpenLoop, fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { inLight } from '../../fakes/in-light.ts'

function drawn(phase: PhaseResult, ...measures: readonly string[]) {
  const report = { tables: [], charts: [{ kind: 'line', x: 'second', y: measures }] }
  const result = fakeResult({ variants: [fakeVariant({ phases: [phase] })], spec: { report: report as never } })
  return inLight(createCharts(evaluateReport(result))[0]).chart
}

const window = (wallSeconds: number) =>
  fakePhase({
    wallSeconds,
    operations: [fakeOperation({ ok: 3000, seconds: 3 })],
    members: [fakeMember({ perSecond: { journalBytes: [1024, 1024, 1024] } })],
  })
const pointsIn = (chart: ReturnType<typeof drawn>) => chart.data.datasets.map(({ data }) => data)

test('lines per second have a point in the middle of each second, and end with the window', () => {
  const chart = drawn(window(3), 'opsPerSecond')
  expect(pointsIn(chart)).toEqual([[1000, 1000, 1000].map((y, second) => ({ x: second + 0.5, y }))])
  expect(chart.options?.scales?.['x']).toMatchObject({ min: 0, max: 3 })
})

test('lines per second have the last point in the middle of what there is of its second, with rates for its length', () => {
  const [calls, journal] = pointsIn(drawn(window(2.8), 'opsPerSecond', 'journalKBps'))
  expect(calls?.[2]).toEqual({ x: expect.closeTo(2.4), y: expect.closeTo(1250) })
  expect(journal?.[2]).toEqual({ x: expect.closeTo(2.4), y: expect.closeTo(1.25) })
})

test('the text of such a chart has times to the millisecond', () => {
  const [chart] = createCharts(
    evaluateReport(fakeResult({ variants: [fakeVariant({ phases: [window(2.853271753)] })] })),
  )
  expect(chart?.alt).toMatch(/1\.5 → [\d,]+, 2\.427 → /)
})

test.each(['opsPerSecond', 'p99Ms', 'maxMs', 'journalKBps'])(
  'lines of %s per second have no point for a last second that is too short',
  (measure) => {
    const [line = []] = pointsIn(drawn(window(2.4), measure))
    expect(line).toHaveLength(3)
    expect(line[1]).not.toMatchObject({ y: null })
    expect(line[2]).toMatchObject({ y: null })
  },
)

test('lines per second show a second without a completed call as a gap, and a point between two gaps', () => {
  const operation = fakeOperation({ ok: 4000, seconds: 4 })
  operation.perSecond.p99Ms.splice(0, 4, 5, null, 5, null)
  const phase = fakePhase({ wallSeconds: 4, operations: [operation] })
  const [line] = drawn(phase, 'p99Ms').data.datasets
  expect(line).toMatchObject({ spanGaps: false, pointRadius: [3, 0, 3, 0] })
  expect(line?.data[1]).toEqual({ x: 1.5, y: null })
})

const labelsOf = (ok: number) =>
  drawn(fakePhase({ operations: [fakeOperation({ ok })] }), 'p99Ms', 'maxMs').data.datasets.map(({ label }) => label)

test('a percentile per second is drawn if the window has enough samples for it', () => {
  expect(labelsOf(999)).toEqual(['Max (ms)'])
  expect(labelsOf(1000)).toEqual(['p99 (ms)', 'Max (ms)'])
})

test.each([
  [[5, 6.01, 7, 8], ['p99 (ms) = Max (ms)']],
  [
    [5, 6, 7, 9],
    ['p99 (ms)', 'Max (ms)'],
  ],
])('p99 of 5 to 8 ms and maxima of %j are the lines %j', (maxMs, expected) => {
  const operation = fakeOperation({ ok: 4000, seconds: 4 })
  operation.perSecond.p99Ms.splice(0, 4, 5, 6, 7, 8)
  operation.perSecond.maxMs.splice(0, 4, ...maxMs)
  const phase = fakePhase({ wallSeconds: 4, operations: [operation] })
  expect(drawn(phase, 'p99Ms', 'maxMs').data.datasets.map(({ label }) => label)).toEqual(expected)
})

const overloaded = (dropped: readonly number[], writeConcern = 'w:1') =>
  fakeVariant({
    label: writeConcern,
    parameters: { writeConcern: { value: writeConcern } },
    phases: [
      fakePhase({
        name: 'traffic',
        load: 'open',
        wallSeconds: 4,
        operations: [fakeOperation({ ok: 4000, seconds: 4 })],
        openLoop: fakeOpenLoop({
          seconds: 4,
          dropped: sum(dropped),
          perSecond: { ...fakeOpenLoop().perSecond, planned: [1000, 1500, 1200, 1000], dropped: [...dropped] },
        }),
      }),
    ],
  })

function overTime(y: readonly string[], ...variants: readonly ReturnType<typeof overloaded>[]) {
  const report = { tables: [], charts: [{ kind: 'line', x: 'second', y }] }
  const rows = variants.map((variant, row) => Object.assign(variant, { row }))
  return createCharts(evaluateReport(fakeResult({ variants: rows, spec: { report: report as never } })))[0]
}

test('what was due and never sent is an area beside the throughput of an open loop, with a word for it', () => {
  const chart = overTime(['opsPerSecond', 'p99Ms'], overloaded([0, 500, 200, 0]))
  const [, , unsent] = inLight(chart).chart.data.datasets
  expect(unsent).toMatchObject({ label: 'Due, not sent (ops/s)', pointStyle: 'rect', yAxisID: 'y' })
  expect(unsent?.data).toEqual([0, 500, 200, 0].map((y, second) => ({ x: second + 0.5, y })))
  expect(inLight(chart).areas).toEqual([2])
  expect(chart?.alt).toSay('chart-alt-of-area')
})

test('an area has the colour of its series, and a series that sent all has none', () => {
  const chart = overTime(['opsPerSecond'], overloaded([0, 500, 200, 0]), overloaded([0, 0, 0, 0], 'majority'))
  const lines = inLight(chart).chart.data.datasets
  expect(lines.map(({ label }) => label)).toEqual(['w:1', 'majority', 'w:1, Due, not sent (ops/s)'])
  expect(lines[2]?.borderColor).toBe(lines[0]?.borderColor)
})

test('a chart that names what was not sent has one area of it', () => {
  const chart = overTime(['opsPerSecond', 'droppedPerSecond'], overloaded([0, 500, 200, 0]))
  expect(chart?.picture.lines.map(({ label, isArea = false }) => [label, isArea])).toEqual([
    ['Throughput (ops/s)', false],
    ['Dropped (ops/s)', true],
  ])
})

test('an open loop that sent all has no area', () =>
  expect(overTime(['opsPerSecond'], overloaded([0, 0, 0, 0]))?.picture.lines).toHaveLength(1))
