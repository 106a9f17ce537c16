import { expect, test } from 'vitest'
import { compactHistogram } from '../../src/load/measure/latency.ts'
import { mergeHistograms, computeStatistic, successes, computeSummary } from '../../src/metrics/latency.ts'
import { fakeLatency, fakeOperation, fakeRandom, fakeTimes } from '../fakes/fake-result.ts'

const fast = fakeLatency(Array.from({ length: 900 }, () => 1))
const coarseOf = (part: typeof fast) => ({ ...part, histogram: compactHistogram(part.histogram ?? '') })
const slow = fakeLatency(Array.from({ length: 100 }, () => 50))

test('the latency of one operation is what was recorded', () => {
  expect(computeSummary([slow])).toBe(slow)
  expect(computeStatistic([slow], 'p95Ms')).toBe(slow.p95Ms)
})

test('the mean of several latencies is weighted by their samples', () =>
  expect(computeStatistic([fast, slow], 'meanMs')).toBeCloseTo((900 * 1 + 100 * 50) / 1000))

test('minimum and maximum are those of all samples', () =>
  expect([computeStatistic([slow, fast], 'minMs'), computeStatistic([slow, fast], 'maxMs')]).toEqual([1, 50]))

test('percentiles of several latencies come from their histograms together', () => {
  const together = computeSummary([fast, slow])
  expect(together).toMatchObject({ count: 1000, p50Ms: 1, p95Ms: 50 })
  expect(computeStatistic([slow, fast], 'p50Ms')).toBe(1)
})

test('the 90th percentile, which results do not keep, comes from the histogram', () => {
  const times = fakeTimes(fakeRandom(1), 1000, 2)
  const exact = times.toSorted((one, other) => one - other)[899] ?? 0
  expect((computeStatistic([fakeLatency(times)], 'p90Ms') ?? 0) / exact).toBeCloseTo(1, 2)
  expect(computeStatistic([fast, fakeLatency(Array.from({ length: 200 }, () => 50))], 'p90Ms')).toBe(50)
  expect(computeStatistic([{ ...fast, histogram: null }], 'p90Ms')).toBeNull()
  expect(computeSummary([fast, slow])).not.toHaveProperty('p90Ms')
})

test('no percentile lies outside of those of the parts', () => {
  const parts = [1, 2, 3].map((seed) => fakeLatency(fakeTimes(fakeRandom(seed), 500, 2)))
  const coarse = parts.map(coarseOf)
  for (const name of ['p50Ms', 'p95Ms', 'p99Ms', 'p999Ms'] as const)
    for (const some of [parts, coarse]) {
      const values = parts.map((part) => part[name])
      expect(computeStatistic(some, name)).toBeGreaterThanOrEqual(Math.min(...values))
      expect(computeStatistic(some, name)).toBeLessThanOrEqual(Math.max(...values))
    }
})

test('histograms with two digits give percentiles within 1 %', () => {
  const parts = [1, 2, 3, 4].map((seed) => fakeLatency(fakeTimes(fakeRandom(seed), 1000, seed / 2 + 1)))
  const coarse = parts.map(coarseOf)
  for (const name of ['p50Ms', 'p95Ms', 'p99Ms', 'p999Ms'] as const) {
    const [exact, rough] = [computeStatistic(parts, name) ?? 0, computeStatistic(coarse, name) ?? 0]
    expect(Math.abs(rough / exact - 1)).toBeLessThan(0.01)
  }
})

test('without histograms no percentiles are known, but mean, minimum and maximum', () => {
  const parts = [
    { ...fast, histogram: null },
    { ...slow, histogram: null },
  ]
  expect([computeStatistic(parts, 'p50Ms'), computeSummary(parts), mergeHistograms(parts)]).toEqual([null, null, null])
  expect(computeStatistic(parts, 'maxMs')).toBe(50)
})

test('without a successful call nothing is known', () => {
  const silent = successes([fakeOperation({ ok: 0 })])
  const known = [computeSummary(silent), computeStatistic(silent, 'meanMs'), mergeHistograms(silent)]
  expect(known).toEqual([null, null, null])
})
