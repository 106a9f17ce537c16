import { expect, test } from 'vitest'
import { createPhaseView, sparkline } from '../../src/cli/terminal/phase-view.ts'
import { type LiveEvent } from '../../src/run/live/live-events.ts'
import { aRow, aSecond, aServer } from '../run/live/a-second.ts'

const phase = { phase: 'insert', pass: 'measured', load: 'closed', workers: 16 } as const
const begins: LiveEvent = { time: '2026-11-23T18:00:00.000Z', kind: 'phaseBegins', row: aRow, ...phase }

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
  const lines = linesAfter(begins, aSecond({ ok: 500 }), aSecond({ second: 1 }))
  expect(lines).toSay('live-lines', { rate: '1000/s', errors: 2 })
  expect(lines.map((line) => line.search(/\S/))).toEqual([2, 2, 2])
})

test('an open loop shows the times from the planned start, and what it sends late and drops', () => {
  const response = { p50Ms: 250, p99Ms: 900, maxMs: 950 }
  const openLoop = { dropped: 3, late: 7, response }
  expect(linesAfter(aSecond({ openLoop })).slice(0, 2)).toSay('live-lines-open-loop', { late: 7, dropped: 3 })
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
