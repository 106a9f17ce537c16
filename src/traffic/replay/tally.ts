import { type RecordedReply } from '../recording/recorded-call.ts'
import { PairedLatencies } from './paired-latencies.ts'

/** A call that is sent no later than this after it was due is on time. */
const onTimeMs = 1

/** The findings of a replay about one shape. */
export type ShapeTally = {
  /** Replies that are not as recorded. */
  differing: number
  /** Calls that continued a cursor which had no more documents here. */
  notSent: number
}

/** The findings of a run of a replay beside latencies and errors. */
export class Tally {
  readonly shapes: readonly ShapeTally[]
  readonly latencies = new PairedLatencies()
  /** Calls that were due at a time, and those of them that were sent within 1 ms of it. */
  due = 0
  onTime = 0
  /** Late calls that had to wait for the one before them, on their connection or in their session. */
  held = 0

  constructor(shapes: number) {
    this.shapes = Array.from({ length: shapes }, () => ({ differing: 0, notSent: 0 }))
  }

  /** Adds a call that was sent so long after it was due. @param isHeld Whether it had to wait for another one. */
  addSent(lateMs: number, isHeld: boolean): void {
    this.due += 1
    if (lateMs <= onTimeMs) this.onTime += 1
    else if (isHeld) this.held += 1
  }

  /** Takes all counts out, to be added to another tally. */
  take(): readonly number[] {
    const taken = [this.due, this.onTime, this.held]
    for (const { differing, notSent } of this.shapes) taken.push(differing, notSent)
    this.add(taken.map((count) => -count))
    return [...taken, ...this.latencies.take()]
  }

  /** Adds counts that were taken out of another tally of the same shapes. */
  add([due = 0, onTime = 0, held = 0, ...ofShapes]: readonly number[]): void {
    this.due += due
    this.onTime += onTime
    this.held += held
    for (const [i, shape] of this.shapes.entries()) {
      shape.differing += ofShapes[2 * i] ?? 0
      shape.notSent += ofShapes[2 * i + 1] ?? 0
    }
    this.latencies.addTaken(ofShapes.slice(2 * this.shapes.length))
  }

  count(shape: number, what: keyof ShapeTally): void {
    const of = this.shapes[shape]
    if (of !== undefined) of[what] += 1
  }
}

/** Whether a reply is another than the recorded one: in its error, its counts, or the number of its documents; with `documents` also in these. */
export function differs(recorded: RecordedReply, here: RecordedReply, documents: boolean): boolean {
  return (
    recorded.ok !== here.ok ||
    recorded.code !== here.code ||
    recorded.n !== here.n ||
    recorded.nModified !== here.nModified ||
    recorded.documents !== here.documents ||
    (documents && recorded.digest !== null && recorded.digest !== here.digest)
  )
}
