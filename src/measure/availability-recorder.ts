import { type Failure, type Outcome } from '../engines/engine.ts'
import { type Availability } from '../results/schema/faults.ts'
import { ErrorCounts } from './error-counts.ts'

/** What calls came to from the beginning of a fault until that of the next one. */
export type AfterFault = Omit<Availability, 'newPrimaryMs'>

type Span = {
  readonly fault: string
  readonly occurrence: number
  readonly beganMs: number
  readonly errors: ErrorCounts
  readonly counts: { failed: number; unknown: number }
  longestGapMs: number | null
  firstSuccessMs: number | null
}

const msPerSecond = 1000

/**
 * Takes every measured call of a phase, in the order in which they end, and is told of faults as they begin. Memory: a few
 * numbers for each fault, two booleans for each second. A gap that reaches over the beginning of a fault counts whole for it,
 * and for the one before up to there: what a delay cost is not the outage of the kill after it.
 */
export class AvailabilityRecorder {
  readonly #spans: Span[] = []
  /** By second of the window: whether a call was due or under way in it, and whether one succeeded. */
  readonly #due: boolean[] = []
  readonly #succeeded: boolean[] = []
  #startMs = Infinity
  /** The second in which calls end now. */
  #second = 0
  #secondEndMs = Infinity
  #lastSuccessMs = Infinity
  /** Index of the span that the calls have reached; -1 before the first fault. */
  #reached = -1
  /** Index of the span in which the last successful call ended. */
  #reachedBySuccess = -1
  /** Beginning of the span after the reached one. */
  #nextBeganMs = Infinity
  /** Index of the first span that still waits for its first success, and its beginning. */
  #waiting = 0
  #waitingBeganMs = Infinity

  start(windowStartMs: number): void {
    this.#startMs = windowStartMs
    this.#secondEndMs = windowStartMs + msPerSecond
    this.#lastSuccessMs = windowStartMs
  }

  /** Call at once when a fault begins. Faults begin one after the other. */
  faultBegan(fault: string, beganMs: number): void {
    this.#spans.push({
      fault,
      occurrence: this.#spans.filter((span) => span.fault === fault).length,
      beganMs,
      errors: new ErrorCounts(),
      counts: { failed: 0, unknown: 0 },
      longestGapMs: null,
      firstSuccessMs: null,
    })
    this.#lookAhead()
  }

  // Runs once per call: without a fault, a few comparisons.
  record(startMs: number, endMs: number, outcome: Outcome): void {
    if (endMs >= this.#nextBeganMs) this.#reach(endMs)
    if (endMs >= this.#secondEndMs) this.#enterSecond(endMs)
    if (outcome.kind !== 'ok' || startMs < this.#secondEndMs - msPerSecond) this.#markDue(startMs)
    if (outcome.kind === 'ok') this.#succeed(startMs, endMs)
    else if (outcome.kind === 'failed' || outcome.kind === 'unknown') this.#fail(outcome)
  }

  /** Call once, after the last call has been recorded. In the order in which the faults began. */
  finish(windowEndMs: number): AfterFault[] {
    this.#reach(windowEndMs)
    this.#endGap(windowEndMs)
    const unavailable = this.#unavailableSeconds(windowEndMs)
    return this.#spans.map(({ fault, occurrence, longestGapMs, firstSuccessMs, counts, errors }, index) => ({
      fault,
      occurrence,
      longestGapMs,
      firstSuccessMs,
      unavailableSeconds: unavailable[index] ?? 0,
      ...counts,
      errors: errors.list(),
    }))
  }

  #lookAhead(): void {
    this.#nextBeganMs = this.#spans[this.#reached + 1]?.beganMs ?? Infinity
    this.#waitingBeganMs = this.#spans[this.#waiting]?.beganMs ?? Infinity
  }

  #reach(endMs: number): void {
    while (endMs >= this.#nextBeganMs) {
      this.#reached += 1
      this.#lookAhead()
    }
  }

  #enterSecond(endMs: number): void {
    this.#second = this.#secondOf(endMs)
    this.#secondEndMs = this.#startMs + (this.#second + 1) * msPerSecond
  }

  /** Of a call that ends in this second. */
  #markDue(startMs: number): void {
    for (let second = Math.max(0, this.#secondOf(startMs)); second <= this.#second; second += 1)
      this.#due[second] = true
  }

  #succeed(startMs: number, endMs: number): void {
    this.#endGap(endMs)
    this.#succeeded[this.#second] = true
    this.#lastSuccessMs = endMs
    this.#reachedBySuccess = this.#reached
    while (startMs >= this.#waitingBeganMs) this.#noteFirstSuccess(endMs)
  }

  #noteFirstSuccess(endMs: number): void {
    const span = this.#spans[this.#waiting]
    if (span !== undefined) span.firstSuccessMs = endMs - span.beganMs
    this.#waiting += 1
    this.#lookAhead()
  }

  /** The time since the last success, for all spans that it touches: each until the next one begins. */
  #endGap(endMs: number): void {
    for (let index = Math.max(0, this.#reachedBySuccess); index <= this.#reached; index += 1) {
      const span = this.#spans[index]
      const untilMs = index === this.#reached ? endMs : (this.#spans[index + 1]?.beganMs ?? endMs)
      const gapMs = untilMs - this.#lastSuccessMs
      if (span !== undefined && gapMs >= (span.longestGapMs ?? 0)) span.longestGapMs = gapMs
    }
  }

  #fail(failure: Failure): void {
    const span = this.#spans[this.#reached]
    if (span === undefined) return
    span.errors.add(failure)
    span.counts[failure.kind] += 1
  }

  /** For each span, the whole seconds in which calls were due and none succeeded. A second belongs to the last fault before its end. */
  #unavailableSeconds(windowEndMs: number): readonly number[] {
    const counts = this.#spans.map(() => 0)
    const seconds = Math.floor((windowEndMs - this.#startMs) / msPerSecond)
    for (let second = 0; second < seconds; second += 1) {
      if (this.#due[second] !== true || this.#succeeded[second] === true) continue
      const secondEndMs = this.#startMs + (second + 1) * msPerSecond
      const index = this.#spans.findLastIndex(({ beganMs }) => beganMs < secondEndMs)
      if (index >= 0) counts[index] = (counts[index] ?? 0) + 1
    }
    return counts
  }

  #secondOf(ms: number): number {
    return Math.floor((ms - this.#startMs) / msPerSecond)
  }
}
