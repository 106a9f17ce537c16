import { computeBatches, computePrecisionPercent } from './measure/batch-means.ts'
import { type PhasePart } from './measure/phase-part.ts'
import { ThroughputTotal } from './measure/throughput-total.ts'
import { type LoadPlan, type Pass, type StopAfter } from './plan/plan.ts'

/** Part of a phase that was measured. Times are in milliseconds, of the clock that `performance.now()` reads. */
export type PartOf = {
  /** A step of a saturation search has the name of its phase and its workers. */
  readonly phase: string
  /** Names of the operations of the phase, in the order of those of the part. */
  readonly operations: readonly string[]
  readonly pass: Pass
  readonly load: LoadPlan['kind']
  /** Workers of all units; for an open loop, the most calls that may be in flight. */
  readonly workers: number
  /** Calls that waited for their answers, of all units as far as they have reported. */
  readonly inFlight: number
  readonly stopAfter: StopAfter
  /** Time when the pass began. */
  readonly startMs: number
  /** Seconds of the part are counted from here: the pass began then, or of a search its first step. */
  readonly windowStartMs: number
  /** Time when the part was handed over. */
  readonly nowMs: number
  /** Nothing more comes of the seconds of the window before this one, of no unit. */
  readonly completeBefore: number
  /** Whether it is the last part of this pass, of all units. */
  readonly isLast: boolean
}

/** Takes the parts of a running phase as they come: from every unit once a second, early when calls fail, and at the end. */
export type PartSink = (part: PhasePart, of: PartOf) => void

/** Seconds of the window before the first look: shorter ones do not know of swings that take a second. */
export const secondsBeforeLooks = 5
/** Number of looks in a row, a second apart, that must find the mean precise enough. */
export const looksInARow = 3

/**
 * Ends a phase once the 95 % interval of mean throughput is narrow enough. Who looks every second and stops at the first good figure stops
 * too often by luck. Of 500 simulated phases to ±5 %, whose throughput varies by 10 % and is alike over 0.1, 0.3 and 1 s, the interval at the
 * end covers the true mean in 88, 76 and 55 % with an end at the first good look, and in 93, 93 and 83 % with three in a row after five
 * seconds (`test/load/precision-sink.test.ts` simulates the latter). What is alike over longer than that is covered less: a short window
 * cannot know of it.
 * @param percent Half the width of the interval, in percent of the mean.
 * @param onPrecise Called once.
 */
export function precisionSink(percent: number, onPrecise: () => void): PartSink {
  const total = new ThroughputTotal()
  let lookedAt = secondsBeforeLooks - 1
  let precise = 0

  const isPrecise = (seconds: number): boolean => {
    const reached = computePrecisionPercent(computeBatches(total.series(seconds * 1000)))
    return reached !== null && reached <= percent
  }

  return (part, { pass, completeBefore }) => {
    if (pass !== 'measured') return
    total.add(part)
    if (completeBefore <= lookedAt || precise === looksInARow) return
    lookedAt = completeBefore
    precise = isPrecise(completeBefore) ? precise + 1 : 0
    if (precise === looksInARow) onPrecise()
  }
}
