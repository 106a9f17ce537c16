import { type PartSink } from '../../load/part-sink.ts'
import { type LoadRun } from '../../load/run-load.ts'
import { type PhaseResult } from '../../results/schema.ts'
import { type MeasuredLoad } from '../measure-phase.ts'
import { type RowRun } from '../row-run.ts'

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
  /** Whether closing it would disturb loads that run at the same time: it waits until they have ended. */
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
  load: MeasuredLoad,
  row: RowRun,
) => Promise<Instrument<Contribution>>
