import { type Turns, maxWarmupSeconds } from '../load/courses/course.ts'
import { phaseForDriver } from '../load/engines/driver/translate.ts'
import type { PartSink } from '../load/part-sink.ts'
import type { PhasePlan } from '../load/plan/plan.ts'
import { progressSink } from '../load/progress.ts'
import { compilePhase } from '../spec/plan/compile-phase.ts'
import { groupLoads } from '../spec/plan/phase-operations.ts'
import { getPlan, isSearch, planStep } from '../spec/plan/search-steps.ts'
import { listWriters } from '../spec/plan/writers.ts'
import type { PhaseSpec } from '../spec/schema/phase-schema.ts'
import { watchPhaseArrivals } from './arrivals.ts'
import { prepareBuckets } from './data/make-collection.ts'
import { watchThresholds } from './instruments/abort-condition.ts'
import { type EndedPhase, type MeasuredLoad, measurePhase } from './measure-phase.ts'
import type { LoadOfPhase, RowRun } from './row-run.ts'
import { search } from './search.ts'
import { settleRow } from './settle.ts'
import type { TargetWatch } from './watch-target.ts'

/** Measures one load of a phase: all of it, where it has no others. A search measures each of its steps. */
export async function measureLoad(load: LoadOfPhase, row: RowRun): Promise<EndedPhase> {
  const { source } = load
  const { load: given } = source
  const turns = source.measured ? row.turns : undefined
  const plan = compile(source, load, row)
  await prepareBuckets(row.db, plan)
  const measured: MeasuredLoad = {
    ...load,
    ...row.checks.observersFor(plan),
    phase: turns === undefined ? plan : withShortWarmup(plan),
    step: undefined,
    sinks: listSinks(load, row, plan.deadlineMs),
    arrivals: watchPhaseArrivals(source, row),
    // The limits of a search judge its steps.
    isBeyond: watchThresholds('holds' in given ? [] : row.aborting, { ...plan, name: source.name }, row.shape),
    turns: turns && settled(turns, row),
  }
  if (!isSearch(given)) return await measurePhase(measured, row)
  await using setting = await getPlan(given).openSetting?.(row.target.members)
  return await search(load, given, row, async (step, { signal, sinks }) => {
    await setting?.change(step.at)
    const planned = planStep(source, given, step)
    return await measurePhase(
      {
        ...measured,
        phase: compile(planned, load, row),
        source: planned,
        step: { of: source, step },
        signal,
        sinks: [...measured.sinks, ...sinks],
        arrivals: watchPhaseArrivals(planned, row),
      },
      row,
    )
  })
}

function compile(phase: PhaseSpec, { source, dataSets }: LoadOfPhase, row: RowRun): PhasePlan {
  const made = compilePhase(phase, ['phases', row.spec.phases.indexOf(source)], dataSets, row.compile)
  return phaseForDriver(row.ownLoad?.plan(made) ?? made, row.driver)
}

function listSinks({ source }: LoadOfPhase, { spec: { phases }, watch, at, emit }: RowRun, deadlineMs: number) {
  const isFirst = groupLoads(phases).some(([first]) => first === source)
  return [
    // One line is enough for loads that end together.
    ...(isFirst ? [progressSink((progress) => emit({ kind: 'phase', at, progress }))] : []),
    suspectLoss(watch, deadlineMs),
    (part, of) => emit({ kind: 'part', part, of: { ...of, at } }),
  ] satisfies readonly PartSink[]
}

/** Calls that fail may be the first sign that the servers are gone. */
const suspectLoss =
  (watch: TargetWatch, deadlineMs: number): PartSink =>
  ({ operations }) => {
    const hasFailed = operations.some(({ calls: { latency } }) => latency.failed ?? latency.unknown)
    if (hasFailed) watch.suspect(deadlineMs)
  }

/** Settles before each turn, since the work that writes leave behind is of their own side: members catch up, and pages are written. */
function settled({ side, next }: Turns, row: RowRun): Turns {
  if (listWriters(row.spec).length === 0) return { side, next }
  return {
    side,
    async next() {
      await settleRow(row)
      return next()
    },
  }
}

const withShortWarmup = (phase: PhasePlan): PhasePlan =>
  phase.warmup?.seconds === undefined
    ? phase
    : { ...phase, warmup: { seconds: Math.min(phase.warmup.seconds, maxWarmupSeconds) } }
