import { type Outcome } from '../engines/engine.ts'
import { type PhasePlan, type PlannedCall } from '../plan/plan.ts'
import { type AvailabilityPart, AvailabilityRecord, mergeAvailability, noAvailability } from './availability-record.ts'
import { type LatencyPart, LatencyRecord, mergeLatencies } from './latency.ts'
import { ArrivalRecord, type ArrivalsPart, mergeArrivals, noArrivals } from './open-loop-record.ts'
import { mergeOperations, noOperation, type OperationPart, OperationRecord } from './operation-record.ts'
import { mergeThroughput, noThroughput, type ThroughputPart, ThroughputRecord } from './throughput-record.ts'

/**
 * Measurements of units of load. Parts of several units, and of several passes, merge into one: in any
 * order, and with the counts and histograms of a single recorder that had seen all calls.
 */
export type PhasePart = {
  readonly operations: readonly OperationPart[]
  readonly arrivals: ArrivalsPart
  readonly availability: AvailabilityPart
  readonly throughput: ThroughputPart
  /** Waits for a connection. Undefined: there was none, or the phase has no pool. */
  readonly poolWait: LatencyPart | undefined
  /** Calls that have ended, whatever the outcome, and the documents that they asked for. */
  readonly calls: number
  readonly documents: number
  /** Seconds of the window that have begun when the last of them ended. */
  readonly seconds: number
}

/** Merges parts of the same phase, at least one. */
export const mergeParts = (parts: readonly PhasePart[]): PhasePart => ({
  operations: (parts[0]?.operations ?? []).map((_, i) =>
    mergeOperations(parts.flatMap(({ operations }) => operations[i] ?? [])),
  ),
  arrivals: mergeArrivals(parts.map(({ arrivals }) => arrivals)),
  availability: mergeAvailability(parts.map(({ availability }) => availability)),
  throughput: mergeThroughput(parts.map(({ throughput }) => throughput)),
  poolWait: mergeLatencies(parts.map(({ poolWait }) => poolWait)),
  calls: parts.reduce((sum, { calls }) => sum + calls, 0),
  documents: parts.reduce((sum, { documents }) => sum + documents, 0),
  seconds: Math.max(...parts.map(({ seconds }) => seconds)),
})

/** Returns the part of a phase that has not begun. */
export const noPart = ({ operations, keepSamples }: Pick<PhasePlan, 'operations' | 'keepSamples'>): PhasePart => ({
  operations: operations.map((plan) => noOperation(plan, keepSamples)),
  arrivals: noArrivals,
  availability: noAvailability,
  throughput: noThroughput,
  poolWait: undefined,
  calls: 0,
  documents: 0,
  seconds: 0,
})

const msPerSecond = 1000

/**
 * Records the calls of one unit in the order in which they end, and hands them over as parts. Memory does not grow with the
 * number of calls: one histogram per operation and outcome, emptied every second.
 */
export class PhaseRecorder {
  readonly #operations: readonly OperationRecord[]
  readonly #arrivals = new ArrivalRecord()
  readonly #availability: AvailabilityRecord | undefined
  readonly #throughput: ThroughputRecord
  readonly #poolWait = new LatencyRecord()
  readonly #windowStartMs: number
  /** The second in which calls end now, and when it is over. */
  #second = 0
  #secondEndMs: number
  #calls = 0
  #documents = 0

  /** @param windowStartMs All seconds are counted from here. */
  constructor({ operations, keepSamples, load, faults }: RecordedPhase, windowStartMs: number) {
    const isOpen = load.kind === 'open'
    this.#operations = operations.map((plan) => new OperationRecord(plan, { keepSamples, isOpen }))
    this.#availability = faults.length > 0 ? new AvailabilityRecord(windowStartMs) : undefined
    this.#throughput = new ThroughputRecord(windowStartMs)
    this.#windowStartMs = windowStartMs
    this.#secondEndMs = windowStartMs + msPerSecond
  }

  // Runs once per call: nothing in here that could be done once per second.
  /** @returns whether documents that the call should have found are missing. */
  record(call: PlannedCall, startMs: number, endMs: number, outcome: Outcome): boolean {
    if (endMs >= this.#secondEndMs) this.#enterSecond(endMs)
    this.#calls += 1
    this.#documents += call.documents
    const operation = this.#operations[call.operation]
    if (!operation) throw new RangeError(`The phase has no operation number ${call.operation}`)
    this.#availability?.record(startMs, endMs, outcome)
    if (outcome.kind === 'ok') this.#throughput.add(startMs, endMs)
    return operation.add(call, Math.round((endMs - startMs) * 1000), outcome, endMs)
  }

  /** Records for an open loop that an arrival was due, and could not be sent. */
  recordDropped(plannedMs: number): void {
    this.#arrivals.add(this.#secondOf(plannedMs), true)
  }

  /** Records an open-loop arrival, after `record`. */
  recordArrival({ operation }: PlannedCall, plannedMs: number, sentMs: number, endMs: number, outcome: Outcome): void {
    this.#arrivals.add(this.#secondOf(plannedMs), false)
    this.#operations[operation]?.addPlanTimes(sentMs - plannedMs, endMs - plannedMs, outcome.kind === 'ok')
  }

  recordPoolWait(ms: number): void {
    this.#poolWait.add(Math.round(ms * 1000))
  }

  /** Takes the measurements recorded since the last time. */
  take(): PhasePart {
    for (const operation of this.#operations) operation.endSecond(this.#second)
    const part = {
      operations: this.#operations.map((operation) => operation.take()),
      arrivals: this.#arrivals.take(),
      availability: this.#availability?.take() ?? noAvailability,
      throughput: this.#throughput.take(),
      poolWait: this.#poolWait.take(),
      calls: this.#calls,
      documents: this.#documents,
      seconds: this.#second + 1,
    }
    this.#calls = 0
    this.#documents = 0
    return part
  }

  #enterSecond(endMs: number): void {
    for (const operation of this.#operations) operation.endSecond(this.#second)
    this.#second = this.#secondOf(endMs)
    this.#secondEndMs = this.#windowStartMs + (this.#second + 1) * msPerSecond
  }

  #secondOf(ms: number): number {
    return Math.max(0, Math.floor((ms - this.#windowStartMs) / msPerSecond))
  }
}

/** Properties of a phase that decide what is recorded. */
export type RecordedPhase = Pick<PhasePlan, 'operations' | 'keepSamples' | 'load' | 'faults'>
