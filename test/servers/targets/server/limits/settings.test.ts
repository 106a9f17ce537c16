import { double } from 'fast-check'
import { expect, test } from 'vitest'
import { cpuPeriodUs, cpuQuotaUs } from '../../../../../src/servers/targets/server/limits/settings.ts'
import { forAll } from '../../../../fakes/for-all.ts'

test.each([
  [0.01, 1_000, 100_000],
  [0.05, 1_000, 20_000],
  [0.125, 1_250, 10_000],
  [0.5, 5_000, 10_000],
  [4, 40_000, 10_000],
])('%f CPUs are a quota of %i µs in %i µs', (cpus, quotaUs, periodUs) => {
  expect(cpuPeriodUs(cpus)).toBe(periodUs)
  expect(cpuQuotaUs(cpus)).toBe(quotaUs)
})

test('the kernel takes every quota and period: at least 1 ms, at most 1 s, and their ratio is the limit', () =>
  forAll(double({ min: 0.01, max: 10_000, noNaN: true }), (cpus) => {
    expect(cpuQuotaUs(cpus)).toBeGreaterThanOrEqual(1_000)
    expect(cpuPeriodUs(cpus)).toBeLessThanOrEqual(1_000_000)
    expect(cpuQuotaUs(cpus) / cpuPeriodUs(cpus) / cpus).toBeCloseTo(1, 2)
  }))
