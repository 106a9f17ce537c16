import { type PhaseResult, type Result } from '../../src/results/schema.ts'
import { type Latency } from '../../src/results/schema/latency.ts'
import { type FakeResult, fakeMember, fakeOperation, fakePhase, fakeResult, fakeVariant } from './fake-result.ts'

/** Eight runs within 1.5 % of a figure, the same every time. */
export const around = (figure: number, noise = 0.015): readonly number[] =>
  Array.from({ length: 8 }, (_, run) => figure * (1 + noise * Math.sin(run * 2.4)))

/** Latencies of so many operations: p99 is three times the median. */
export const latencyOf = (p50Ms: number, count: number): Latency => ({
  count,
  meanMs: p50Ms,
  minMs: p50Ms / 2,
  maxMs: p50Ms * 9,
  p50Ms,
  p95Ms: p50Ms * 2,
  p99Ms: p50Ms * 3,
  p999Ms: p50Ms * 5,
  clamped: 0,
  histogram: null,
})

/** A phase of four seconds with so many operations a second, by eight workers that always wait for one. */
export function phaseWith(speed: number, given: Partial<PhaseResult> = {}): PhaseResult {
  const ok = Math.round(speed * 4)
  const latency = { ok: ok === 0 ? null : latencyOf((8000 / speed) ** 1.2, ok), failed: null, unknown: null }
  return fakePhase({
    workers: 8,
    operations: [fakeOperation({ ok, latency })],
    members: [fakeMember({ totals: { processCpuUs: 250 * ok ** 1.05 } })],
    ...given,
  })
}

/** A result with the runs of its rows, each by its operations per second. */
export function resultWith(rows: Readonly<Record<string, readonly number[]>>, given: FakeResult = {}): Result {
  return fakeResult({
    variants: Object.entries(rows).flatMap(([label, speeds], row) =>
      speeds.map((speed, index) => fakeVariant({ row, run: index + 1, label, phases: [phaseWith(speed)] })),
    ),
    ...given,
  })
}

/** The example of the README: a release that made one of three batch sizes slower, and one faster. */
export const exampleBefore = resultWith({
  'batch 1': around(2000),
  'batch 10': around(1200),
  'batch 100': around(400),
})
/** As above, after it. */
export const exampleAfter = resultWith(
  { 'batch 1': around(2000).toReversed(), 'batch 10': around(1040), 'batch 100': around(420) },
  { startedAt: '2026-11-21T10:00:00.000Z' },
)
