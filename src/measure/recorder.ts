import { type Outcome, type Reply } from '../engines/engine.ts'
import { type OperationPlan, type PlannedCall } from '../plan/plan.ts'
import { type OperationResult } from '../results/schema.ts'
import { ErrorCounts } from './error-counts.ts'
import { addSample, emptySamples, type LatencySamples, toLatency } from './latency.ts'
import { Timeline } from './timeline.ts'

/** All samples of one operation. */
class OperationRecord {
  readonly timeline = new Timeline()
  readonly #plan: OperationPlan
  readonly #errors = new ErrorCounts()
  /** Built with the first sample of an outcome: most operations never fail, and a histogram is 85 KiB. */
  readonly #latency: { ok?: LatencySamples; failed?: LatencySamples; unknown?: LatencySamples } = {}
  readonly #sums = { documents: 0, bytes: 0, matched: 0, modified: 0, upserted: 0, inserted: 0, deleted: 0 }

  constructor(plan: OperationPlan) {
    this.#plan = plan
  }

  add(call: PlannedCall, us: number, outcome: Outcome): void {
    const { kind, reply } = outcome
    addSample((this.#latency[kind] ??= emptySamples()), us)
    this.timeline.add(kind, us, reply.documents)
    this.#sums.documents += reply.documents
    this.#sums.bytes += reply.bytes + acknowledgedBytes(call, outcome)
    this.#sums.matched += reply.matched
    this.#sums.modified += reply.modified
    this.#sums.upserted += reply.upserted
    this.#sums.inserted += reply.inserted
    this.#sums.deleted += reply.deleted
    if (outcome.kind !== 'ok') this.#errors.add(outcome)
  }

  result(): OperationResult {
    const { name, kind, carriesDocuments, reply } = this.#plan
    const { ok, failed, unknown } = this.#latency
    const movesDocuments = carriesDocuments || reply === 'document' || reply === 'cursor'
    return {
      name,
      kind,
      ok: ok?.count ?? 0,
      failed: failed?.count ?? 0,
      unknown: unknown?.count ?? 0,
      ...this.#sums,
      bytes: movesDocuments ? this.#sums.bytes : null,
      errors: this.#errors.list(),
      latency: {
        ok: ok ? toLatency(ok) : null,
        failed: failed ? toLatency(failed) : null,
        unknown: unknown ? toLatency(unknown) : null,
      },
      perSecond: this.timeline.rows(),
    }
  }
}

const written = ({ inserted, modified, upserted }: Reply): number => inserted + modified + upserted

/**
 * Of the bytes that a call carries, those of the documents that were acknowledged. Where a part of a call failed, which
 * documents went through is not kept: they count with the call's mean size.
 */
function acknowledgedBytes({ bytes, documents }: PlannedCall, { kind, reply }: Outcome): number {
  if (bytes === 0 || kind === 'ok') return bytes
  return documents === 0 ? 0 : Math.round((bytes * written(reply)) / documents)
}

/**
 * Takes every measured call of a phase, in the order in which they end. Memory does not grow with the number of calls:
 * one histogram per operation and outcome, one per operation for the current second, one row per second.
 */
export class PhaseRecorder {
  readonly #operations: readonly OperationRecord[]
  /** Infinity before the window opens. */
  #secondEndMs = Infinity

  constructor(operations: readonly OperationPlan[]) {
    this.#operations = operations.map((operation) => new OperationRecord(operation))
  }

  start(windowStartMs: number): void {
    this.#secondEndMs = windowStartMs + 1000
  }

  record(call: PlannedCall, startMs: number, endMs: number, outcome: Outcome): void {
    while (endMs >= this.#secondEndMs) this.#endSecond()
    const operation = this.#operations[call.operation]
    if (!operation) throw new RangeError(`The phase has no operation number ${call.operation}`)
    operation.add(call, Math.round((endMs - startMs) * 1000), outcome)
  }

  /** Call once, after the last call has been recorded: ends the last second. */
  finish(): OperationResult[] {
    if (this.#secondEndMs !== Infinity) this.#endSecond()
    return this.#operations.map((operation) => operation.result())
  }

  #endSecond(): void {
    for (const { timeline } of this.#operations) timeline.endSecond()
    this.#secondEndMs += 1000
  }
}
