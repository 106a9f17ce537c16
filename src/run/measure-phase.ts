import { startFineTimer } from '../core/threads/fine-timer.ts'
import { type Together } from '../load/beside.ts'
import { createEngine } from '../load/engines/create-engine.ts'
import { callsFunctions } from '../load/engines/engine.ts'
import { type EvidencePart, type EvidenceRequest } from '../load/evidence.ts'
import { type LoadUnit } from '../load/load-unit.ts'
import { createLocalUnit } from '../load/local-unit.ts'
import { littlesLaw } from '../load/measure/littles-law.ts'
import { steadiness } from '../load/measure/steadiness.ts'
import { type ThroughputSeries } from '../load/measure/throughput-total.ts'
import { findWarnings } from '../load/measure/warnings/index.ts'
import { type PartSink } from '../load/part-sink.ts'
import { type PhasePlan } from '../load/plan/plan.ts'
import { createShares, wholePhase } from '../load/plan/share.ts'
import { type LoadOptions, type LoadRun, runLoad, runStretches } from '../load/run-load.ts'
import { type Stretches } from '../load/stretches.ts'
import { measureOrigin } from '../load/threads/thread-clock.ts'
import { type PhaseResult } from '../results/schema.ts'
import { type ErrorCount, type OperationResult } from '../results/schema/calls.ts'
import { redactQuote } from '../servers/targets/connection/redact.ts'
import { type DataSet } from '../spec/plan/data-set.ts'
import { samplePaths } from '../spec/plan/sample-paths.ts'
import { type PhaseSpec } from '../spec/schema/phase-schema.ts'
import { type Spec } from '../spec/schema/schema.ts'
import { type Contributed, openBeforeLoad, openInstruments } from './instruments/index.ts'
import { type Instrument, type InstrumentContext } from './instruments/instrument.ts'
import { packSamples } from './threads/packed-samples.ts'
import { startLoadThread } from './threads/thread-work.ts'

/** Environment for measuring a phase. */
export type PhaseContext = Omit<InstrumentContext, 'phase' | 'seed'> & {
  /** Source that the plan was compiled from: threads compile it again. */
  readonly source: { readonly spec: Spec; readonly phase: PhaseSpec; readonly dataSets: readonly DataSet[] }
  /** Aborts when the servers are gone: no answer comes any more. */
  readonly lost: AbortSignal
  /** Evidence of the calls that checks ask for, those of the warm-up among them. */
  readonly evidence: readonly EvidenceRequest[]
  readonly onEvidence: (evidence: readonly EvidencePart[]) => void
  /** Take the parts of all passes. */
  readonly sinks: readonly PartSink[]
  /** Turns of a phase that alternates with that of another side: each has a result of its own. Undefined: it has one window. */
  readonly stretches: Stretches | undefined
  /** All loads of the phase. */
  readonly together: Together
}

/** A phase whose load has ended. */
export type EndedPhase = {
  /** Whether no further phase of the row is to run: it was aborted, or a threshold can no longer hold. */
  readonly isLast: boolean
  readonly operations: readonly OperationResult[]
  /** One for each window. Known up to two seconds later, when the servers have looked at themselves again. The next phase does not wait for them. */
  readonly results: readonly Promise<PhaseResult>[]
}

/** A window that is over, and the instruments that watched it. */
type Watched = { readonly run: LoadRun; readonly instruments: readonly Instrument[] }

/**
 * Opens the instruments of a phase, runs its load, closes them in reverse, and merges what they found. Whatever happens, its
 * connections are closed, its threads are gone, and what was done to the servers is undone.
 */
