import { describe, expect, test } from 'vitest'
import {
  type ClientReadings,
  clientHealth,
  startClientMeter,
  withThreads,
} from '../../../src/load/measure/client-health.ts'
import { clientHealth as schema, type ThreadHealth } from '../../../src/results/schema/client.ts'

const readings: ClientReadings = {
  wallMs: 2000,
  utilization: 0.5,
  delayMs: { p99: 12.5, max: 40 },
  resolutionMs: 10,
  cpuUs: { user: 900_000, system: 100_000 },
  gc: { ms: 7.5, count: 3 },
  heapUsedBytes: 50 * 1024 * 1024,
  rssBytes: 100 * 1024 * 1024,
}

test('CPU time is in percent of one core, memory in MB of 1024 KB', () =>
  expect(clientHealth(readings)).toMatchObject({ cpuPercent: 50, gcMs: 7.5, gcCount: 3, heapUsedMB: 50, rssMB: 100 }))

test('the delay is without the resolution of its meter', () => {
  expect(clientHealth(readings)).toMatchObject({ eventLoopDelayP99Ms: 2.5, eventLoopDelayMaxMs: 30 })
  expect(clientHealth({ ...readings, delayMs: { p99: 9.9, max: 10 } })).toMatchObject({
    eventLoopDelayP99Ms: 0,
    eventLoopDelayMaxMs: 0,
  })
})

test('a loop too busy to take a sample has no delay, not a delay of zero', () =>
  expect(clientHealth({ ...readings, delayMs: null })).toMatchObject({
    eventLoopDelayP99Ms: null,
    eventLoopDelayMaxMs: null,
  }))

test.each([
  [0.85, false],
  [0.86, true],
  [1, true],
])('a client that is busy for %f of the window is saturated: %s', (utilization, saturated) =>
  expect(clientHealth({ ...readings, utilization }).saturated).toBe(saturated),
)

test('the meter reads this process', async () => {
  const stop = startClientMeter()
  await new Promise((resolve) => setImmediate(resolve))
  const health = stop()
  expect(schema.parse(health)).toEqual(health)
  expect(health.rssMB).toBeGreaterThan(10)
})

const threadHealth = (utilization: number, p99: number | null): ThreadHealth => ({
  workers: 2,
  eventLoopUtilization: utilization,
  eventLoopDelayP99Ms: p99,
  eventLoopDelayMaxMs: p99,
  gcMs: 5,
  gcCount: 1,
  heapUsedMB: 20,
  saturated: utilization > 0.85,
  operations: 100,
  endedAtSeconds: 5,
})

describe('the health of a client with several threads', () => {
  const main = clientHealth({ ...readings, utilization: 0.99, delayMs: { p99: 110, max: 210 } })

  test('is that of the worst thread; garbage and heap are summed', () => {
    const threads = [threadHealth(0.3, 1), threadHealth(0.9, 7)]
    expect(withThreads(main, threads, false)).toEqual({
      ...main,
      eventLoopUtilization: 0.9,
      eventLoopDelayP99Ms: 7,
      eventLoopDelayMaxMs: 7,
      gcMs: 17.5,
      gcCount: 5,
      heapUsedMB: 90,
      saturated: true,
      threads,
    })
  })

  test('counts the main thread where that waits for answers too', () => {
    const threads = [threadHealth(0.3, 1), threadHealth(0.4, 7)]
    expect(withThreads(main, threads, false)).toMatchObject({ eventLoopUtilization: 0.4, saturated: false })
    expect(withThreads(main, threads, true)).toMatchObject({ eventLoopUtilization: 0.99, eventLoopDelayP99Ms: 100 })
  })

  test('has no delay when one of them was too busy to take a sample', () =>
    expect(withThreads(main, [threadHealth(0.3, 1), threadHealth(1, null)], false).eventLoopDelayP99Ms).toBeNull())

  test('is that of the main thread where there are no others', () => expect(withThreads(main, [], false)).toBe(main))
})
