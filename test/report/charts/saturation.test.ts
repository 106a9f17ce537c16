import { describe, expect, test } from 'vitest'
import { unjudged } from '../../../src/load/run-load.ts'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { fail } from '../../fakes/fail.ts'
import { fakeLatency, fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { inLight } from '../../fakes/in-light.ts'

const step = (workers: number, opsPerSecond: number) => {
  const { clamped: _, histogram: __, ...latency } = fakeLatency([(1000 * workers) / opsPerSecond])
  const figures = { seconds: 2, ok: opsPerSecond * 2, errors: 0, opsPerSecond, latency: { ...latency, count: 1000 } }
  return { ...unjudged, ...figures, purpose: 'step' as const, at: workers }
}

type Steps = readonly (readonly [workers: number, speed: number])[]

const searchOf = (steps: Steps, warnings: PhaseResult['warnings'] = []) => {
  return fakePhase({
    name: 'pay',
    load: 'findPeak',
    wallSeconds: 60,
    operations: [fakeOperation({})],
    windows: steps.map(([workers, speed]) => step(workers, speed)),
    outcome: { holds: [], found: 8, low: 4, high: 16, confirmed: true },
    warnings: [...warnings],
  })
}

const saturation = { kind: 'saturation', along: { row: 'window', title: 'Workers' }, x: 'opsPerSecond', y: ['p99Ms'] }

const drawn = (...steps: Steps) => drawnOf(searchOf(steps))

function drawnOf(phase: PhaseResult, chart: object = saturation) {
  const report = { tables: [], charts: [chart] } as never
  const variants = [fakeVariant({ phases: [phase] })]
  return createCharts(evaluateReport(fakeResult({ variants, spec: { report } })))[0] ?? fail('no chart')
}

const bend: Steps = [
  [1, 500],
  [2, 980],
  [4, 1800],
  [8, 1950],
  [16, 1700],
]

describe('latency against throughput', () => {
  const bent = drawn(...bend)
  const { points = [] } = bent.picture.lines[0] ?? {}

  test('connects the steps in the order of their workers, even where the curve bends back', () => {
    expect(points.map(({ name }) => name)).toEqual(['1', '2', '4', '8', '16'])
    expect(points.map(({ x }) => x)).toEqual([500, 980, 1800, 1950, 1700])
    expect(points.map(({ y }) => y)).toEqual(
      [1, 2, 4, 8, 16].map((workers, index) => expect.closeTo((1000 * workers) / (points[index]?.x ?? 0), 2)),
    )
  })

  test('marks the step with the highest throughput for its latency', () => {
    expect(points.flatMap(({ mark, name }) => (mark === undefined ? [] : [[mark, name]]))).toEqual([['knee', '4']])
    expect(bent.title).toBe('p99 (ms) against Throughput (ops/s): knee at 1800 ops/s (Workers: 4)')
    expect(inLight(bent).marks.map(({ text }) => text)).toEqual(['1', '2', 'knee: 4', '8', '16'])
  })

  test('marks no knee where throughput still rises with the last step', () => {
    const straight = drawn([1, 500], [2, 1000], [4, 2000])
    expect(straight.picture.lines[0]?.points.some(({ mark }) => mark !== undefined)).toBe(false)
    expect(straight.title).toBe('p99 (ms) against Throughput (ops/s)')
    expect(straight.subtitle).not.toContain('ring')
    expect(bent.subtitle).toContain('ring: knee')
  })

  test('has readable numbers in its text for screen readers', () =>
    expect(drawn([1, 500.123456], [2, 1800.123456]).alt).toMatch(/ 500\.123 → [\d.]+, 1800 → /))

  test('puts no ring around steps that do not compare', () => {
    const warning = { code: 'fault-failed', message: 'a', advice: '' } as const
    const { picture, subtitle } = drawnOf(searchOf(bend, [warning]))
    expect(picture.lines[0]?.points.some(({ mark }) => mark !== undefined)).toBe(false)
    expect(subtitle).not.toContain('ring')
    const overWorkers = { kind: 'line', x: { row: 'window' }, y: ['opsPerSecond'] }
    const title = (warnings: PhaseResult['warnings']) => drawnOf(searchOf(bend, warnings), overWorkers).title
    expect(title([])).toContain('best at 8')
    expect(title([warning])).not.toContain('best')
  })

  test('does not move points to the side: their place is a measured value', () =>
    expect(inLight(bent).shifts).toEqual([0]))
})