export async function measurePhase(phase: PhasePlan, context: PhaseContext): Promise<EndedPhase> {
  const { source, clock, lost, secrets, stretches, signal, together } = context
  let opened: Instrument[] = []
  const windows: Watched[] = []
  const within = { ...context, phase, seed: source.spec.seed }
  // Threads that start would take their share of the machine.
  await openBeforeLoad(within, opened)
  lost.throwIfAborted()
  const units = await startUnits(phase, context)
  const abandon = (): void => units.forEach((unit) => unit.abandon())
  lost.addEventListener('abort', abandon)
  try {
    const load: LoadOptions = {
      ...context,
      phase,
      units,
      dataSets: source.dataSets,
      sinks: [...context.sinks, (part, of) => opened.forEach(({ take }) => take?.(part, of))],
      async onWindowOpens() {
        if (windows.length > 0) await openBeforeLoad(within, (opened = []))
        await openInstruments(within, opened)
      },
      onStart: (windowStartMs) => opened.forEach(({ start }) => start?.(windowStartMs)),
      async onWindowCloses(measured) {
        const window = { run: measured, closedMs: clock.now() }
        for (const { close, disturbs } of opened.toReversed()) {
          if (disturbs === true) await together.meet(clock.now())
          await close?.(window)
        }
        context.ownLoad?.take(measured.units)
        windows.push({ run: measured, instruments: opened })
      },
    }
    const run = stretches === undefined ? await runLoad(load) : await runStretches(stretches, load)
    await Promise.all(units.map((unit) => unit.close()))
    return {
      isLast: run === undefined || run.endedBecause === 'aborted' || signal.aborted,
      operations: windows.flatMap((window) => window.run.operations),
      results: windows.map((window) => createPhaseResult(phase, window, secrets)),
    }
  } finally {
    lost.removeEventListener('abort', abandon)
    try {
      const all = new Set([...windows.flatMap(({ instruments }) => instruments), ...opened])
      for (const { release } of [...all].toReversed()) await release?.()
    } finally {
      await Promise.all(units.map((unit) => unit.end()))
    }
  }
}

/** An own load, on agents, or here: as many as the phase has threads, of which one alone runs in this thread. */
async function startUnits(phase: PhasePlan, context: PhaseContext): Promise<readonly LoadUnit[]> {
  const { target, database, driver, functions, source, clock, evidence, agents, ownLoad } = context
  const { uri } = target
  const { spec, dataSets } = source
  const of = { phase, spec: source.phase, dataSets, evidence, uri }
  if (ownLoad !== undefined) return await ownLoad.units(of, agents)
  if (agents !== undefined) return await agents(of)
  if (phase.threads === 1 && !needsThread(context, phase)) {
    const engine = createEngine({ kind: phase.engine, driver, functions: functions.named, uri, database, phase })
    return [
      createLocalUnit({ phase, share: wholePhase, dataSets, engine, clock, startTimer: startFineTimer, evidence }),
    ]
  }
  const work = {
    uri,
    database,
    seed: spec.seed,
    data: spec.data,
    phase: source.phase,
    firstRows: dataSets.map(({ numbers }) => numbers.next()),
    samples: packSamples(dataSets, samplePaths({ ...spec, phases: [source.phase] })),
    evidence,
    functionsFrom: callsFunctions(phase.operations) ? functions.file : undefined,
    clockOriginMs: measureOrigin(clock),
  }
  return createShares(phase.threads).map((share) => startLoadThread({ ...work, share }))
}

/** Whether a load has others beside it, which would wait for its event loop: unless threads cannot have what it calls. */
const needsThread = ({ driver, functions }: PhaseContext, { beside, operations }: PhasePlan): boolean =>
  beside !== undefined && driver.isBundled && (functions.file !== undefined || !callsFunctions(operations))

/** Contribution of the load itself; `operations` without what instruments add. */
type OfLoad = Omit<PhaseResult, Exclude<keyof Contributed, 'operations'> | 'littlesLaw' | 'steadiness' | 'warnings'>

