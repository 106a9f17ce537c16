import { expect, test } from 'vitest'
import { unjudged } from '../../../src/load/run-load.ts'
import { columns } from '../../../src/metrics/columns/index.ts'
import { meanRatio, pairFigures, pairWindows } from '../../../src/metrics/pairs.ts'
import { pairBlocks } from '../../../src/report/blocks/windows.ts'
import { renderReport } from '../../../src/report/report.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { type WindowResult } from '../../../src/results/schema/windows.ts'
import { fail } from '../../fakes/fail.ts'
import { fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

function aWindow(at: number, on: boolean, opsPerSecond: number, ms: number, count = 1000): WindowResult {
  const latency = { count, meanMs: ms, minMs: ms, maxMs: ms, p50Ms: ms, p95Ms: ms, p99Ms: 3 * ms, p999Ms: ms }
  const figures = { seconds: 1, ok: count, errors: 0, opsPerSecond, latency: count === 0 ? null : latency }
  return { ...unjudged, ...figures, purpose: on ? 'with' : 'without', at }
}

/** Recorded by a run of `background-jobs`, rounded: reads per second without and with an aggregation beside them. */
const recorded = [
  [1074, 427],
  [1120, 460],
  [990, 455],
  [1041, 398],
  [1088, 470],
  [1015, 421],
] as const

const pairs = (figures: readonly (readonly [number, number])[], count?: number): WindowResult[] =>
  figures.flatMap(([off, on], pair) => {
    const two = [aWindow(pair, false, off, 2, count), aWindow(pair, true, on, 5, count)]
    // The order within a pair means nothing.
    return pair % 2 === 0 ? two : two.toReversed()
  })

const phaseOf = (measured: WindowResult[], given: Partial<PhaseResult> = {}): PhaseResult =>
  fakePhase({
    name: 'readers',
    parallel: { phase: 'mixed', fromSeconds: 0, alternating: 'job' },
    windows: measured,
    ...given,
  })

const linesOf = (...phases: PhaseResult[]) => {
  const [first = fail('no block')] = pairBlocks(fakeResult({ variants: [fakeVariant({ phases })] }))
  return first.kind === 'table' ? first.table.rows.map(({ cells }) => cells) : fail('no table')
}

test('a window is compared with the other one of its pair', () => {
  const measured = pairs([[100, 50]])
  expect(pairWindows(phaseOf(measured), pairFigures.opsPerSecond.read)).toEqual([{ pair: 0, a: 100, b: 50 }])
  expect(meanRatio(phaseOf(pairs([...recorded])), pairFigures.opsPerSecond.read)).toBeCloseTo(0.415, 3)
})

test('a pair that has lost a window is left out', () => {
  const measured = [...pairs([[100, 50]]), aWindow(1, true, 50, 5)]
  expect(pairWindows(phaseOf(measured), pairFigures.opsPerSecond.read)).toHaveLength(1)
  expect(meanRatio(phaseOf([aWindow(1, true, 50, 5)]), pairFigures.opsPerSecond.read)).toBeNull()
})

test('the ratio of each figure has its interval and its verdict', () =>
  expect(linesOf(phaseOf(pairs([...recorded])))).toEqual([
    ['readers', 'Throughput (ops/s)', '1058', '441', '0.42 (0.39 to 0.44)', 'worse'],
    ['readers', 'p50 (ms)', '2.00', '5.00', '2.50 (2.50 to 2.50)', 'worse'],
    ['readers', 'p99 (ms)', '6.00', '15.00', '2.50 (2.50 to 2.50)', 'worse'],
  ]))

test('fewer than six pairs are too few for a verdict, and of few calls there is no 99th percentile', () => {
  const [throughput, , p99] = linesOf(phaseOf(pairs(recorded.slice(0, 2), 60)))
  expect(throughput?.slice(-2)).toEqual(['about 0.40', 'too few pairs of windows: 4 more'])
  expect(p99?.slice(2)).toEqual([null, null, 'not known', 'too few operations'])
})

test('of an open loop the rate is planned, and not compared', () => {
  const lines = linesOf(phaseOf(pairs([...recorded]), { load: 'open' }))
  expect(lines.map((cells) => cells[1])).toEqual(['p50 (ms)', 'p99 (ms)'])
})

const runOf = (run: number) => fakeVariant({ run, phases: [phaseOf(pairs(recorded.slice(0, 3)))] })

test('the runs of a row count together', () => {
  const repeat = { times: 2, startUpRuns: 0 }
  const result = fakeResult({ variants: [runOf(1), runOf(2)] })
  const [table] = pairBlocks({ ...result, spec: { ...result.spec, repeat } })
  expect(JSON.stringify(table)).toContain('"0.42 (0.39 to 0.45)","worse"')
})

const cpuPerOperation = (phase: PhaseResult) => {
  const scope = { variant: fakeVariant({ phases: [phase] }), phase, operations: phase.operations, streams: [] }
  return columns.clientCpuUsPerOperation.value(scope)
}

test('what the machines did is not that of one load alone', () => {
  expect(cpuPerOperation(fakePhase())).toBeGreaterThan(0)
  expect(cpuPerOperation(phaseOf([]))).toBeNull()
})

test('a report without such a load says nothing of it', () => {
  expect(pairBlocks(fakeResult())).toEqual([])
  expect(
    renderReport(fakeResult({ variants: [fakeVariant({ phases: [phaseOf(pairs([...recorded]))] })] })).markdown,
  ).toContain('With and without')
})
