import { expect, test } from 'vitest'
import { createHistory } from '../../../src/servers/resources/history.ts'
import { sampleAt } from './samples.ts'

const at = (atMs: number, journalBytes: number, rest: Parameters<typeof sampleAt>[2] = {}) =>
  sampleAt(atMs, { journalBytes, connections: journalBytes }, rest)

test('a counter between two samples lies on the straight line between them, in whole numbers', () => {
  const history = createHistory([at(1000, 10), at(2000, 21)])
  expect(history.counterAt('journalBytes', 1000)?.value).toBe(10)
  expect(history.counterAt('journalBytes', 1250)?.value).toBe(13)
  expect(history.counterAt('journalBytes', 2000)?.value).toBe(21)
})

test('samples may come in any order', () => {
  const history = createHistory([at(3000, 30), at(1000, 10), at(2000, 20)])
  expect([1500, 2500].map((ms) => history.counterAt('journalBytes', ms)?.value)).toEqual([15, 25])
})

test('before the first sample, after the last one and across a gap nothing is known of a counter', () => {
  const history = createHistory([at(1000, 10), at(2000, 20), at(6000, 60)])
  expect([999, 4000, 6001].map((ms) => history.counterAt('journalBytes', ms))).toEqual([null, null, null])
})

test('samples without a metric are skipped', () => {
  const history = createHistory([at(1000, 10), sampleAt(1500, { diskReads: 3 }), at(2000, 20)])
  expect(history.counterAt('journalBytes', 1500)?.value).toBe(15)
})

test('a gauge is the last reading, unless that is too old', () => {
  const history = createHistory([at(1000, 10), at(2000, 20)])
  const gauges = [999, 1999, 2000, 4500, 4501].map((ms) => history.gaugeAt('connections', ms))
  expect(gauges).toEqual([null, 10, 20, 20, null])
})

test.each([
  ['another process id', { pid: 2 }],
  ['an uptime that went back, as in a container where the id is always 1', { uptimeMs: 300 }],
])('%s is a restart, across which a counter has no value', (_, rest) => {
  const afterwards = [at(3000, 1, rest), at(3500, 2, { ...rest, uptimeMs: 800 })]
  const history = createHistory([at(1000, 10), at(2000, 20), ...afterwards])
  expect(history.restarted(1000, 3000)).toBe(true)
  expect(history.restarted(1000, 2000)).toBe(false)
  expect(history.counterAt('journalBytes', 2500)).toBeNull()
  expect(history.counterAt('journalBytes', 3200)?.life).not.toBe(history.counterAt('journalBytes', 1500)?.life)
})

test('an uptime that seems to go back by milliseconds is no restart', () => {
  const history = createHistory([at(1000, 10, { uptimeMs: 1005 }), at(1001, 10, { uptimeMs: 1001 })])
  expect(history.restarted(0, 2000)).toBe(false)
})
