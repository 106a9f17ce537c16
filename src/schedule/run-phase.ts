import { type Clock } from '../clock.ts'
import { type Outcome, type PhaseEngine } from '../engines/engine.ts'
import { type PhasePlan, type PlannedCall, type StopAfter } from '../plan/plan.ts'
import { type Peak } from '../results/schema.ts'
import { closedLoop, type Window } from './closed-loop.ts'
import { findPeak } from './find-peak.ts'
import { createLimits, type EndedBecause } from './limits.ts'
import { createProgress, type Pass, type Progress } from './progress.ts'

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

/**
 * Opens the pool, warms up (nothing recorded), then runs the measured pass with the same engine. Both hooks are awaited
 * outside of the window: there the edges of counters are read.
 */
export async function runPhase({
  phase,
  engine,
  clock,
  signal,
  recorder,
  onWindowStart = async () => {},
  onWindowEnd = async () => {},
  onProgress = () => {},
}: {
  readonly phase: PhasePlan
  readonly engine: PhaseEngine
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly recorder: Recorder
  readonly onWindowStart?: () => Promise<void>
  readonly onWindowEnd?: () => Promise<void>
  readonly onProgress?: (progress: Progress) => void
}): Promise<PhaseRun> {
  const { search } = phase
  const runPass = (pass: Pass, stopAfter: StopAfter, to: Recorder, by: PhasePlan = phase): Promise<PhaseRun> =>
    runOnePass({ phase: by, pass, stopAfter, engine, clock, signal, recorder: to, onProgress })
  const measure = (): Promise<PhaseRun> =>
    search === undefined
      ? runPass('measured', phase.stopAfter, recorder)
      : findPeak({
          phase,
          search,
          engine,
          recorder,
          runStep: (step, to) => runPass('measured', { seconds: search.secondsPerStep }, to, step),
        })

  await engine.warmUp(search?.from)
  if (phase.warmup) await runPass('warm-up', phase.warmup, unrecorded, search && { ...phase, workers: search.from })
  await onWindowStart()
  const run = await measure()
  await onWindowEnd()
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
  onProgress,
}: {
  readonly phase: PhasePlan
  readonly pass: Pass
  readonly stopAfter: StopAfter
  readonly engine: PhaseEngine
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly recorder: Recorder
  readonly onProgress: (progress: Progress) => void
}): Promise<PhaseRun> {
  const { workers, deadlineMs } = phase
  const source = phase.calls(pass)
  const limits = createLimits({ stopAfter, workers, deadlineMs, signal })
  const progress = createProgress({ phase: phase.name, pass, limits, report: onProgress })
  let startedAt = clock.date()

  const window = await closedLoop({
    workers,
    clock,
    limits,
    next: source.next,
    send: engine.send,
    onStart(startMs) {
      startedAt = clock.date()
      limits.start(startMs)
      progress.start(startMs)
      recorder.start(startMs)
    },
    record(call, startMs, endMs, outcome) {
      recorder.record(call, startMs, endMs, outcome)
      source.answered?.(call.operation, endMs - startMs)
      progress.answered(endMs)
    },
  })

  return {
    ...window,
    startedAt,
    wallSeconds: (window.endMs - window.startMs) / 1000,
    // Every worker left its loop because of a reason, so there is one.
    endedBecause: limits.endedBecause() ?? 'aborted',
    digest: source.digest(),
    operations: limits.operations(),
    documents: limits.documents(),
  }
}
