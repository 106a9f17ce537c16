import { expect, test } from 'vitest'
import { histogramOf, latencyOf } from '../../src/report/latency.ts'
import { fakeLatency, fakeOperation } from '../fakes/fake-result.ts'

const fast = fakeOperation({
  latency: { ok: fakeLatency(Array.from({ length: 900 }, () => 1)), failed: null, unknown: null },
})
const slow = fakeOperation({
  latency: { ok: fakeLatency(Array.from({ length: 100 }, () => 50)), failed: null, unknown: null },
})
const silent = fakeOperation({ ok: 0 })

test('the latency of one operation is what was recorded', () => {
  expect(latencyOf([slow])).toEqual(slow.latency.ok)
})

test('the mean of several operations is weighted by their calls', () => {
  expect(latencyOf([fast, slow])?.meanMs).toBeCloseTo((900 * 1 + 100 * 50) / 1000)
})

test('percentiles of several operations come from their histograms together', () => {
  const together = latencyOf([fast, slow])
  expect(together?.p50Ms).toBeCloseTo(1, 2)
  expect(together?.p95Ms).toBeCloseTo(50, 0)
})

test('no percentile lies above the maximum', () => {
  const together = latencyOf([fast, slow])
  expect(together?.p999Ms).toBeLessThanOrEqual(together?.maxMs ?? 0)
})

test('without a successful call nothing is known', () => {
  expect(latencyOf([silent])).toBeNull()
  expect(histogramOf([silent])).toBeNull()
})
