import { startFineTimer } from '../core/threads/fine-timer.ts'
import type { Turns } from '../load/courses/course.ts'
import { createEngine } from '../load/engines/create-engine.ts'
import { callsFunctions } from '../load/engines/engine.ts'
import type { EvidencePart, EvidenceRequest } from '../load/evidence.ts'
import type { LoadUnit } from '../load/load-unit.ts'
import { createLocalUnit } from '../load/local-unit.ts'
import type { PhasePart } from '../load/measure/phase-part.ts'
import type { PartSink } from '../load/part-sink.ts'
import type { PhasePlan } from '../load/plan/plan.ts'
import { createShares, wholePhase } from '../load/plan/share.ts'
import { type LoadOptions, runLoad, runTurns } from '../load/run-load.ts'
import { measureOrigin } from '../load/threads/thread-clock.ts'
import type { PhaseResult } from '../results/schema.ts'
import type { OperationResult } from '../results/schema/calls.ts'
import type { SearchStep } from '../results/schema/windows.ts'
import { samplePaths } from '../spec/plan/sample-paths.ts'
import type { PhaseSpec } from '../spec/schema/phase-schema.ts'
import type { Arrivals } from './arrivals.ts'
import { openBeforeLoad, openInstruments } from './instruments/index.ts'
import type { Instrument } from './instruments/instrument.ts'
import { type Watched, createPhaseResult } from './phase-result.ts'
import type { LoadOfPhase, RowRun } from './row-run.ts'
import { packSamples, startLoadThread } from './threads/thread-work.ts'

/** Starts the units of a load: its own, on agents, or here: as many as the phase has threads, of which one alone runs in this thread. */
async function startUnits(load: MeasuredLoad, row: RowRun): Promise<readonly LoadUnit[]> {
  const { phase, source, step, dataSets, evidence } = load
  const { target, database, driver, functions, clock, agents, ownLoad } = row
  const { uri } = target
  const of = { phase, spec: step?.of ?? source, step: step?.step, dataSets, evidence, uri }
  if (ownLoad !== undefined) return await ownLoad.units(of, agents?.startUnits)
  if (agents !== undefined) return await agents.startUnits(of)
  if (phase.threads > 1 || needsThread(phase, row)) return startThreads(load, row)
  const engine = createEngine({ kind: phase.engine, driver, functions: functions.named, uri, database, phase })
  return [createLocalUnit({ phase, share: wholePhase, dataSets, engine, clock, startTimer: startFineTimer, evidence })]
}

function startThreads(
  { phase, source, dataSets, evidence }: MeasuredLoad,
  { spec, target: { uri }, database, functions, clock }: RowRun,
): readonly LoadUnit[] {
  const work = {
    uri,
    database,
    seed: spec.seed,
    data: spec.data,
    phase: source,
    firstRows: dataSets.map(({ numbers }) => numbers.next()),
    samples: packSamples(dataSets, samplePaths({ ...spec, phases: [source] })),
    evidence,
    functionsFrom: callsFunctions(phase.operations) ? functions.file : undefined,
    clockOriginMs: measureOrigin(clock),
  }
  return createShares(phase.threads).map((share) => startLoadThread({ ...work, share }))
}

/** Whether other loads run at the same time, which would wait for its event loop: unless threads cannot have what it calls. */
const needsThread = ({ parallel, operations }: PhasePlan, { driver, functions }: RowRun): boolean =>
  parallel !== undefined && driver.isBundled && (functions.file !== undefined || !callsFunctions(operations))

export type MeasuredLoad = LoadOfPhase & {
  readonly phase: PhasePlan
  /** The step of a search that it is, and the phase that searches. Undefined: it is none. */
  readonly step: { readonly of: PhaseSpec; readonly step: SearchStep } | undefined
  /** Evidence of the calls that checks ask for, those of the warm-up among them. */
  readonly evidence: readonly EvidenceRequest[]
  readonly onEvidence: (evidence: readonly EvidencePart[]) => void
  /** Take the parts of all passes. */
  readonly sinks: readonly PartSink[]
  /** Undefined where nothing is inserted unacknowledged. */
  readonly arrivals: Arrivals | undefined
  /** Takes the parts of measured passes, and returns whether a threshold that ends the phase can no longer hold. */
  readonly isBeyond: (part: PhasePart) => boolean
  /** Turns of a load that alternates with that of another side: each has a result of its own. Undefined: it has one window. */
  readonly turns: Turns | undefined
}

/** A phase whose load has ended. */
export type EndedPhase = {
  /** Whether no further phase of the row is to run: it was aborted, or a threshold can no longer hold. */
  readonly isLast: boolean
  readonly operations: readonly OperationResult[]
  /** One for each window. Known up to two seconds later, when the servers have looked at themselves again. The next phase does not wait for them. */
  readonly results: readonly Promise<PhaseResult>[]
}

/**
 * Opens the instruments of a phase, runs its load, closes them in reverse, and merges what they found. Whatever happens, its
 * connections are closed, its threads are gone, and what was done to the servers is undone.
 */
export async function measurePhase(measured: MeasuredLoad, row: RowRun): Promise<EndedPhase> {
  const { phase, turns, signal, together } = measured
  const { clock, secrets } = row
  const { lost } = row.watch
  let opened: Instrument[] = []
  const windows: Watched[] = []
  // Threads that start would take their share of the machine.
  await openBeforeLoad(measured, row, opened)
  lost.throwIfAborted()
  const units = await startUnits(measured, row)
  const abandon = (): void => units.forEach((unit) => unit.abandon())
  lost.addEventListener('abort', abandon)
  try {
    const load: LoadOptions = {
      ...measured,
      clock,
      units,
      sinks: [...measured.sinks, (part, of) => opened.forEach(({ take }) => take?.(part, of))],
      async onWindowOpens() {
        if (windows.length > 0) await openBeforeLoad(measured, row, (opened = []))
        await openInstruments(measured, row, opened)
      },
      onStart: (windowStartMs) => opened.forEach(({ start }) => start?.(windowStartMs)),
      async onWindowCloses(run) {
        const window = { run, closedMs: clock.now() }
        for (const { close, disturbs } of opened.toReversed()) {
          if (disturbs === true) await together.meet(clock.now())
          await close?.(window)
        }
        row.ownLoad?.take(run.units)
        windows.push({ run, instruments: opened })
      },
    }
    const run = turns === undefined ? await runLoad(load) : await runTurns(turns, load)
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
