import { type Peak, type PeakStep } from '../../results/schema/peak.ts'
import { type LatencyPart, mergeLatencies, toLatency } from '../measure/latency.ts'
import { type PhasePart } from '../measure/phase-part.ts'
import { type PeakSearch, type PhasePlan } from '../plan/plan.ts'
import { type PassRequest, type PassRun } from '../run-load.ts'
import { type EndedBecause } from './limits.ts'

/** Steps in a row without growth that end a search: a single one may be slow at random. */
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
export function selectBestStep(steps: readonly PeakStep[], margin: number): Pick<Peak, 'workers' | 'opsPerSecond'> {
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
  connect,
  runStep,
}: {
  readonly phase: Pick<PhasePlan, 'name'>
  readonly search: PeakSearch
  /** Opens connections for this number of workers. Those of the first step are open. */
  readonly connect: (workers: number) => Promise<void>
  readonly runStep: (step: Omit<PassRequest, 'pass'>) => Promise<PassRun>
}): Promise<PassRun & { readonly peak: Peak }> {
  const runs: PassRun[] = []

  async function tryStep(workers: number): Promise<Tried> {
    const [first] = runs
    if (first !== undefined) await connect(workers)
    const metrics = new StepMetrics()
    const run = await runStep({
      name: `${phase.name} with ${workers === 1 ? '1 worker' : `${workers} workers`}`,
      stopAfter: { seconds: search.secondsPerStep },
      workers,
      goesOn: first !== undefined,
      ...(first !== undefined && { windowStartMs: first.startMs }),
      onPart: (part) => metrics.add(part),
    })
    runs.push(run)
    return { step: metrics.step(workers, (run.endMs - run.startMs) / 1000), endedBecause: run.endedBecause }
  }

  const { steps, endedBecause } = await climb(search, tryStep)
  const [first, last] = [runs[0], runs.at(-1)]
  if (!first || !last) throw new Error('A search has at least one step')
  return {
    ...last,
    startMs: first.startMs,
    endedBecause,
    peak: { steps: [...steps], ...selectBestStep(steps, search.margin) },
  }
}

/** Counts and times the calls of one step: of an open loop from when they were due. */
export class StepMetrics {
  readonly #ok: (LatencyPart | undefined)[] = []
  #errors = 0

  add({ operations }: PhasePart): void {
    for (const { calls, planTimes } of operations) {
      const { ok, failed, unknown } = calls.latency
      this.#ok.push(...(planTimes === undefined ? [ok] : planTimes.seconds.map((second) => second.ok)))
      this.#errors += (failed?.count ?? 0) + (unknown?.count ?? 0)
    }
  }

  step(workers: number, seconds: number): PeakStep {
    const latency = mergeLatencies(this.#ok)
    const ok = latency?.count ?? 0
    const opsPerSecond = seconds > 0 ? ok / seconds : 0
    return {
      workers,
      seconds,
      ok,
      errors: this.#errors,
      opsPerSecond,
      latency: latency ? summarizeLatency(latency) : null,
    }
  }
}

/** Each step keeps its percentiles; the histograms of all of them together are those of the phase. */
function summarizeLatency(part: LatencyPart): PeakStep['latency'] {
  const { clamped: _, histogram: __, ...summary } = toLatency(part)
  return summary
}
