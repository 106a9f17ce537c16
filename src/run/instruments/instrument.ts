import { type PhaseStarts } from '../../load/engines/driver/open-streams.ts'
import { type PartSink } from '../../load/part-sink.ts'
import { type PhasePlan } from '../../load/plan/plan.ts'
import { type LoadRun } from '../../load/run-load.ts'
import { type Shape } from '../../metrics/scope.ts'
import { type PhaseResult } from '../../results/schema.ts'
import { type Sampler } from '../../servers/resources/sampler.ts'
import { type Arrivals } from '../arrivals.ts'
import { type RowEnvironment } from '../run-environment.ts'

/** Environment of instruments. The signal aborts when the phase is to end. */
export type InstrumentContext = RowEnvironment & {
  readonly phase: PhasePlan
  readonly seed: number
  /** Ends the phase: it counts as aborted. */
  readonly endPhase: () => void
  readonly sampler: Sampler
  readonly phaseStarts: PhaseStarts
  /** Undefined where nothing is inserted unacknowledged. */
  readonly arrivals: Arrivals | undefined
  /** Thresholds that end the phase when they can no longer hold, and the addresses that they may name. */
  readonly aborting: readonly string[]
  readonly shape: Shape
}

/** A window that is over. */
export type ClosedWindow = {
  readonly run: LoadRun
  /** Time when it was known to be over, in the clock's milliseconds. */
  readonly closedMs: number
}

/** Something that is measured or done around the timed window of a phase, from before it to after it. */
export type Instrument<Contribution extends Partial<PhaseResult> = Partial<PhaseResult>> = {
  /** The window begins then, in the clock's milliseconds: first calls go out. */
  readonly start?: (windowStartMs: number) => void
  /** Takes the parts of the load as they come. */
  readonly take?: PartSink
  /** Whether closing it would disturb loads beside this one: it waits until they have ended. */
  readonly disturbs?: true
  /** Called after the window, while the connections of the load are open; instruments close in reverse. */
  readonly close?: (window: ClosedWindow) => Promise<void>
  /**
   * Its fields of the result. Asked for after all have closed, in the order in which they were opened; it may take its time,
   * and the next phase does not wait for it.
   * @param soFar What the load and the instruments before it have contributed.
   */
  readonly contribute: (soFar: Partial<PhaseResult>) => Promise<Contribution>
  /** Whatever happens, what it holds is given back and what it did is undone. Called once, last. */
  readonly release?: () => Promise<void>
}

/** Opens an instrument before the window, after the warm-up; those that take long before the warm-up. */
export type OpenInstrument<Contribution extends Partial<PhaseResult> = Partial<PhaseResult>> = (
  context: InstrumentContext,
) => Promise<Instrument<Contribution>>
