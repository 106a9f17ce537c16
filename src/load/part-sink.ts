import { type PhasePart } from '../measure/phase-part.ts'
import { type Pass, type StopAfter } from '../plan/plan.ts'

/** Where in a phase a part was measured. Times are in milliseconds, of the clock that `performance.now()` reads. */
export type PartOf = {
  /** A step of a search for the best number of workers has the name of its phase and its workers. */
  readonly phase: string
  /** Names of the operations of the phase, in the order of those of the part. */
  readonly operations: readonly string[]
  readonly pass: Pass
  readonly stopAfter: StopAfter
  /** When the pass began. */
  readonly startMs: number
  /** When the part was handed over. */
  readonly nowMs: number
  /** Nothing more comes of the seconds of the window before this one, of no unit. */
  readonly completeBefore: number
  /** Whether it is the last one that its unit hands over in this pass. */
  readonly isLast: boolean
}

/** Takes the parts of a running phase as they come: from every unit once a second, early when calls fail, and at the end. */
export type PartSink = (part: PhasePart, of: PartOf) => void
