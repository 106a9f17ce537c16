import { type PartSink } from '../../load/part-sink.ts'
import { findBusiest } from '../../metrics/limited-by/busiest.ts'
import { findLimit } from '../../metrics/limited-by/index.ts'
import { findPlan } from '../../metrics/limited-by/offered-rate.ts'
import { createPhaseScope, judgeLimits } from '../../metrics/limits.ts'
import { type Scope, type Shape } from '../../metrics/scope.ts'
import { type PhaseResult, type VariantResult } from '../../results/schema.ts'
import { type Latency, type LatencySummary } from '../../results/schema/latency.ts'
import { type RateStep } from '../../results/schema/rate.ts'
import { planRateStep } from '../../spec/plan/rate-steps.ts'
import { shapeOfPhase } from '../../spec/plan/shape.ts'
import { type FindRateLoad } from '../../spec/schema/find-rate-schema.ts'
import { type PhaseSpec } from '../../spec/schema/phase-schema.ts'
import { watchThresholds } from '../instruments/abort-condition.ts'
import { type EndedPhase } from '../measure-phase.ts'
import { findBounds, nextRate } from './next-rate.ts'

/** Calls that are due and not answered make a step hopeless once they are the calls of this number of seconds, or this number at low rates. */
const hopeless = { seconds: 2, calls: 20 } as const

type Measured = { readonly step: RateStep; readonly result: PhaseResult; readonly ended: EndedPhase }

/** Measures a step. It ends when the signal aborts; the sink takes its parts. */
export type MeasureStep = (step: PhaseSpec, signal: AbortSignal, sink: PartSink) => Promise<EndedPhase>

/** The surroundings of a search in its row. */
type SearchContext = {
  readonly signal: AbortSignal
  readonly server: VariantResult['server']
  readonly measure: MeasureStep
  /** A step has been judged. */
  readonly onStep: (step: RateStep) => void
}

/** Looks for the highest rate at which the limits of a phase hold. The figures of the phase are those of the confirming step. */
export async function findRate(
  phase: PhaseSpec,
  load: FindRateLoad,
  { signal, server, measure, onStep }: SearchContext,
): Promise<EndedPhase> {
  const shape = shapeOfPhase(phase)
  const called = shape.phases.flatMap(({ operations }) => operations)
  const steps: RateStep[] = []
  let shown: Measured | undefined
  for (;;) {
    const next = nextRate(load, steps)
    if ('found' in next) return endSearch(phase, { shown, rate: { holds: load.holds, steps, ...next.found } })
    const measured = await tryRate(next)
    const hasEnded = !signal.aborted || measured.result.endedBecause === 'seconds'
    if (hasEnded) {
      steps.push(measured.step)
      onStep(measured.step)
    }
    if (hasEnded || shown === undefined) shown = measured
    if (signal.aborted) {
      const rate = { holds: load.holds, steps, ratePerSecond: null, ...findBounds(steps), confirmed: false }
      return endSearch(phase, { shown, rate, isAborted: true })
    }
  }

  async function tryRate(next: Pick<RateStep, 'ratePerSecond' | 'purpose'>): Promise<Measured> {
    const ending = new AbortController()
    const isBeyond = watchThresholds(load.holds, { name: phase.name, operations: called }, shape)
    const sink = watchStep(next.ratePerSecond, isBeyond, () => ending.abort())
    const step = planRateStep(phase, load, next)
    const ended = await measure(step, AbortSignal.any([signal, ending.signal]), sink)
    const [only] = await Promise.all(ended.results)
    if (only === undefined) throw new Error(`A step of "${phase.name}" has no window`)
    const result = { ...only, name: phase.name, load: load.kind }
    const scope = createPhaseScope(result, server)
    return { step: judgeStep(next, scope, { load, shape, endedEarly: ending.signal.aborted }), result, ended }
  }
}

/** Ends a step in which calls pile up, or in which a limit on errors can no longer hold. */
function watchStep(ratePerSecond: number, isBeyond: ReturnType<typeof watchThresholds>, end: () => void): PartSink {
  let dropped = 0
  return (part, { pass, inFlight }) => {
    if (pass !== 'measured') return
    dropped += part.arrivals.dropped.reduce((all, each) => all + each, 0)
    const isHopeless = inFlight + dropped > Math.max(hopeless.calls, ratePerSecond * hopeless.seconds)
    if (isBeyond(part) || isHopeless) end()
  }
}

function judgeStep(
  next: Pick<RateStep, 'ratePerSecond' | 'purpose'>,
  scope: Scope,
  { load, shape, endedEarly }: { readonly load: FindRateLoad; readonly shape: Shape; readonly endedEarly: boolean },
): RateStep {
  const { operations, openLoop, wallSeconds, endedBecause } = scope.phase
  const limits = judgeLimits(load.holds, scope, shape)
  const dropped = openLoop?.dropped ?? 0
  const isWhole =
    endedBecause === 'seconds' && dropped === 0 && openLoop !== null && findPlan(openLoop, scope.phase) !== null
  const limit = findLimit(scope)
  const busiest = findBusiest(scope)
  return {
    ...next,
    held: isWhole && limits.every(({ held }) => held),
    endedEarly,
    seconds: openLoop?.seconds ?? wallSeconds,
    ok: operations.reduce((all, { ok }) => all + ok, 0),
    errors: operations.reduce((all, { failed, unknown }) => all + failed + unknown, 0),
    dropped,
    response: openLoop?.response ? summarizeLatency(openLoop.response) : null,
    limits,
    limitedBy: limit && `${limit.name} (${limit.text})`,
    busiest: busiest && `${busiest.name} (${busiest.text})`,
  }
}

/** A step keeps its percentiles, without the histogram. */
function summarizeLatency(latency: Latency): LatencySummary {
  const { clamped: _, histogram: __, ...summary } = latency
  return summary
}

function endSearch(
  phase: PhaseSpec,
  {
    shown,
    rate,
    isAborted = false,
  }: { readonly shown: Measured | undefined; readonly rate: PhaseResult['rate']; readonly isAborted?: boolean },
): EndedPhase {
  if (shown === undefined) throw new Error(`The search "${phase.name}" had no step`)
  const { result, ended, step } = shown
  const endedBecause = isAborted ? 'aborted' : step.endedEarly ? 'limits missed' : result.endedBecause
  return {
    isLast: isAborted,
    operations: ended.operations,
    results: [Promise.resolve({ ...result, endedBecause, rate })],
  }
}
