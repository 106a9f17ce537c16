import { computeDistribution, type LatencyPart, mergeLatencies, percentileMs } from '../../load/measure/latency.ts'
import { type PhasePart } from '../../load/measure/phase-part.ts'
import { mergeSecond, type SecondPart } from '../../load/measure/second-rows.ts'
import { type PartOf } from '../../load/part-sink.ts'
import { type LiveLatency, type LiveOperation, type LiveSecond } from './live-events.ts'

/** The part of a second that comes from the load. */
export type LoadSecond = Omit<LiveSecond, 'kind' | 'row' | 'servers'>

const msPerSecond = 1000

/** Adds the parts of one pass to seconds. */
export class PassSeconds {
  readonly #names: readonly string[]
  #operations: SecondPart[][]
  #responses: SecondPart[] = []
  #next: number
  #dropped = 0
  #late = 0

  /** @param of Of its first part. */
  constructor({ operations, startMs, windowStartMs }: PartOf) {
    this.#names = operations
    this.#operations = operations.map(() => [])
    this.#next = Math.floor((startMs - windowStartMs) / msPerSecond)
  }

  /** @returns the seconds of which nothing more comes, those in which nothing ended among them. */
  add(part: PhasePart, of: PartOf): readonly LoadSecond[] {
    for (const [i, { seconds, planTimes }] of part.operations.entries()) {
      this.#operations[i]?.push(...seconds)
      this.#responses.push(...(planTimes?.seconds ?? []))
      this.#late += planTimes?.late ?? 0
    }
    this.#dropped += part.arrivals.dropped.reduce((sum, dropped) => sum + dropped, 0)
    const before = of.isLast ? this.#end(of) : of.completeBefore
    const complete: LoadSecond[] = []
    for (; this.#next < before; this.#next++) complete.push(this.#take(this.#next, of))
    return complete
  }

  /** The second after the last one of the pass. */
  #end({ nowMs, windowStartMs, completeBefore }: PartOf): number {
    const seen = [...this.#operations.flat(), ...this.#responses].map(({ second }) => second + 1)
    // A pass that ends with a second has no further one, unless something has ended in that.
    return Math.max(completeBefore, Math.ceil((nowMs - windowStartMs) / msPerSecond), ...seen)
  }

  #take(second: number, of: PartOf): LoadSecond {
    const { phase, pass, load, workers, inFlight } = of
    const operations = this.#operations.map((parts) => mergeSecond(second, parts))
    const response = mergeSecond(second, this.#responses).ok
    const isLater = (part: SecondPart): boolean => part.second > second
    this.#operations = this.#operations.map((parts) => parts.filter(isLater))
    this.#responses = this.#responses.filter(isLater)
    const openLoop = { dropped: this.#dropped, late: this.#late, response: toLiveLatency(response) }
    this.#dropped = 0
    this.#late = 0
    const sum = (outcome: 'failed' | 'unknown'): number =>
      operations.reduce((total, operation) => total + operation[outcome], 0)
    const ok = mergeLatencies(operations.map((operation) => operation.ok))
    return {
      phase,
      pass,
      second,
      lengthSeconds: computeSecondLength(second, of),
      ok: ok?.count ?? 0,
      failed: sum('failed'),
      unknown: sum('unknown'),
      latency: toLiveLatency(ok),
      operations: operations.map((operation, i) => toLiveOperation(this.#names[i] ?? '', operation)),
      workers,
      inFlight,
      openLoop: load === 'open' ? openLoop : null,
    }
  }
}

/** How much of a second lies in the pass, with three decimals. */
function computeSecondLength(second: number, { startMs, windowStartMs, nowMs, isLast }: PartOf): number {
  const fromMs = Math.max(second * msPerSecond, startMs - windowStartMs)
  const toMs = Math.min((second + 1) * msPerSecond, isLast ? nowMs - windowStartMs : Infinity)
  return Math.max(0, Math.round(toMs - fromMs) / 1000)
}

const toLiveOperation = (name: string, part: SecondPart): LiveOperation => ({
  name,
  ok: part.ok?.count ?? 0,
  failed: part.failed,
  unknown: part.unknown,
  latency: toLiveLatency(part.ok),
  sumMs: (part.ok?.sumUs ?? 0) / 1000,
  distribution: part.ok === undefined ? [] : computeDistribution(part.ok),
})

const toLiveLatency = (part: LatencyPart | undefined): LiveLatency | null =>
  part === undefined ? null : { p50Ms: percentileMs(part, 50), p99Ms: percentileMs(part, 99), maxMs: part.maxUs / 1000 }
