import { type Db, type Timestamp } from 'mongodb'
import { operationTime } from '../load/engines/driver/operation-time.ts'
import { phaseForDriver } from '../load/engines/driver/translate.ts'
import { methodsIn } from '../load/engines/engine.ts'
import { replyTraits } from '../load/engines/reply-traits.ts'
import { type PartSink } from '../load/part-sink.ts'
import { type PhasePlan } from '../load/plan/plan.ts'
import { progressSink } from '../load/progress.ts'
import { maxWarmupSeconds, type Stretches } from '../load/stretches.ts'
import { errorText } from '../results/error-text.ts'
import { type DataSetResult, type PhaseResult, type VariantResult } from '../results/schema.ts'
import { type OperationResult } from '../results/schema/calls.ts'
import { type Warning } from '../results/schema/warnings.ts'
import { type RowWarning } from '../results/warnings/weights.ts'
import { type Sampler } from '../servers/resources/sampler.ts'
import { claimCollection } from '../servers/targets/ownership.ts'
import { type SpecRow } from '../spec/fold/read-rows.ts'
import { compilePhase } from '../spec/plan/compile-phase.ts'
import { type CompileContext, type DataSet } from '../spec/plan/data-set.ts'
import { groupLoads } from '../spec/plan/phase-operations.ts'
import { findSentInserts } from '../spec/plan/sent-inserts.ts'
import { shapeOfSpec } from '../spec/plan/shape.ts'
import { listWriters } from '../spec/plan/writers.ts'
import { type PhaseSpec } from '../spec/schema/phase-schema.ts'
import { type Spec } from '../spec/schema/schema.ts'
import { type Arrivals, bookedDocuments, watchArrivals } from './arrivals.ts'
import { needsDatabase } from './data/prepare-data.ts'
import { type EndedPhase, measurePhase, type PhaseContext } from './measure-phase.ts'
import { findRate, type MeasureStep } from './rate/find-rate.ts'
import { openChecks } from './row-checks.ts'
import { type BesideContext, runBeside } from './run-beside.ts'
import { type RowEnvironment } from './run-environment.ts'
import { listSets, settle } from './settle.ts'
import { type Turn } from './turns/order.ts'
import { type TargetWatch } from './watch-target.ts'

export type PhasesContext = RowEnvironment & {
  /** The database of the run. */
  readonly db: Db
  readonly sampler: Sampler
  readonly watch: TargetWatch
  /** The server when the row begins. */
  readonly server: VariantResult['server']
  readonly compile: CompileContext
  readonly dataSets: readonly DataSet[]
  /** How they got there. */
  readonly data: readonly DataSetResult[]
}

/** Runs the phases of a row one after the other, until the last one or an abort. */
export async function runPhases(
  { row: { spec }, startUp }: Turn<SpecRow>,
  context: PhasesContext,
): Promise<Pick<VariantResult, 'phases' | 'checks' | 'warnings'>> {
  const { driver, signal, at, emit, db, watch, compile, data } = context
  const phases: { readonly measured: boolean; readonly result: Promise<PhaseResult> }[] = []
  const warnings: RowWarning[] = []
  const phaseStarts = new Map<string, Timestamp>()
  const shape = shapeOfSpec(spec)
  // Nothing that a start-up run does counts.
  const aborting = startUp ? [] : spec.thresholds.filter(({ abort }) => abort).map(({ holds }) => holds)
  await using checks = openChecks(spec, context)

  for (const [i, loads] of groupLoads(spec.phases).entries()) {
    if (signal.aborted) break
    for (const { name } of loads) await checks.phaseBegins(name)
    if (loads[0]?.settle === true || (i === 0 && data.some(isLoaded))) {
      emit({ kind: 'settle', at })
      const sets = listSets(context.target, db)
      warnings.push(...(await settle(db, { ...context, mayWrite: needsDatabase(spec), sets })))
      if (signal.aborted) break
    }
    for (const { name } of loads) if (isReadSince(spec, name)) phaseStarts.set(name, await operationTime(db))
    const ended = await runBeside(loads, context, runLoad)
    await context.settled()
    await watch.settled()
    for (const [l, { name, measured }] of loads.entries()) {
      await checks.phaseEnds(name)
      const { operations = [], results = [] } = ended[l] ?? {}
      if (hasAbandoned(operations)) await endAbandoned(db)
      phases.push(...results.map((result) => ({ measured, result })))
      if (!measured) for (const result of results) warnings.push(...setUpWarnings(await result))
    }
    if (ended.some(({ isLast }) => isLast)) break
  }

  /** Runs one load of a phase: all of it, where it has no others. */
  async function runLoad(phase: PhaseSpec, own: BesideContext): Promise<EndedPhase> {
    function compiled(one: PhaseSpec): PhasePlan {
      const made = compilePhase(one, ['phases', spec.phases.indexOf(phase)], own.dataSets, compile)
      return phaseForDriver(context.ownLoad?.plan(made) ?? made, driver)
    }
    const stretches = phase.measured ? context.stretches && drained(context.stretches, spec, context) : undefined
    const plan = stretches === undefined ? compiled(phase) : withShortWarmup(compiled(phase))
    await prepareBuckets(db, plan)
    const { evidence, onEvidence } = checks.observersFor(plan)
    const isFirst = groupLoads(spec.phases).some(([first]) => first === phase)
    const within = {
      ...context,
      ...own,
      lost: watch.lost,
      evidence,
      onEvidence,
      sinks: [
        // One line is enough for loads that end together.
        ...(isFirst ? [progressSink((progress) => emit({ kind: 'phase', at, progress }))] : []),
        suspectLoss(watch, plan.deadlineMs),
        (part, of) => emit({ kind: 'part', part, of: { ...of, at } }),
      ] satisfies readonly PartSink[],
      phaseStarts,
      aborting,
      shape,
      stretches,
    }
    const source = (one: PhaseSpec): PhaseContext['source'] => ({ spec, phase: one, dataSets: own.dataSets })
    const measureStep: MeasureStep = (step, ending, sink) =>
      measurePhase(compiled(step), {
        ...within,
        source: source(step),
        signal: ending,
        sinks: [...within.sinks, sink],
        arrivals: watchPhaseArrivals(step, spec, context),
        // The limits of the search judge its steps.
        aborting: [],
      })
    if (phase.load.kind === 'findRate')
      return await findRate(phase, phase.load, {
        ...context,
        measure: measureStep,
        onStep: (step) => emit({ kind: 'step', at, phase: phase.name, step }),
      })
    const arrivals = watchPhaseArrivals(phase, spec, context)
    return await measurePhase(plan, { ...within, source: source(phase), arrivals })
  }

  const ended = await Promise.all(phases.map(({ result }) => result))
  const measured = ended.filter((_, i) => phases[i]?.measured)
  return { phases: measured, checks: await checks.finish(ended), warnings }
}

