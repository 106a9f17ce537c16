import { type PhasePart } from './measure/phase-part.ts'
import { type LoadedPhase, type Pass, type StopAfter } from './plan/plan.ts'

/** Where in a phase a part was measured. Times are in milliseconds, of the clock that `performance.now()` reads. */
export type PartOf = {
  /** A step of a saturation search has the name of its phase and its workers. */
  readonly phase: string
  /** Names of the operations of the phase, in the order of those of the part. */
  readonly operations: readonly string[]
  readonly pass: Pass
  readonly load: LoadedPhase['load']['kind']
  /** Of all units; of an open loop the most calls that may be in flight. */
  readonly workers: number
  /** Calls that waited for their answers, of all units as far as they have reported. */
  readonly inFlight: number
  readonly stopAfter: StopAfter
  /** When the pass began. */
  readonly startMs: number
  /** Seconds of the part are counted from here: the pass began then, or of a search its first step. */
  readonly windowStartMs: number
  /** When the part was handed over. */
  readonly nowMs: number
  /** Nothing more comes of the seconds of the window before this one, of no unit. */
  readonly completeBefore: number
  /** Whether it is the last part of this pass, of all units. */
  readonly isLast: boolean
}

/** Takes the parts of a running phase as they come: from every unit once a second, early when calls fail, and at the end. */
export type PartSink = (part: PhasePart, of: PartOf) => void
