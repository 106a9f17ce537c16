import { type Failure } from '../engines/engine.ts'
import { type StreamEvent, type StreamListener } from '../engines/stream-engine.ts'
import { type StreamPlan } from '../plan/plan.ts'
import { type StreamResult } from '../results/schema/calls.ts'
import { ErrorCounts } from './error-counts.ts'
import { addSample, emptySamples, type LatencySamples, toLatency } from './latency.ts'
import { Timeline } from './timeline.ts'

/**
 * Takes the events of one change stream, each in the second in which it comes. Events that come after the end of the timed
 * window add seconds to the rows: so long did the stream lag behind.
 */
export class StreamRecorder implements StreamListener {
  readonly #timeline = new Timeline()
  readonly #errors = new ErrorCounts()
  readonly #byType = new Map<string, number>()
  #events = 0
  /** Built with the first event that is dated: a histogram is 85 KiB. */
  #lag: LatencySamples | undefined
  /** Infinity before the window opens. */
  #secondEndMs = Infinity

  start(windowStartMs: number): void {
    this.#secondEndMs = windowStartMs + 1000
  }

  record({ type, lagMs }: StreamEvent, nowMs: number): void {
    this.#endSeconds(nowMs)
    this.#events += 1
    this.#byType.set(type, (this.#byType.get(type) ?? 0) + 1)
    if (lagMs === null) return this.#timeline.add('unknown', 0, 1)
    // Clocks that are a little apart must not give a time below 0.
    const us = Math.max(0, Math.round(lagMs * 1000))
    addSample((this.#lag ??= emptySamples()), us)
    this.#timeline.add('ok', us, 1)
  }

  addError(failure: Failure): void {
    this.#errors.add(failure)
  }

  /** Call once, after the last event. The rows reach to the end of the timed window at least. */
  finish({ name, kind }: StreamPlan, windowEndMs: number): StreamResult {
    this.#endSeconds(windowEndMs)
    if (this.#secondEndMs !== Infinity) this.#timeline.endSecond()
    const { documents, p50Ms, p99Ms, maxMs } = this.#timeline.rows()
    return {
      name,
      kind,
      events: this.#events,
      byType: Object.fromEntries(this.#byType),
      lag: this.#lag ? toLatency(this.#lag) : null,
      perSecond: { events: documents, lagP50Ms: p50Ms, lagP99Ms: p99Ms, lagMaxMs: maxMs },
      errors: this.#errors.list(),
    }
  }

  #endSeconds(untilMs: number): void {
    for (; untilMs >= this.#secondEndMs; this.#secondEndMs += 1000) this.#timeline.endSecond()
  }
}
