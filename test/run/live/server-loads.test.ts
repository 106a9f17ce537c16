import { expect, test } from 'vitest'
import { ServerLoads } from '../../../src/run/live/live-state.ts'
import { type Sample } from '../../../src/servers/resources/sample.ts'

const sampleAt = (atMs: number, processCpuUs: number, changes: Partial<Sample> = {}): Sample => ({
  source: 'getDiagnosticData',
  atMs,
  role: 'primary',
  pid: 1,
  uptimeMs: atMs,
  values: { processCpuUs, cacheBytes: 10, cacheMaxBytes: 100, cacheDirtyBytes: 2 },
  setName: null,
  appliedMs: new Map(),
  ...changes,
})

test('CPU is what the process took between two samples', () => {
  const loads = new ServerLoads()
  loads.add('member0', sampleAt(1000, 0), 1000)
  expect(loads.at(1000)).toMatchObject([{ cpuPercent: null, role: 'primary' }])
  loads.add('member0', sampleAt(2000, 850_000), 2000)
  expect(loads.at(2000)).toEqual([
    { member: 'member0', role: 'primary', cpuPercent: 85, cacheBytes: 10, cacheMaxBytes: 100, cacheDirtyBytes: 2 },
  ])
})

test('samples that follow at once, as at the edges of a window, do not change CPU', () => {
  const loads = new ServerLoads()
  loads.add('member0', sampleAt(1000, 0), 1000)
  loads.add('member0', sampleAt(2000, 500_000), 2000)
  loads.add('member0', sampleAt(2010, 510_000), 2010)
  expect(loads.at(2010)).toMatchObject([{ cpuPercent: 50 }])
  loads.add('member0', sampleAt(3000, 1_500_000), 3000)
  expect(loads.at(3000)).toMatchObject([{ cpuPercent: 100 }])
})

test('a server that was restarted has no CPU until the next sample', () => {
  const loads = new ServerLoads()
  loads.add('member0', sampleAt(1000, 900_000), 1000)
  loads.add('member0', sampleAt(2000, 1_000_000, { pid: 2 }), 2000)
  expect(loads.at(2000)).toMatchObject([{ cpuPercent: null }])
})

test('a server that no longer answers is not shown as it was', () => {
  const loads = new ServerLoads()
  loads.add('member0', sampleAt(1000, 0), 1000)
  loads.add('member0', sampleAt(2000, 500_000), 2000)
  expect(loads.at(5000)).toMatchObject([{ cpuPercent: 50 }])
  expect(loads.at(5001)).toMatchObject([{ role: 'other', cpuPercent: null, cacheBytes: null }])
})

test('a server that reports neither CPU nor cache has none', () => {
  const loads = new ServerLoads()
  loads.add('member0', sampleAt(1000, 0, { values: {} }), 1000)
  loads.add('member0', sampleAt(2000, 0, { values: {} }), 2000)
  expect(loads.at(2000)).toMatchObject([{ cpuPercent: null, cacheBytes: null, cacheDirtyBytes: null }])
})
