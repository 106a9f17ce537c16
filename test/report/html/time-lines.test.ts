import { expect, test } from 'vitest'
import { timeLinesOf } from '../../../src/report/html/time-lines.ts'
import { reportSpecOf } from '../../../src/report/report-spec.ts'
import { type Result } from '../../../src/results/schema.ts'
import { storedResult } from '../../fakes/stored-results.ts'

const linesOf = (result: Result) => timeLinesOf(result, reportSpecOf(result))

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

test('a long phase is drawn in steps, with the highest latency of each', () => {
  const result = structuredClone(storedResult('quickstart'))
  for (const { phases } of result.variants)
    for (const phase of phases) {
      phase.wallSeconds = 3000
      for (const { perSecond } of phase.operations) {
        perSecond.ok = Array.from({ length: 3000 }, (_, at) => at % 3)
        perSecond.p99Ms = Array.from({ length: 3000 }, (_, at) => (at === 1 ? 99 : 5))
      }
    }
  const [line] = linesOf(result)
  expect(line?.step).toBe(3)
  expect(line?.operations[0]?.ok.slice(0, 2)).toEqual([1, 1])
  expect(line?.operations[0]?.p99.slice(0, 2)).toEqual([99, 5])
})

test('a compact result has no time lines', () => {
  const result = structuredClone(storedResult('quickstart'))
  for (const { phases } of result.variants)
    for (const { operations } of phases) for (const operation of operations) operation.perSecond.ok = []
  expect(linesOf(result)).toEqual([])
})