const loadResult = (phase: PhasePlan, run: LoadRun): OfLoad => ({
  name: phase.name,
  workers: phase.workers,
  threads: run.units.length,
  load: phase.load.kind,
  maxRatePerSecond: getMaxRate(phase),
  pauses: phase.pauses,
  engine: phase.engine,
  retries: phase.retries,
  writeConcern: { ...phase.writeConcern },
  readConcern: { ...phase.readConcern },
  readPreference: { ...phase.readPreference },
  startedAt: run.startedAt.toISOString(),
  wallSeconds: run.wallSeconds,
  endedBecause: run.endedBecause,
  digest: run.digest,
  operations: run.operations,
  latency: null,
  openLoop: run.openLoop,
  pool: phase.pool === undefined ? null : { ...phase.pool, wait: run.poolWait },
  peak: run.peak ?? null,
  beside: describeBeside(phase),
  stretches: [...(run.stretches ?? [])],
  rate: null,
  rowGaps: run.rowGaps,
  latestByThread: run.latestByThread,
  claims: phase.claims ?? null,
})

const describeBeside = ({ beside }: PhasePlan): PhaseResult['beside'] =>
  beside === undefined
    ? null
    : { phase: beside.phase, fromSeconds: beside.fromSeconds, alternating: beside.alternation?.load ?? null }

const getMaxRate = ({ load }: PhasePlan): number | null =>
  load.kind === 'closed' ? (load.maxRatePerSecond ?? null) : null

/** Whether workers do nothing but wait for answers. */
const alwaysWaits = (phase: PhasePlan): boolean =>
  phase.load.kind === 'closed' && getMaxRate(phase) === null && !phase.pauses

/** Returns the measured throughput. A search and a load that is on and off are meant to change it: nothing is said about it. */
const measuredThroughput = ({ load, beside }: PhasePlan, { throughput }: LoadRun): ThroughputSeries =>
  load.kind === 'findPeak' || beside?.alternation !== undefined ? { ...throughput, calls: [] } : throughput

async function createPhaseResult(
  phase: PhasePlan,
  { run, instruments }: Watched,
  secrets: readonly string[],
): Promise<PhaseResult> {
  const soFar: Partial<PhaseResult> = loadResult(phase, run)
  for (const { contribute } of instruments) Object.assign(soFar, await contribute(soFar))
  // All have contributed, and so each of the fields is there.
  const measured = redactPhase(soFar as OfLoad & Contributed, secrets)
  const { workers, wallSeconds, operations, members } = measured
  const checkpoints =
    members.find(({ role }) => role === 'primary' || role === 'standalone')?.totals.checkpoints ?? null
  const evaluated = {
    ...measured,
    littlesLaw: alwaysWaits(phase) ? littlesLaw({ workers, wallSeconds, operations }) : null,
    steadiness: steadiness(measuredThroughput(phase, run), checkpoints),
  }
  return { ...evaluated, warnings: findWarnings(evaluated) }
}

type Quoting = Pick<PhaseResult, 'operations' | 'streams' | 'availability' | 'faults'>

/** Takes secrets out of the messages of servers and drivers: everything else in a result is our own text. */
function redactPhase<Phase extends Quoting>(phase: Phase, secrets: readonly string[]): Phase {
  const cleaned = (text: string): string => redactQuote(text, secrets)
  const withoutSecrets = <Counted extends { readonly errors: readonly ErrorCount[] }>(counted: Counted): Counted => ({
    ...counted,
    errors: counted.errors.map((error) => ({ ...error, message: cleaned(error.message) })),
  })
  return {
    ...phase,
    operations: phase.operations.map((operation) => ({
      ...withoutSecrets(operation),
      expectedErrors: withoutSecrets({ errors: operation.expectedErrors }).errors,
      steps: operation.steps.map(withoutSecrets),
    })),
    streams: phase.streams.map(withoutSecrets),
    availability: phase.availability.map(withoutSecrets),
    faults: phase.faults.map((fault) => ({
      ...fault,
      occurrences: fault.occurrences.map((one) => ({ ...one, error: one.error === null ? null : cleaned(one.error) })),
    })),
  }
}
