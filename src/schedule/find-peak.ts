import { type Outcome, type PhaseEngine } from '../engines/engine.ts'
import { addSample, emptySamples, type LatencySamples, toLatency } from '../measure/latency.ts'
import { type PeakSearch, type PhasePlan, type StopAfter } from '../plan/plan.ts'
import { type Peak, type PeakStep } from '../results/schema/peak.ts'
import { type EndedBecause } from './limits.ts'
import { type PhaseRun, type Recorder } from './run-phase.ts'

/** So many steps in a row without growth end a search: one alone may be slow by chance. */
const stepsWithoutGrowth = 2

type Tried = { readonly step: PeakStep; readonly endedBecause: EndedBecause }

type Climb = { readonly steps: readonly PeakStep[]; readonly endedBecause: EndedBecause }

/**
 * Tries more and more workers until two steps in a row have not brought `gain` more throughput than the last one that grew,
 * or `to` has been tried. A step that was aborted is left out: it is shorter than the others. One in which everything failed
 * is kept, and is the last.
 */
export async function climb(search: PeakSearch, tryStep: (workers: number) => Promise<Tried>): Promise<Climb> {
  const steps: PeakStep[] = []
  let grownTo = 0
  let withoutGrowth = 0
  for (const workers of workersToTry(search)) {
    const { step, endedBecause } = await tryStep(workers)
    if (endedBecause === 'aborted') return { steps, endedBecause }
    steps.push(step)
    if (endedBecause !== 'seconds') return { steps, endedBecause }
    const hasGrown = step.opsPerSecond > grownTo * (1 + search.gain)
    if (hasGrown) grownTo = step.opsPerSecond
    withoutGrowth = hasGrown ? 0 : withoutGrowth + 1
    if (withoutGrowth === stepsWithoutGrowth) break
  }
  return { steps, endedBecause: 'seconds' }
}

/** Each number `factor` times the one before, rounded, and at last `to`. */
function* workersToTry({ from, to, factor }: PeakSearch): Generator<number> {
  for (let workers = from; workers < to; workers = Math.max(workers + 1, Math.round(workers * factor))) yield workers
  yield to
}

/** The smallest number of workers whose throughput is within the margin of the greatest. Null: nothing succeeded. */
export function bestOf(steps: readonly PeakStep[], margin: number): Pick<Peak, 'workers' | 'opsPerSecond'> {
  const greatest = Math.max(0, ...steps.map(({ opsPerSecond }) => opsPerSecond))
  const best = steps.find(({ opsPerSecond }) => opsPerSecond > 0 && opsPerSecond >= greatest * (1 - margin))
  return { workers: best?.workers ?? null, opsPerSecond: best?.opsPerSecond ?? null }
}

/**
 * The measured pass of a phase that looks for its best number of workers: every step is a closed loop, and all of them take
 * their calls from one source. Connections for a further step are opened before it begins, inside of the window of the phase
 * and outside of that of every step.
 */
export async function findPeak({
  phase,
  search,
  engine,
  recorder,
  runStep,
}: {
  readonly phase: PhasePlan
  readonly search: PeakSearch
  /** Has connections for the first step. */
  readonly engine: Pick<PhaseEngine, 'warmUp'>
  /** Of the phase: is told of the calls of all steps. */
  readonly recorder: Recorder
  /** Runs a phase as a closed loop for the seconds of one step. */
  readonly runStep: (step: PhasePlan, stopAfter: StopAfter, recorder: Recorder) => Promise<PhaseRun>
}): Promise<PhaseRun> {
  const source = phase.calls('measured')
  const runs: PhaseRun[] = []

  async function tryStep(workers: number): Promise<Tried> {
    const isFirst = runs.length === 0
    if (!isFirst) await engine.warmUp(workers)
    const book = openBook()
    const name = `${phase.name} with ${workers === 1 ? '1 worker' : `${workers} workers`}`
    const run = await runStep(
      { ...phase, load: { kind: 'closed' }, name, workers, calls: () => source },
      { seconds: search.secondsPerStep },
      {
        start: (startMs) => (isFirst ? recorder.start(startMs) : undefined),
        record(call, startMs, endMs, outcome) {
          book.record(endMs - startMs, outcome)
          recorder.record(call, startMs, endMs, outcome)
        },
      },
    )
    runs.push(run)
    return { step: book.close(workers, run.wallSeconds), endedBecause: run.endedBecause }
  }

  const { steps, endedBecause } = await climb(search, tryStep)
  return { ...together(runs), endedBecause, peak: { steps: [...steps], ...bestOf(steps, search.margin) } }
}

/** The warm-up of a search is that of its first step. */
export const beforeSearch = (phase: PhasePlan): PhasePlan =>
  phase.load.kind === 'findPeak' ? { ...phase, load: { kind: 'closed' }, workers: phase.load.from } : phase

/** Counts and times the calls of one step. */
function openBook(): {
  readonly record: (ms: number, outcome: Outcome) => void
  readonly close: (workers: number, seconds: number) => PeakStep
} {
  const samples = emptySamples()
  let errors = 0
  return {
    record(ms, { kind }) {
      if (kind === 'ok') addSample(samples, Math.round(ms * 1000))
      if (kind === 'failed' || kind === 'unknown') errors += 1
    },
    close(workers, seconds) {
      const { count: ok } = samples
      const opsPerSecond = seconds > 0 ? ok / seconds : 0
      return { workers, seconds, ok, errors, opsPerSecond, latency: ok > 0 ? summaryOf(samples) : null }
    },
  }
}

/** Each step keeps its percentiles; the histograms of all of them together are those of the phase. */
function summaryOf(samples: LatencySamples): PeakStep['latency'] {
  const { count, meanMs, minMs, maxMs, p50Ms, p95Ms, p99Ms, p999Ms } = toLatency(samples)
  return { count, meanMs, minMs, maxMs, p50Ms, p95Ms, p99Ms, p999Ms }
}

/** From the first call of the first step to the last answer of the last one. */
function together(runs: readonly PhaseRun[]): PhaseRun {
  const first = runs[0]
  const last = runs.at(-1)
  if (!first || !last) throw new Error('A search has at least one step')
  return {
    ...last,
    startMs: first.startMs,
    startedAt: first.startedAt,
    wallSeconds: (last.endMs - first.startMs) / 1000,
    operations: runs.reduce((sum, { operations }) => sum + operations, 0),
    documents: runs.reduce((sum, { documents }) => sum + documents, 0),
  }
}
