import { type VariantResult } from '../../results/schema.ts'
import { type PeakStep } from '../../results/schema/peak.ts'
import { type MetricTarget, type Scope } from '../scope.ts'
import { median } from '../statistics.ts'

/** One step of a saturation search. */
export type PeakTarget = { readonly phase: string; readonly workers: number }

/** Measures that are known for a single step. */
const stepMetrics: ReadonlySet<string> = new Set([
  'wallSeconds',
  'wallMs',
  'operations',
  'opsPerSecond',
  'meanMs',
  'minMs',
  'p50Ms',
  'p95Ms',
  'p99Ms',
  'p999Ms',
  'maxMs',
  'errors',
])

/** Whether a measure is known for the steps of a search. */
export const isKnownForSteps = (metric: string): boolean => stepMetrics.has(metric)

/** The steps of all runs by phase, with increasing number of workers. */
export function peakStepsIn(runs: readonly VariantResult[]): readonly PeakTarget[] {
  const phases = new Set(runs.flatMap((run) => run.phases.map(({ name }) => name)))
  return [...phases].flatMap((phase) => triedIn(runs, phase).map((workers) => ({ phase, workers })))
}

function triedIn(runs: readonly VariantResult[], phase: string): readonly number[] {
  return [...new Set(stepsIn(runs, phase).map(({ workers }) => workers))].toSorted((a, b) => a - b)
}

const stepsIn = (runs: readonly VariantResult[], phase: string): readonly PeakStep[] =>
  searchesIn(runs, phase).flatMap(({ steps }) => steps)

const searchesIn = (runs: readonly VariantResult[], wanted: string) =>
  runs.flatMap(({ phases }) => phases.flatMap(({ name, peak }) => (name === wanted && peak !== null ? [peak] : [])))

/** Whether a step has the best number of workers: with several runs the median of their results. */
export function isBest(runs: readonly VariantResult[], { phase, workers }: PeakTarget): boolean {
  const found = median(searchesIn(runs, phase).flatMap(({ workers: best }) => best ?? []))
  return found !== null && triedIn(runs, phase).findLast((tried) => tried <= found) === workers
}

/** The scope of a phase reduced to one step. Null if the place or the run has no such step. */
export function scopeOfStep(scope: Scope, target: MetricTarget, { phase: name, workers }: PeakTarget): Scope | null {
  const { phase } = scope
  const [first, ...others] = phase.operations
  const isWhole = target.kind === 'phase' || (target.kind === 'operation' && others.length === 0)
  const step = phase.peak?.steps.find((each) => each.workers === workers)
  if (phase.name !== name || !isWhole || first === undefined || step === undefined) return null
  const { ok, errors, seconds, latency } = step
  const operations = [
    {
      ...first,
      ok,
      failed: errors,
      unknown: 0,
      latency: { ok: latency && { ...latency, clamped: 0, histogram: null }, failed: null, unknown: null },
    },
  ]
  return { ...scope, phase: { ...phase, workers, wallSeconds: seconds, operations, latency }, operations, streams: [] }
}
