import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { baseline } from '../../src/testing/baseline.ts'
import { verify } from '../../src/testing/vitest.ts'
import { aMeasurement } from '../fakes/a-measurement.ts'

test('Vitest has the matchers, and a missed one fails with the figures', () => {
  expect(aMeasurement({})).toHaveP99Below(10)
  expect(aMeasurement({})).not.toHaveThroughputAbove(2000)
  const slow = aMeasurement({ rounds: Array.from({ length: 6 }, () => ({ p99Ms: 20 })), p99Ms: 20 })
  expect(() => expect(slow).toHaveP99Below(10)).toThrow('orders had a p99 of 20 ms')
  expect(() => verify(slow).toHaveP99Below(10)).toThrow('orders had a p99 of 20 ms')
})

const rates = (factor: number, speed = 100) => ({
  ...aMeasurement({
    rounds: [1000, 1010, 990, 1005, 995, 1000].map((rate) => ({
      callsPerSecond: rate * factor,
      machineSpeed: { before: speed, after: speed },
    })),
  }),
  series: Symbol('later'),
})

test('a baseline is saved first and compared with later', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-baselines-'))
  const options = { folder, update: false }
  try {
    const first = rates(1)
    expect(await baseline(first, options)).toBe(first)
    const saved = await readFile(path.join(folder, 'main', 'orders.json'), 'utf8')
    expect(saved.split('\n').length).toBeGreaterThan(20)

    const later = rates(0.7)
    expect(() => verify(later).toBeNoSlowerThan(first)).toThrow('30 % lower')
    const before = await baseline(later, options)
    expect(() => verify(later).toBeNoSlowerThan(before)).toThrow('compared with its baseline, throughput: 30 % lower')
    expect(rates(1)).toBeNoSlowerThan(before)

    const elsewhere = rates(0.7, 80)
    expect(await baseline(elsewhere, options)).toMatchObject({
      difference: 'the machine is 20 % slower than when the baseline was saved, by a fixed kernel',
    })
    await expect(baseline(first, { ...options, name: '../main' })).rejects.toThrow('cannot be the name of a baseline')
  } finally {
    await rm(folder, { recursive: true })
  }
})
