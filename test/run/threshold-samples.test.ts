import { expect, test } from 'vitest'
import { checkThresholdSamples } from '../../src/run/preflight/threshold-samples.ts'
import { loadSpecText } from '../../src/spec/load-spec.ts'

const read = { kind: 'findOne', filter: { _id: 1 } }

/** Checks the thresholds of a spec of one phase. */
function check(threshold: string, phase: object, given: { times?: number; repeat?: object } = {}): () => void {
  const { times, ...parts } = given
  const data = { collection: 'c', rows: 10, document: { _id: { '@row': {} } } }
  const phases = [{ name: 'p', operations: [read], ...phase }]
  const spec = { name: 'samples', data, phases, thresholds: [threshold], ...parts }
  return () => checkThresholdSamples(loadSpecText(JSON.stringify(spec), 'samples.json'), times)
}

const open = (ratePerSecond: number, arrivals = 'constant') => ({ kind: 'open', ratePerSecond, arrivals })
const stages = [
  { seconds: 100, ratePerSecond: 100, measured: false },
  { seconds: 10, ratePerSecond: 0, toRatePerSecond: 100 },
]

const held = { kind: 'closed', workers: 10, maxRatePerSecond: 50 }
const mixed = [
  { ...read, weight: 999 },
  { ...read, name: 'rare' },
]
const second = { stopAfter: { seconds: 1 } }

test.each<[string, string, number, number, object]>([
  ['p.p99Ms < 5', '999 calls', 1000, 999, { stopAfter: { operations: 999 } }],
  ['p.responseP99Ms < 5', '200 calls per second for a second', 1000, 200, { load: open(200), ...second }],
  ['p.p99Ms < 5', 'stages of which one is measured', 1000, 611, { load: { kind: 'open', stages } }],
  ['p.p95Ms < 5', 'ten workers, held back', 200, 160, { load: held, stopAfter: { seconds: 3 } }],
  ['p.p99Ms < 5', 'about 800 calls, however they fall', 1000, 941, { load: open(800, 'poisson'), ...second }],
  ['rare.p50Ms < 5', 'one in a thousand of 1,000', 20, 6, { stopAfter: { operations: 1000 }, operations: mixed }],
])('%s is refused where there are only %s', (threshold, _, needed, most, phase) => {
  expect(check(threshold, phase)).toSay('threshold-samples-too-few', { threshold, needed, most })
})

test.each<[string, string, object]>([
  ['p.p99Ms < 5', '1,000 calls', { stopAfter: { operations: 1000 } }],
  ['p.p99Ms < 5', 'about 990 calls, which may be 1,000', { load: open(990, 'poisson'), ...second }],
  ['p.maxMs < 5', 'one call, and no percentile', { stopAfter: { operations: 1 } }],
  ['p.p999Ms < 5', 'workers that are as fast as they can be', { stopAfter: { seconds: 0.1 } }],
  ['p.p99Ms < 5', 'shares of the time', { stopAfter: { operations: 1000 }, operations: [{ ...read, share: 1 }] }],
])('%s may be met with %s', (threshold, _, phase) => {
  expect(check(threshold, phase)).not.toThrow()
})

test('runs of a row add up, without those for starting up', () => {
  const phase = { stopAfter: { operations: 400 } }
  const repeat = { times: 3, startUpRuns: 1 }
  const threshold = 'p.p99Ms < 5'
  expect(check(threshold, phase, { times: 3 })).not.toThrow()
  expect(check(threshold, phase, { repeat })).toSay('threshold-samples-too-few', { threshold, needed: 1000, most: 800 })
  expect(check(threshold, phase, { repeat, times: 4 })).not.toThrow()
})
