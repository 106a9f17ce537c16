import { expect, test } from 'vitest'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { createTimeLines } from '../../../src/report/html/time-lines.ts'
import { type Result } from '../../../src/results/schema.ts'
import { fakeOpenLoop } from '../../fakes/fake-result.ts'
import { storedResult } from '../../fakes/stored-results.ts'

const linesOf = (result: Result) => createTimeLines(evaluateReport(result))

test('each phase of each run is a time line, with its faults and primaries', () => {
  const [first, second] = linesOf(storedResult('failover'))
  expect([first?.label, second?.label]).toEqual(['w:1 · insert', 'w:majority · insert'])
  expect(first?.bands.map(({ label }) => label)).toEqual(['kill', 'stepDown'])
  expect(first?.strips[0]?.segments.map(({ label }) => label)).toEqual(['member0', 'member1', 'member2'])
})

test('latencies of an open loop count from the planned start', () => {
  const result = structuredClone(storedResult('quickstart'))
  const [phase] = result.variants[0]?.phases ?? []
  for (const operation of phase?.operations ?? []) {
    const seconds = operation.perSecond.ok.map(() => 77)
    const perSecond = { responseP50Ms: seconds, responseP99Ms: seconds, responseMaxMs: seconds }
    operation.openLoop = { wait: null, response: null, late: 0, perSecond }
  }
  const [line] = linesOf(result)
  expect(line?.isFromPlan).toBe(true)
  expect(line?.operations[0]?.p99[0]).toBe(77)
})

test('what an open loop never sent is a line of its own, unless all was sent', () => {
  const result = structuredClone(storedResult('quickstart'))
  const [phase] = result.variants[0]?.phases ?? []
  const perSecond = { ...fakeOpenLoop().perSecond, dropped: [0, 3, 0] }
  const unsent = [3, 0].map((dropped) => {
    Object.assign(phase ?? {}, { openLoop: fakeOpenLoop({ dropped, seconds: 3, perSecond }) })
    return linesOf(result)[0]?.unsent
  })
  expect(unsent).toEqual([[0, 3, 0], undefined])
})

test('histograms of seconds are those of response times in an open loop, and none in older results', () => {
  const result = structuredClone(storedResult('cache-misses'))
  const operation = result.variants[0]?.phases[0]?.operations[0]
  expect(linesOf(result)[0]?.operations[0]?.histograms).toEqual(operation?.perSecond.histograms)
  const perSecond = {
    responseP50Ms: [],
    responseP99Ms: [],
    responseMaxMs: [],
    responseHistograms: [[20, 1], [], [8, 3, 4]],
  }
  if (operation) operation.openLoop = { wait: null, response: null, late: 0, perSecond }
  expect(linesOf(result)[0]?.operations[0]?.histograms).toEqual(perSecond.responseHistograms)
  expect(linesOf(storedResult('quickstart'))[0]?.operations[0]?.histograms).toEqual([])
})

test('a long phase is drawn in steps, with the highest latency and the sum of the histograms of each', () => {
  const result = structuredClone(storedResult('quickstart'))
  for (const { phases } of result.variants)
    for (const phase of phases) {
      phase.wallSeconds = 3000
      for (const { perSecond } of phase.operations) {
        perSecond.ok = Array.from({ length: 3000 }, (_, at) => at % 3)
        perSecond.p99Ms = Array.from({ length: 3000 }, (_, at) => (at === 1 ? 99 : 5))
        perSecond.histograms = [[30, 1, 5], [], [28, 7], [31, 2], [], []]
      }
    }
  const [line] = linesOf(result)
  expect(line?.step).toBe(3)
  expect(line?.operations[0]?.ok.slice(0, 2)).toEqual([1, 1])
  expect(line?.operations[0]?.p99.slice(0, 2)).toEqual([99, 5])
  expect(line?.operations[0]?.histograms).toEqual([
    [28, 7, 0, 1, 5],
    [31, 2],
  ])
})

test('a compact result has no time lines', () => {
  const result = structuredClone(storedResult('quickstart'))
  for (const { phases } of result.variants)
    for (const { operations } of phases) for (const operation of operations) operation.perSecond.ok = []
  expect(linesOf(result)).toEqual([])
})
