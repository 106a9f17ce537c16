import { type LatencyPart, LatencyRecord, percentileMs } from '../../load/measure/latency.ts'
import { type RecordedReply } from '../recording/recorded-call.ts'

/** A call that is sent no later than this after it was due is on time. */
const onTimeMs = 1

/** What a replay has found of one shape. */
export type ShapeTally = {
  /** Replies that are not as recorded. */
  differing: number
  /** Calls that continued a cursor which had no more documents here. */
  notSent: number
}

/** How late calls were sent, in ms after they were due. */
export type Lateness = {
  readonly calls: number
  readonly onTimePercent: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Calls that waited because the call before them, on the same connection or in the same session, had not ended. */
  readonly held: number
}

/** What a run of a replay has found beside latencies and errors. */
export class Tally {
  readonly shapes: readonly ShapeTally[]
  readonly #late = new LatencyRecord()
  #lateness: LatencyPart | undefined
  #onTime = 0
  #held = 0

  constructor(shapes: number) {
    this.shapes = Array.from({ length: shapes }, () => ({ differing: 0, notSent: 0 }))
  }

  /** @param isHeld Whether the call waited for another one. */
  addSent(lateMs: number, isHeld: boolean): void {
    this.#late.add(Math.max(0, Math.round(lateMs * 1000)))
    if (lateMs <= onTimeMs) this.#onTime += 1
    else if (isHeld) this.#held += 1
  }

  /** Null: nothing was due, as where calls are sent as fast as they are answered. */
  get lateness(): Lateness | null {
    const part = (this.#lateness ??= this.#late.take())
    if (part === undefined) return null
    return {
      calls: part.count,
      onTimePercent: (this.#onTime / part.count) * 100,
      p50Ms: percentileMs(part, 50),
      p99Ms: percentileMs(part, 99),
      maxMs: part.maxUs / 1000,
      held: this.#held,
    }
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