/** Settles before each turn, since the work that writes leave behind is of their own side: members catch up, and pages are written. */
function drained({ side, next }: Stretches, spec: Spec, context: PhasesContext): Stretches {
  if (listWriters(spec).length === 0) return { side, next }
  const sets = listSets(context.target, context.db)
  return {
    side,
    async next() {
      await settle(context.db, { ...context, mayWrite: needsDatabase(spec), sets })
      return next()
    },
  }
}

const withShortWarmup = (phase: PhasePlan): PhasePlan =>
  phase.warmup?.seconds === undefined
    ? phase
    : { ...phase, warmup: { seconds: Math.min(phase.warmup.seconds, maxWarmupSeconds) } }

/** Calls that fail may be the first sign that the servers are gone. */
const suspectLoss =
  (watch: TargetWatch, deadlineMs: number): PartSink =>
  ({ operations }) => {
    const hasFailed = operations.some(({ calls: { latency } }) => latency.failed ?? latency.unknown)
    if (hasFailed) watch.suspect(deadlineMs)
  }

function watchPhaseArrivals(phase: PhaseSpec, spec: Spec, context: PhasesContext): Arrivals | undefined {
  const inserts = findSentInserts(phase, spec)
  const hasWarmup = phase.warmup !== undefined
  return inserts && watchArrivals(inserts, bookedDocuments(context.db), { ...context, hasWarmup })
}

/** Whether a change stream of a later phase begins where this one does. */
const isReadSince = ({ phases }: Spec, name: string): boolean =>
  phases.some(({ operations }) => operations.some((spec) => spec.kind === 'changeStream' && spec.since === name))

/** Whether something of the load may still be under way on the server. */
const isLoaded = ({ rows, source }: DataSetResult): boolean => rows > 0 && source !== 'existing'

/** Warnings of a phase that is not in the result: faults and calls that failed. */
function setUpWarnings({ name, operations, warnings }: PhaseResult): readonly RowWarning[] {
  const ofFaults = warnings.filter(isOfFault)
  const errors = operations.flatMap((operation) => operation.errors)
  const [first] = errors
  if (!first) return ofFaults
  const count = errors.reduce((sum, error) => sum + error.count, 0)
  return [
    ...ofFaults,
    {
      code: 'set-up-failed',
      message: `${count === 1 ? '1 call' : `${count} calls`} of the set-up phase "${name}" failed, the first with ${errorText(first)}`,
      advice: 'What is measured after it may not be what was meant.',
    },
  ]
}

const isOfFault = (warning: Warning): warning is RowWarning => warning.code === 'fault-failed'

/**
 * Makes the buckets that a phase uses ours, with the indexes that GridFS wants. Left alone, the driver would make those
 * with the first upload, inside of the timed window, while others are already storing chunks.
 */
async function prepareBuckets(db: Db, { operations }: PhasePlan): Promise<void> {
  const buckets = methodsIn(operations).flatMap(({ reply, collection }) =>
    replyTraits[reply].usesBucket ? [collection] : [],
  )
  for (const bucket of new Set(buckets)) {
    const [files, chunks] = [`${bucket}.files`, `${bucket}.chunks`]
    await claimCollection(db, files)
    await claimCollection(db, chunks)
    await db.collection(files).createIndex({ filename: 1, uploadDate: 1 })
    await db.collection(chunks).createIndex({ files_id: 1, n: 1 }, { unique: true })
  }
}

const maxMs = 2_000

/** Whether a phase has given calls up that a server may still be at. */
const hasAbandoned = (operations: readonly OperationResult[]): boolean =>
  operations.some(({ errors }) => errors.some(({ code }) => code === 'DeadlineExceeded'))

/**
 * Ends what the primary still does for calls that were abandoned: a write that waits for members that are down
 * goes on when its connection is closed, for ever. Who may not end them leaves them; nothing here throws.
 */
async function endAbandoned(db: Db): Promise<void> {
  const admin = db.client.db('admin')
  const bounds = { readPreference: 'primary', signal: AbortSignal.timeout(maxMs) } as const
  const ofRun = { appName: db.client.options.appName, ns: { $regex: `^${db.databaseName}\\.` } }
  try {
    const left = await admin.aggregate([{ $currentOp: {} }, { $match: ofRun }], bounds).toArray()
    for (const { opid } of left) await admin.command({ killOp: 1, op: opid }, bounds)
  } catch {
    return
  }
}
