import { type Clock } from '../clock.ts'
import { type Outcome, type PhaseEngine } from '../engines/engine.ts'
import { type Pass, type PhasePlan, type PlannedCall, type StopAfter } from '../plan/plan.ts'
import { longestOutageMs } from '../faults/timeline.ts'
import { type Peak } from '../results/schema/peak.ts'
import { closedLoop, type Window } from './closed-loop.ts'
import { beforeSearch, findPeak } from './find-peak.ts'
import { createLimits, type EndedBecause } from './limits.ts'
import { type ArrivalListener, openLoop } from './open-loop.ts'
import { createProgress, type Progress } from './progress.ts'

/** Who is told of the calls of the measured pass. */
export type Recorder = {
  readonly start: (windowStartMs: number) => void
  readonly record: (call: PlannedCall, startMs: number, endMs: number, outcome: Outcome) => void
}

/** How a phase went, apart from what its recorder holds. */
export type PhaseRun = Window & {
  /** Wall-clock time at which the first measured call went out. */
  readonly startedAt: Date
  readonly wallSeconds: number
  readonly endedBecause: EndedBecause
  readonly digest: string
  /** Answered, whatever the outcome. */
  readonly operations: number
  /** Documents that those calls asked for. */
  readonly documents: number
  /** Of a search for the best number of workers. */
  readonly peak?: Peak
}

const unrecorded: Recorder = { start: () => {}, record: () => {} }

const unheard: ArrivalListener = {
  start: () => {},
  sent: () => {},
  dropped: () => {},
  answered: () => {},
  ended: () => {},
}

/** Neither failed as a whole nor broken off. */
const isComplete = ({ endedBecause }: PhaseRun): boolean =>
  endedBecause !== 'everything failed' && endedBecause !== 'aborted'

/**
 * Opens the pool, warms up (nothing recorded), then runs the measured pass with the same engine, and what an open load does
 * after it. Both hooks are awaited outside of the window: there the edges of counters are read.
 */
export async function runPhase({
  phase,
  engine,
  clock,
  signal,
  recorder,
  arrivals = unheard,
  unmeasured = unrecorded,
  onWindowStart = async () => {},
  onWindowEnd = async () => {},
  onProgress = () => {},
}: {
  readonly phase: PhasePlan
  readonly engine: PhaseEngine
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly recorder: Recorder
  /** Told of the arrivals of the measured pass of an open load. */
  readonly arrivals?: ArrivalListener
  /** Who is told of the calls before and after them. Default: nobody. */
  readonly unmeasured?: Recorder
  readonly onWindowStart?: () => Promise<void>
  readonly onWindowEnd?: () => Promise<void>
  readonly onProgress?: (progress: Progress) => void
}): Promise<PhaseRun> {
  const around = { engine, clock, signal, onProgress }
  const runUnmeasured = (pass: Pass, stopAfter: StopAfter): Promise<PhaseRun> =>
    runOnePass({ ...around, phase: beforeSearch(phase), pass, stopAfter, recorder: unmeasured, arrivals: unheard })
  const runMeasured = (by: PhasePlan, stopAfter: StopAfter, to: Recorder): Promise<PhaseRun> =>
    runOnePass({ ...around, phase: by, pass: 'measured', stopAfter, recorder: to, arrivals })

  await engine.warmUp()
  if (phase.warmup) await runUnmeasured('warm-up', phase.warmup)
  await onWindowStart()
  const run =
    phase.load.kind === 'findPeak'
      ? await findPeak({ phase, search: phase.load, engine, recorder, runStep: runMeasured })
      : await runMeasured(phase, phase.stopAfter, recorder)
  await onWindowEnd()
  if (phase.load.kind === 'open' && phase.load.cooldown && isComplete(run))
    await runUnmeasured('cool-down', phase.load.cooldown)
  return run
}

async function runOnePass({
  phase,
  pass,
  stopAfter,
  engine,
  clock,
  signal,
  recorder,
  arrivals,
  onProgress,
}: {
  readonly phase: PhasePlan
  readonly pass: Pass
  readonly stopAfter: StopAfter
  readonly engine: PhaseEngine
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly recorder: Recorder
  readonly arrivals: ArrivalListener
  readonly onProgress: (progress: Progress) => void
}): Promise<PhaseRun> {
  const { load, workers, deadlineMs } = phase
  const outageMs = pass === 'measured' ? longestOutageMs(phase.faults) : 0
  const source = phase.calls(pass)
  const limits = createLimits({ stopAfter, workers, deadlineMs, outageMs, signal })
  const progress = createProgress({ phase: phase.name, pass, limits, report: onProgress })
  let startedAt = clock.date()

  const loop = {
    clock,
    limits,
    next: source.next,
    send: engine.send,
    onStart(startMs: number) {
      startedAt = clock.date()
      limits.start(startMs)
      progress.start(startMs)
      recorder.start(startMs)
      arrivals.start(startMs)
    },
    record(call: PlannedCall, startMs: number, endMs: number, outcome: Outcome) {
      recorder.record(call, startMs, endMs, outcome)
      source.answered?.(call, endMs - startMs)
      progress.answered({ startMs, endMs, outcome })
    },
  }
  const window =
    load.kind === 'open'
      ? await openLoop({
          ...loop,
          times: load.times(pass),
          seconds: stopAfter.seconds,
          maxInFlight: load.maxInFlight,
          signal,
          listener: arrivals,
        })
      : await closedLoop({ ...loop, workers })

  return {
    ...window,
    startedAt,
    wallSeconds: (window.endMs - window.startMs) / 1000,
    // A loop ends because of a reason, so there is one.
    endedBecause: limits.endedBecause() ?? 'aborted',
    digest: source.digest(),
    operations: limits.operations(),
    documents: limits.documents(),
  }
}
