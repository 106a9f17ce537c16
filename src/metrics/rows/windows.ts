import { nearest } from '../../core/nearest.ts'
import { type PhaseResult, type VariantResult } from '../../results/schema.ts'
import { type OperationResult } from '../../results/schema/calls.ts'
import { type WindowResult } from '../../results/schema/windows.ts'
import { type PhaseShape, type Scope, type TargetInPhase } from '../scope.ts'
import { median } from '../statistics.ts'

/** A phase, and the windows of it that have a name: see `windowsNamed`. */
export type NamedWindows = { readonly phase: string; readonly window: string }

/** Whether a metric is known of single windows. In an open loop their times are those of responses. */
export const isKnownForWindows = (metric: string): boolean =>
  /^(wallSeconds|wallMs|operations|opsPerSecond|errors|(mean|min|p50|p95|p99|p999|max)Ms|response(Mean|Min|P50|P95|P99|P999|Max)Ms)$/.test(
    metric,
  )

/** Name of the window that is the answer of a search. */
const answer = 'found'

/** Names that the windows of a phase may have. A step also has that of its place: "8". */
const windowNames = { steps: [answer], pairs: ['with', 'without'] } as const

/** The issue of a name of windows in a phase, with the nearest name. Undefined: it is one of them. */
export function findWindowIssue(
  name: string,
  { name: phase, windows }: PhaseShape,
): { readonly reason: string; readonly nearest: string | null } | undefined {
  if (windows === undefined) return { reason: `the phase "${phase}" has one window only`, nearest: null }
  const known = windowNames[windows]
  if (known.some((one) => one === name) || (windows === 'steps' && Number(name) > 0)) return undefined
  const steps = windows === 'steps' ? ', and each step is named by its workers or rate' : ''
  return {
    reason: `the phase "${phase}" has no window "${name}": it has ${known.join(' and ')}${steps}`,
    nearest: nearest(name, known) ?? known[0],
  }
}

/** The windows of a name: a step has that of its place and, where it is the answer, "found"; of both, the last one decided. */
function windowsNamed({ windows, outcome }: PhaseResult, name: string): readonly WindowResult[] {
  const ofPairs = windows.filter(({ purpose }) => purpose === name)
  if (ofPairs.length > 0 || outcome === null) return ofPairs
  const place = name === answer ? outcome.found : Number(name)
  return windows.filter(({ at }) => at === place).slice(-1)
}

/** The windows of all runs by phase: steps in the order of their places, then pairs. */
export function listWindows(runs: readonly VariantResult[]): readonly NamedWindows[] {
  const phases = new Set(runs.flatMap((run) => run.phases.map(({ name }) => name)))
  return [...phases].flatMap((phase) => {
    const windows = phasesNamed(runs, phase).flatMap((one) => one.windows)
    const pairs = windowNames.pairs.filter((name) => windows.some(({ purpose }) => purpose === name))
    return [...placesIn(runs, phase).map(String), ...pairs].map((window) => ({ phase, window }))
  })
}

const phasesNamed = (runs: readonly VariantResult[], wanted: string): readonly PhaseResult[] =>
  runs.flatMap(({ phases }) => phases.filter(({ name }) => name === wanted))

function placesIn(runs: readonly VariantResult[], phase: string): readonly number[] {
  const searches = phasesNamed(runs, phase).filter(({ outcome }) => outcome !== null)
  return [...new Set(searches.flatMap(({ windows }) => windows.map(({ at }) => at)))].toSorted((a, b) => a - b)
}

/** Whether a window is the answer of a search: with several runs the median of their answers. */
export function isAnswer(runs: readonly VariantResult[], { phase, window }: NamedWindows): boolean {
  const found = median(phasesNamed(runs, phase).flatMap(({ outcome }) => outcome?.found ?? []))
  return found !== null && placesIn(runs, phase).findLast((place) => place <= found) === Number(window)
}

/** The scope of a phase, reduced to each of its windows of a name. Empty if the place has no figures of windows. */
export function narrowToWindows(scope: Scope, { kind }: TargetInPhase, name: string): readonly Scope[] {
  const [only, ...others] = scope.phase.operations
  const isWhole = kind === 'phase' || (kind === 'operation' && others.length === 0)
  return only === undefined || !isWhole
    ? []
    : windowsNamed(scope.phase, name).map((window) => narrowToWindow(scope, only, window))
}

function narrowToWindow(
  scope: Scope,
  operation: OperationResult,
  { at, ok, errors, seconds, latency }: WindowResult,
): Scope {
  const { phase } = scope
  const isOpen = phase.openLoop !== null
  const times = latency && { ...latency, clamped: 0, histogram: null }
  const ofSent = { ok: isOpen ? null : times, failed: null, unknown: null }
  const operations = [{ ...operation, ok, failed: errors, unknown: 0, latency: ofSent, openLoop: null }]
  const narrowed = {
    ...phase,
    workers: phase.load === 'findPeak' ? at : phase.workers,
    wallSeconds: seconds,
    operations,
    latency: isOpen ? null : latency,
    openLoop: phase.openLoop && { ...phase.openLoop, seconds, response: times },
  }
  return { ...scope, phase: narrowed, operations, streams: [] }
}
