import { type Outcome } from '../engines/engine.ts'
import { type OpenLoadPlan, type PhasePlan, type PlannedCall } from '../plan/plan.ts'
import { type PhaseResult } from '../results/schema.ts'
import { type OperationResult } from '../results/schema/calls.ts'
import { type OpenLoopResult, type OpenTimes } from '../results/schema/open-loop.ts'
import { addSample, emptySamples, type LatencySamples, toLatency } from './latency.ts'
import { Timeline } from './timeline.ts'

/** Later than this is late. Timers take whole milliseconds: on an idle machine they are up to about 1.3 ms behind. */
export const lateFromMs = 2

const toUs = (ms: number): number => Math.max(0, Math.round(ms * 1000))

/** Times of calls since the moments for which a plan had them. */
class PlanTimes {
  /** Built with the first sample: a histogram is 85 KiB. */
  #wait: LatencySamples | undefined
  #response: LatencySamples | undefined
  #late = 0
  readonly #timeline = new Timeline()

  add(waitMs: number, responseMs: number, isOk: boolean): void {
    addSample((this.#wait ??= emptySamples()), toUs(waitMs))
    if (waitMs > lateFromMs) this.#late += 1
    if (!isOk) return
    const us = toUs(responseMs)
    addSample((this.#response ??= emptySamples()), us)
    this.#timeline.add('ok', us, 0)
  }

  endSecond(): void {
    this.#timeline.endSecond()
  }

  result(): OpenTimes {
    const { p50Ms, p99Ms, maxMs } = this.#timeline.rows()
    return {
      wait: this.#wait ? toLatency(this.#wait) : null,
      response: this.#response ? toLatency(this.#response) : null,
      late: this.#late,
      perSecond: { responseP50Ms: p50Ms, responseP99Ms: p99Ms, responseMaxMs: maxMs },
    }
  }
}

/** Takes what became of the arrivals of a phase, in the order in which it happens. */
export type ArrivalRecorder = {
  readonly start: (windowStartMs: number) => void
  readonly sent: (inFlight: number) => void
  readonly dropped: (plannedMs: number) => void
  readonly answered: (call: PlannedCall, plannedMs: number, sentMs: number, endMs: number, outcome: Outcome) => void
  readonly ended: (nowMs: number) => void
  /** Adds the times since the plan to the results of the operations. Call once, after the last answer. */
  readonly addTimes: (operations: OperationResult[]) => OperationResult[]
  readonly result: () => PhaseResult['openLoop']
}

export const recordArrivals = ({ load, operations }: Pick<PhasePlan, 'load' | 'operations'>): ArrivalRecorder =>
  load.kind === 'open' ? new OpenLoopRecorder(load, operations.length) : withoutPlan

const withoutPlan: ArrivalRecorder = {
  start: () => {},
  sent: () => {},
  dropped: () => {},
  answered: () => {},
  ended: () => {},
  addTimes: (operations) => operations,
  result: () => null,
}

class OpenLoopRecorder implements ArrivalRecorder {
  readonly #load: OpenLoadPlan
  readonly #all = new PlanTimes()
  readonly #operations: readonly PlanTimes[]
  /** By the second for which they were planned. */
  readonly #planned: number[] = []
  readonly #dropped: number[] = []
  #peakInFlight = 0
  #startMs = 0
  #endMs = 0
  /** Infinity before the window opens. */
  #secondEndMs = Infinity

  constructor(load: OpenLoadPlan, operations: number) {
    this.#load = load
    this.#operations = Array.from({ length: operations }, () => new PlanTimes())
  }

  start(windowStartMs: number): void {
    this.#startMs = windowStartMs
    this.#endMs = windowStartMs
    this.#secondEndMs = windowStartMs + 1000
  }

  sent(inFlight: number): void {
    if (inFlight > this.#peakInFlight) this.#peakInFlight = inFlight
  }

  dropped(plannedMs: number): void {
    this.#plan(plannedMs, 1)
  }

  answered({ operation }: PlannedCall, plannedMs: number, sentMs: number, endMs: number, { kind }: Outcome): void {
    for (; endMs >= this.#secondEndMs; this.#secondEndMs += 1000) this.#endSecond()
    this.#plan(plannedMs, 0)
    const waitMs = sentMs - plannedMs
    const responseMs = endMs - plannedMs
    const isOk = kind === 'ok'
    this.#all.add(waitMs, responseMs, isOk)
    this.#operations[operation]?.add(waitMs, responseMs, isOk)
  }

  ended(nowMs: number): void {
    this.#endMs = nowMs
  }

  addTimes(operations: OperationResult[]): OperationResult[] {
    if (this.#secondEndMs !== Infinity) this.#endSecond()
    return operations.map((operation, i) => ({ ...operation, openLoop: this.#operations[i]?.result() ?? null }))
  }

  result(): OpenLoopResult {
    const { arrivals, ratePerSecond, maxInFlight } = this.#load
    const { perSecond, ...times } = this.#all.result()
    const planned = Array.from(this.#planned, (count = 0) => count)
    const dropped = planned.map((_, second) => this.#dropped[second] ?? 0)
    const [plannedInAll, droppedInAll] = [sum(planned), sum(dropped)]
    return {
      arrivals,
      ratePerSecond,
      seconds: (this.#endMs - this.#startMs) / 1000,
      maxInFlight,
      peakInFlight: this.#peakInFlight,
      planned: plannedInAll,
      sent: plannedInAll - droppedInAll,
      dropped: droppedInAll,
      ...times,
      perSecond: { ...perSecond, planned, dropped },
    }
  }

  #plan(plannedMs: number, dropped: 0 | 1): void {
    const second = Math.floor((plannedMs - this.#startMs) / 1000)
    this.#planned[second] = (this.#planned[second] ?? 0) + 1
    this.#dropped[second] = (this.#dropped[second] ?? 0) + dropped
  }

  #endSecond(): void {
    this.#all.endSecond()
    for (const times of this.#operations) times.endSecond()
  }
}

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0)
