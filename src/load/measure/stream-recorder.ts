import type { StreamResult } from '../../results/schema/calls.ts'
import type { Failure, StreamEvent, StreamListener } from '../engines/engine.ts'
import type { StreamPlan } from '../plan/plan.ts'
import { ErrorRecord, listErrors } from './error-counts.ts'
import { type LatencyPart, mergeLatencies, toLatency } from './latency.ts'
import { SecondRecord, SecondRows } from './second-rows.ts'

/**
 * Takes the events of one change stream, each in the second in which it comes. Events that come after the end of the timed
 * window add seconds to the rows: so long did the stream lag behind.
 */
export class StreamRecorder implements StreamListener {
  readonly #current = new SecondRecord()
  readonly #rows = new SecondRows()
  readonly #errors = new ErrorRecord()
  readonly #byType = new Map<string, number>()
  #events = 0
  /** Lag of the events that are dated. */
  #lag: LatencyPart | undefined
  #second = 0
  /** Infinity before the window opens. */
  #secondEndMs = Infinity

  start(windowStartMs: number): void {
    this.#secondEndMs = windowStartMs + 1000
  }

  record({ type, lagMs }: StreamEvent, nowMs: number): void {
    this.#endSeconds(nowMs)
    this.#events += 1
    this.#byType.set(type, (this.#byType.get(type) ?? 0) + 1)
    // Clocks that are a little apart must not give a time below 0.
    if (lagMs === null) this.#current.add('unknown', 0, 1)
    else this.#current.add('ok', Math.max(0, Math.round(lagMs * 1000)), 1)
  }

  addError(failure: Failure): void {
    this.#errors.add(failure, this.#events)
  }

  /** Call once, after the last event. The rows reach to the end of the timed window at least. */
  finish({ name, kind }: StreamPlan, windowEndMs: number): StreamResult {
    this.#endSeconds(windowEndMs)
    this.#endSecond()
    const { documents, p50Ms, p99Ms, maxMs } = this.#rows.result(this.#secondEndMs === Infinity ? 0 : this.#second)
    return {
      name,
      kind,
      events: this.#events,
      byType: Object.fromEntries(this.#byType),
      lag: this.#lag ? toLatency(this.#lag) : null,
      perSecond: { events: documents, lagP50Ms: p50Ms, lagP99Ms: p99Ms, lagMaxMs: maxMs },
      errors: listErrors(this.#errors.take()),
    }
  }

  #endSeconds(untilMs: number): void {
    for (; untilMs >= this.#secondEndMs; this.#secondEndMs += 1000) this.#endSecond()
  }

  #endSecond(): void {
    const part = this.#current.take(this.#second)
    this.#second += 1
    if (part === undefined) return
    this.#lag = mergeLatencies([this.#lag, part.ok])
    this.#rows.add([part])
    this.#rows.closeBefore(this.#second)
  }
}
