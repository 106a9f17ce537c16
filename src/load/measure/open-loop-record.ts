import { sum } from '../../metrics/statistics.ts'
import { type OpenLoopResult, type OpenTimes } from '../../results/schema/open-loop.ts'
import { type OpenLoadPlan } from '../plan/plan.ts'
import { type LatencyPart, LatencyRecord, mergeLatencies, toLatencies } from './latency.ts'
import { mergeSeconds, type SecondPart, SecondRecord, SecondRows } from './second-rows.ts'

/** Later than this is late: more than the timers add on a machine that is not busy. */
export const lateFromMs = 2

const toUs = (ms: number): number => Math.max(0, Math.round(ms * 1000))

/** Times of calls of one operation since the moments for which the plan had them. */
export type PlanTimesPart = {
  readonly wait: LatencyPart | undefined
  readonly late: number
  /** Responses by the second in which they came. */
  readonly seconds: readonly SecondPart[]
}

export const mergePlanTimes = (parts: readonly PlanTimesPart[]): PlanTimesPart => ({
  wait: mergeLatencies(parts.map(({ wait }) => wait)),
  late: sum(parts.map(({ late }) => late)),
  seconds: mergeSeconds(parts.map(({ seconds }) => seconds)),
})

/** Records such times until they are taken. */
export class PlanTimesRecord {
  readonly #wait = new LatencyRecord()
  readonly #responses = new SecondRecord()
  #late = 0

  add(waitMs: number, responseMs: number, isOk: boolean): void {
    this.#wait.add(toUs(waitMs))
    if (waitMs > lateFromMs) this.#late += 1
    if (isOk) this.#responses.add('ok', toUs(responseMs), 0)
  }

  /** @param second In which all that is taken has ended. */
  take(second: number): PlanTimesPart | undefined {
    const wait = this.#wait.take()
    if (wait === undefined) return undefined
    const responses = this.#responses.take(second)
    const part = { wait, late: this.#late, seconds: responses === undefined ? [] : [responses] }
    this.#late = 0
    return part
  }
}

/** Such times of a whole phase. */
export class PlanTimesTotal {
  #wait: LatencyPart | undefined
  #response: LatencyPart | undefined
  #late = 0
  readonly #rows = new SecondRows()

  add({ wait, late, seconds }: PlanTimesPart): void {
    this.#wait = mergeLatencies([this.#wait, wait])
    this.#late += late
    this.#response = mergeLatencies([this.#response, ...seconds.map(({ ok }) => ok)])
    this.#rows.add(seconds)
  }

  closeBefore(second: number): void {
    this.#rows.closeBefore(second)
  }

  result(seconds: number): OpenTimes {
    const { p50Ms, p99Ms, maxMs, histograms } = this.#rows.result(seconds)
    return {
      ...toLatencies({ wait: this.#wait, response: this.#response }, ['wait', 'response']),
      late: this.#late,
      perSecond: { responseP50Ms: p50Ms, responseP99Ms: p99Ms, responseMaxMs: maxMs, responseHistograms: histograms },
    }
  }
}

/** Arrivals by the second for which they were planned. */
export type ArrivalsPart = { readonly planned: readonly number[]; readonly dropped: readonly number[] }

export const noArrivals: ArrivalsPart = { planned: [], dropped: [] }

/** Merges arrivals parts, second by second. */
export const mergeArrivals = (parts: readonly ArrivalsPart[]): ArrivalsPart => ({
  planned: addEach(parts.map(({ planned }) => planned)),
  dropped: addEach(parts.map(({ dropped }) => dropped)),
})

const addEach = (all: readonly (readonly number[])[]): readonly number[] =>
  Array.from({ length: Math.max(0, ...all.map(({ length }) => length)) }, (_, i) =>
    sum(all.map((counts) => counts[i] ?? 0)),
  )

/** Counts arrivals until they are taken. */
export class ArrivalRecord {
  #planned: number[] = []
  #dropped: number[] = []

  add(second: number, isDropped: boolean): void {
    while (this.#planned.length <= second) {
      this.#planned.push(0)
      this.#dropped.push(0)
    }
    this.#planned[second] = (this.#planned[second] ?? 0) + 1
    if (isDropped) this.#dropped[second] = (this.#dropped[second] ?? 0) + 1
  }

  take(): ArrivalsPart {
    const part = { planned: this.#planned, dropped: this.#dropped }
    this.#planned = []
    this.#dropped = []
    return part
  }
}

/** The window in which an open loop sent its calls. */
export type OpenWindow = {
  /** How long calls were sent. */
  readonly seconds: number
  /** The sum over all units, each at its own time. */
  readonly peakInFlight: number
}

/** The result of an open loop: planned and dropped arrivals, and times since the plan. */
export function openLoopResult(
  { arrivals, ratePerSecond, maxInFlight }: OpenLoadPlan,
  { perSecond, ...times }: OpenTimes,
  { planned, dropped }: ArrivalsPart,
  { seconds, peakInFlight }: OpenWindow,
): OpenLoopResult {
  // Those of operations add up to them.
  const { responseHistograms: _, ...responses } = perSecond
  const [plannedInAll, droppedInAll] = [sum(planned), sum(dropped)]
  return {
    arrivals,
    ratePerSecond,
    seconds,
    maxInFlight,
    peakInFlight,
    planned: plannedInAll,
    sent: plannedInAll - droppedInAll,
    dropped: droppedInAll,
    ...times,
    perSecond: { ...responses, planned: [...planned], dropped: [...dropped] },
  }
}
