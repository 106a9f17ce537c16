import { expect, test } from 'vitest'
import { checkThresholdSamples } from '../../src/run/preflight/threshold-samples.ts'
import { loadSpecText } from '../../src/spec/load-spec.ts'

const read = { kind: 'findOne', filter: { _id: 1 } }

/** What is wrong with the thresholds of a spec of one phase. Empty: nothing. */
function refused(
  threshold: string,
  phase: object,
  { times, ...parts }: { times?: number; repeat?: object } = {},
): string {
  const spec = {
    name: 'samples',
    data: { collection: 'c', rows: 10, document: { _id: { '@row': {} } } },
    phases: [{ name: 'p', operations: [read], ...phase }],
    thresholds: [threshold],
    ...parts,
  }
  try {
    checkThresholdSamples(loadSpecText(JSON.stringify(spec), 'samples.json'), times)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const open = (ratePerSecond: number, arrivals = 'constant') => ({ kind: 'open', ratePerSecond, arrivals })
const stages = [
  { seconds: 100, ratePerSecond: 100, measured: false },
  { seconds: 10, ratePerSecond: 0, toRatePerSecond: 100 },
]

test.each<[string, string, object]>([
  ['p.p99Ms < 5', '999 calls', { stopAfter: { operations: 999 } }],
  ['p.responseP99Ms < 5', '200 calls per second for a second', { load: open(200), stopAfter: { seconds: 1 } }],
  ['p.p99Ms < 5', 'stages of which one is measured', { load: { kind: 'open', stages } }],
  [
    'p.p95Ms < 5',
    'ten workers, held back',
    { load: { kind: 'closed', workers: 10, maxRatePerSecond: 50 }, stopAfter: { seconds: 3 } },
  ],
  ['p.p99Ms < 5', 'about 800 calls, however they fall', { load: open(800, 'poisson'), stopAfter: { seconds: 1 } }],
  [
    'rare.p50Ms < 5',
    'one in a thousand of 1,000',
    {
      stopAfter: { operations: 1000 },
      operations: [
        { ...read, weight: 999 },
        { ...read, name: 'rare' },
      ],
    },
  ],
])('%s is refused where there are only %s', (threshold, _, phase) => {
  expect(refused(threshold, phase)).toMatch(
    `samples: the threshold "${threshold}" needs ${/p99/i.test(threshold) ? 1000 : /p95/.test(threshold) ? 200 : 20} samples, and a row has at most `,
  )
})

test.each<[string, string, object]>([
  ['p.p99Ms < 5', '1,000 calls', { stopAfter: { operations: 1000 } }],
  ['p.p99Ms < 5', 'about 990 calls, which may be 1,000', { load: open(990, 'poisson'), stopAfter: { seconds: 1 } }],
  ['p.maxMs < 5', 'one call, and no percentile', { stopAfter: { operations: 1 } }],
  ['p.p999Ms < 5', 'workers that are as fast as they can be', { stopAfter: { seconds: 0.1 } }],
  ['p.p99Ms < 5', 'shares of the time', { stopAfter: { operations: 1000 }, operations: [{ ...read, share: 1 }] }],
])('%s may be met with %s', (threshold, _, phase) => {
  expect(refused(threshold, phase)).toBe('')
})

test('runs of a row add up, without those for starting up', () => {
  const phase = { stopAfter: { operations: 400 } }
  const repeat = { times: 3, startUpRuns: 1 }
  expect(refused('p.p99Ms < 5', phase, { times: 3 })).toBe('')
  expect(refused('p.p99Ms < 5', phase, { repeat })).toContain('at most 800,')
  expect(refused('p.p99Ms < 5', phase, { repeat, times: 4 })).toBe('')
})
