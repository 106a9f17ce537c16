import { expect, test } from 'vitest'
import { renderMicroReport } from '../../src/micro/report.ts'
import { microResult, type MicroResult } from '../../src/micro/results.ts'
import { scoreTask } from '../../src/micro/run-micro.ts'
import { inLight } from '../fakes/in-light.ts'

const findOne = { name: 'find-one-by-id', title: 'Find one by ID', group: 'single' } as const

function aResult(changes: Partial<MicroResult> = {}): MicroResult {
  return microResult.parse({
    format: 'mongo-perf-micro-result',
    version: 1,
    tool: { name: 'mongo-perf', version: '0.1.0' },
    environment: {
      host: {
        os: 'Linux 6',
        cpu: 'A CPU',
        cores: 2,
        memoryMB: 8192,
        platform: 'linux-x64',
        motherboard: null,
        disks: [],
      },
      node: 'v20.20.0',
      driver: { name: 'mongodb', version: '7.8.0', options: { writeConcern: { w: 1 } } },
    },
    server: { version: '6.0.5', startedByUs: true, cacheGB: 1 },
    data: { kind: 'generated', seed: 1 },
    limits: { minSeconds: 60, maxSeconds: 300, iterations: 100 },
    byTheRules: true,
    status: 'done',
    startedAt: '2030-01-02T03:04:05.000Z',
    finishedAt: '2030-01-02T03:05:05.000Z',
    tasks: [
      scoreTask(findOne, { kind: 'measured', bytes: 16_220_000, seconds: [0.5, 0.25, 1, 2], statistics: null }),
      { name: 'a', title: 'Client BulkWrite', group: 'multi', status: 'notRun', reason: 'needs MongoDB 8.0' },
      { name: 'b', title: 'GridFS upload', group: 'multi', status: 'failed', error: 'no space left' },
    ],
    composites: [
      { name: 'SingleBench', status: 'scored', megabytesPerSecond: 32.44 },
      { name: 'MultiBench', status: 'incomplete', missing: ['a', 'b', 'c', 'd', 'e'] },
    ],
    ...changes,
  })
}

test('the score is the size of an iteration through its median time', () =>
  expect(
    scoreTask(findOne, { kind: 'measured', bytes: 16_220_000, seconds: [0.5, 0.25, 1, 2], statistics: null }),
  ).toMatchObject({ megabytesPerSecond: 16.22 / 0.5, percentiles: { p50: 0.5 } }))

test('the table shows sizes, times and scores, why a task has none, and what a composite lacks', () => {
  const { markdown } = renderMicroReport(aResult())
  expect(markdown).toContain('MB = 10⁶ bytes')
  const rows = markdown.split('\n').map((line) => line.replaceAll(/ +/g, ' '))
  expect(rows).toContain(
    '| Find one by ID | 16.22 | 4 | 0.500 | 0.250 | 0.250 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 32.44 |',
  )
  expect(markdown).toHaveLine('micro-task-not-run', { reason: 'needs MongoDB 8.0' })
  expect(markdown).toHaveLine('micro-task-failed', { error: 'no space left' })
  expect(rows).toContain('| SingleBench | 32.44 | |')
  expect(rows).toContain('| MultiBench | not computed | a, b, c, 2 more |')
  expect(markdown).not.toMatch(/Not by the specification|aborted|undefined|NaN/)
})

test('tasks in memory have the statistics of tinybench in another table', () => {
  const times = { operations: 1000, meanNs: 81.4, marginPercent: 0.52, p50Ns: 80, p75Ns: 82, p99Ns: 95.06, p999Ns: 120 }
  const draw = { name: 'draw-int', title: 'Draw int', group: 'generators' } as const
  const drawn = scoreTask(draw, { kind: 'measured', bytes: 4000, seconds: [0.00008], statistics: times })
  expect(drawn).toMatchObject({ megabytesPerSecond: 50 })
  const { markdown } = renderMicroReport(aResult({ tasks: [drawn] }))
  const rows = markdown.split('\n').map((line) => line.replaceAll(/ +/g, ' '))
  expect(rows.filter((line) => line.startsWith('| Draw int'))).toEqual([
    expect.stringMatching(/ 50\.00 \|$/),
    '| Draw int | 1000 | 81.4 | 0.52 | 80 | 82 | 95.1 | 120 |',
  ])
})

test('shorter limits and an abort are reported before any figure', () => {
  const limits = { minSeconds: 1, maxSeconds: 5, iterations: 10 }
  const { markdown } = renderMicroReport(aResult({ byTheRules: false, limits, status: 'aborted' }))
  const warnings = markdown.slice(0, markdown.indexOf('| Find one'))
  expect(warnings).toHaveLine('micro-not-by-the-rules')
  expect(warnings).toHaveLine('micro-run-aborted')
})

test('the chart has a bar with figure and range for every measured task, and none when there is none', () => {
  const [chart] = renderMicroReport(aResult()).charts
  expect(inLight(chart).marks).toEqual([{ dataset: 0, index: 0, range: [16.22, 64.88], text: '32.4' }])
  expect(chart?.alt).toContain('Find one by ID → 32.4')
  expect(renderMicroReport(aResult({ tasks: [] })).charts).toEqual([])
  // A standing bar needs the room of a whole chart for its axis.
  expect(inLight(chart).height).toBeGreaterThan(500)
})
