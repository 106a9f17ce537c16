import { expect, test } from 'vitest'
import { createPhaseView, sparkline } from '../../src/cli/terminal/phase-view.ts'
import { type LiveEvent } from '../../src/run/live/live-events.ts'
import { aRow, aSecond, aServer } from '../run/live/a-second.ts'

const begins: LiveEvent = {
  time: '2026-11-23T18:00:00.000Z',
  kind: 'phaseBegins',
  row: aRow,
  phase: 'insert',
  pass: 'measured',
  load: 'closed',
  workers: 16,
}

function linesAfter(...events: readonly LiveEvent[]): readonly string[] {
  const { observe, lines } = createPhaseView()
  for (const event of events) observe(event)
  return lines()
}

test('before the first second there is nothing to show', () => {
  expect(linesAfter(begins)).toEqual([])
  expect(linesAfter(begins, aSecond(), begins)).toEqual([])
})

test('load, server and the throughput of the last minute each have a line', () => {
  expect(linesAfter(begins, aSecond({ ok: 500 }), aSecond({ second: 1 }))).toEqual([
    '  1000/s, latency p50 1.23 ms, p99 4.22 ms, 2 errors, 15 in flight',
    '  server CPU 85 % of a core, cache 412 MB of 1 GB, 1.3 MB dirty',
    '  ▅█ 0 to 1000/s',
  ])
})

test('an open loop shows the times from the planned start, and what it sends late and drops', () => {
  const response = { p50Ms: 250, p99Ms: 900, maxMs: 950 }
  const openLoop = { dropped: 3, late: 7, response }
  expect(linesAfter(aSecond({ openLoop })).slice(0, 2)).toEqual([
    '  1000/s, response p50 250 ms, p99 900 ms, 1 error, 15 in flight',
    '  arrivals: 7 late, 3 dropped',
  ])
  const silent = { openLoop: { ...openLoop, response: null }, latency: null, ok: 0, failed: 0 }
  expect(linesAfter(aSecond(silent))[0]).toBe('  0/s, 0 errors, 15 in flight')
})

test('of several servers the busiest is shown', () => {
  const servers = [aServer, { ...aServer, member: 'member1', role: 'secondary' as const, cpuPercent: 120.4 }]
  expect(linesAfter(aSecond({ servers }))[1]).toMatch(/^ {2}member1 \(secondary\) CPU 120 % of a core, /)
})

test('a server of which nothing is known has no line', () => {
  const unknown = { cpuPercent: null, cacheBytes: null, cacheMaxBytes: null, cacheDirtyBytes: null }
  expect(linesAfter(aSecond({ servers: [{ ...aServer, ...unknown }] }))).toHaveLength(2)
})

test('the end of a pass, which is too short for a rate, does not take the place of its last second', () => {
  const [load] = linesAfter(aSecond(), aSecond({ second: 1, lengthSeconds: 0.01, ok: 40, failed: 2 }))
  expect(load).toMatch(/^ {2}1000\/s, .* 3 errors, /)
})

test('lines of a minute at a great rate fit 80 columns', () => {
  const seconds = Array.from({ length: 90 }, (_, second) => aSecond({ second, ok: 1_234_567 }))
  for (const line of linesAfter(...seconds)) expect(line.length).toBeLessThan(80)
})

test('a sparkline goes from 0 to the largest number', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7, 8])).toBe('▁▂▃▄▅▆▇██')
  expect(sparkline([0, 0])).toBe('▁▁')
  expect(sparkline([])).toBe('')
})
