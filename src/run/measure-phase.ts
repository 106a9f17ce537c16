import type { Turns } from '../load/courses/course.ts'
import type { EvidencePart, EvidenceRequest } from '../load/evidence.ts'
import type { PhasePart } from '../load/measure/phase-part.ts'
import type { PartSink } from '../load/part-sink.ts'
import type { PhasePlan } from '../load/plan/plan.ts'
import { type LoadOptions, runLoad, runTurns } from '../load/run-load.ts'
import type { PhaseResult } from '../results/schema.ts'
import type { OperationResult } from '../results/schema/calls.ts'
import type { SearchStep } from '../results/schema/windows.ts'
import type { PhaseSpec } from '../spec/schema/phase-schema.ts'
import type { Arrivals } from './arrivals.ts'
import { openBeforeLoad, openInstruments } from './instruments/index.ts'
import type { Instrument } from './instruments/instrument.ts'
import { type Watched, createPhaseResult } from './phase-result.ts'
import type { LoadOfPhase, RowRun } from './row-run.ts'
import { startUnits } from './start-units.ts'

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
