import { follow } from '../load/courses/course.ts'
import { type PartSink } from '../load/part-sink.ts'
import { computeSummary, successes } from '../metrics/latency.ts'
import { findBusiest } from '../metrics/limited-by/busiest.ts'
import { findLimit } from '../metrics/limited-by/index.ts'
import { findPlan } from '../metrics/limited-by/offered-rate.ts'
import { createPhaseScope, judgeLimits } from '../metrics/limits.ts'
import { type Shape } from '../metrics/scope.ts'
import { sum } from '../metrics/statistics.ts'
import { type PhaseResult, type VariantResult } from '../results/schema.ts'
import { type Latency, type LatencySummary } from '../results/schema/latency.ts'
import { type SearchStep, type WindowResult } from '../results/schema/windows.ts'
import { getPlan, listLimits, planStep } from '../spec/plan/search-steps.ts'
import { shapeOfPhase } from '../spec/plan/shape.ts'
import { type PhaseSpec } from '../spec/schema/phase-schema.ts'
import type { SearchLoad } from '../spec/schema/search-loads.ts'
import { watchThresholds } from './instruments/abort-condition.ts'
import { type EndedPhase } from './measure-phase.ts'
import { type LoadOfPhase, type RowRun } from './row-run.ts'

/** Calls that are due and not answered make a step hopeless once they are the calls of this number of seconds, or this number at low rates. */
const hopeless = { seconds: 2, calls: 20 } as const

type Measured = { readonly window: WindowResult; readonly result: PhaseResult; readonly ended: EndedPhase }

/** The means to end a step early: a signal, and sinks that take its parts. */
export type StepEnding = { readonly signal: AbortSignal; readonly sinks: readonly PartSink[] }

export type MeasureStep = (step: SearchStep, ending: StepEnding) => Promise<EndedPhase>

/** Measures the steps of a search. The figures of the phase are those of the last one, which confirms the answer. */
export async function search(
  { source: phase, signal }: Pick<LoadOfPhase, 'source' | 'signal'>,
  load: SearchLoad,
  { server, emit, at }: Pick<RowRun, 'emit' | 'at'> & Pick<VariantResult, 'server'>,
  measure: MeasureStep,
): Promise<EndedPhase> {
  const shape = shapeOfPhase(phase)
  const holds = listLimits(load)
  const course = getPlan(load).createCourse(load)
  const hasEnded = ({ result }: Measured): boolean => !signal.aborted || result.endedBecause === 'seconds'
  const windowsOf = (measured: readonly Measured[]): readonly WindowResult[] => measured.map(({ window }) => window)

  async function tryStep(step: SearchStep): Promise<Measured> {
    const ending = new AbortController()
    const watch = watchStep(planStep(phase, load, step).load, holds, shape, () => ending.abort())
    const ended = await measure(step, { signal: AbortSignal.any([signal, ending.signal]), sinks: [watch] })
    const [only] = await Promise.all(ended.results)
    if (only === undefined) throw new Error(`A step of "${phase.name}" has no window`)
    const result = { ...only, name: phase.name, load: load.kind }
    const judged = { ...judgeStep(result, { holds, shape, server }), ...step, endedEarly: ending.signal.aborted }
    const measured = { window: judged, result, ended }
    if (hasEnded(measured)) emit({ kind: 'step', at, phase: phase.name, load: load.kind, step: judged })
    return measured
  }

  const measured = await follow<SearchStep, Measured>(
    { next: (behind) => (behind.length > 0 && signal.aborted ? undefined : course.next(windowsOf(behind))) },
    tryStep,
  )
  const whole = measured.filter(hasEnded)
  const shown = whole.at(-1) ?? measured[0]
  if (shown === undefined) throw new Error(`The search "${phase.name}" had no step`)
  const windows = windowsOf(whole)
  const endedBecause = signal.aborted
    ? 'aborted'
    : shown.window.endedEarly
      ? 'limits missed'
      : shown.result.endedBecause
  return {
    isLast: signal.aborted,
    operations: shown.ended.operations,
    results: [
      Promise.resolve({
        ...shown.result,
        endedBecause,
        windows: [...windows],
        outcome: { holds, ...course.outcome(windows) },
      }),
    ],
  }
}

/** Ends a step in which calls pile up, or in which a limit on errors can no longer hold. */
function watchStep(load: PhaseSpec['load'], holds: readonly string[], shape: Shape, end: () => void): PartSink {
  const [phase = { name: '', operations: [] }] = shape.phases
  const isBeyond = watchThresholds(holds, phase, shape)
  const ratePerSecond = load.kind === 'open' ? (load.ratePerSecond ?? Infinity) : Infinity
  let dropped = 0
  return (part, { pass, inFlight }) => {
    if (pass !== 'measured') return
    dropped += part.arrivals.dropped.reduce((all, each) => all + each, 0)
    const isHopeless = inFlight + dropped > Math.max(hopeless.calls, ratePerSecond * hopeless.seconds)
    if (isBeyond(part) || isHopeless) end()
  }
}

type Judging = { readonly holds: string[]; readonly shape: Shape; readonly server: VariantResult['server'] }

function judgeStep(
  result: PhaseResult,
  { holds, shape, server }: Judging,
): Omit<WindowResult, 'at' | 'purpose' | 'endedEarly'> {
  const { operations, openLoop, endedBecause } = result
  const scope = createPhaseScope(result, server)
  const limits = judgeLimits(holds, scope, shape)
  const seconds = openLoop?.seconds ?? result.wallSeconds
  const ok = sum(operations.map((each) => each.ok))
  return {
    held: endedBecause === 'seconds' && keepsUp(result) && limits.every(({ held }) => held),
    seconds,
    ok,
    errors: sum(operations.map(({ failed, unknown }) => failed + unknown)),
    opsPerSecond: seconds > 0 ? ok / seconds : 0,
    latency: summarizeLatency(result),
    dropped: openLoop?.dropped ?? 0,
    limits,
    limitedBy: describeResource(findLimit(scope)),
    busiest: describeResource(findBusiest(scope)),
  }
}

const keepsUp = (result: PhaseResult): boolean =>
  result.openLoop === null || (result.openLoop.dropped === 0 && findPlan(result.openLoop, result) !== null)

const describeResource = (found: { readonly name: string; readonly text: string } | null): string | null =>
  found && `${found.name} (${found.text})`

/** A step keeps its percentiles, without the histogram. */
function summarizeLatency({ openLoop, operations }: PhaseResult): WindowResult['latency'] {
  const times: (LatencySummary & Partial<Latency>) | null =
    openLoop === null ? computeSummary(successes(operations)) : openLoop.response
  if (times === null) return null
  const { clamped: _, histogram: __, ...summary } = times
  return summary
}
