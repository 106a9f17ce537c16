import { type Outcome, type StepOutcome } from '../engines/engine.ts'
import { type MethodPlan, type OperationPlan, type PlannedCall } from '../plan/plan.ts'
import { type OperationResult, type StepResult } from '../results/schema/calls.ts'
import { CallRecord } from './call-record.ts'
import { KeptSamples } from './kept-samples.ts'
import { Timeline } from './timeline.ts'
import { TransactionRecord } from './transaction-record.ts'

const toUs = (ms: number): number => Math.round(ms * 1000)

/** All samples of one operation. */
class OperationRecord {
  readonly timeline = new Timeline()
  readonly #plan: OperationPlan
  readonly #calls = new CallRecord()
  readonly #steps: readonly StepRecord[]
  readonly #samples: KeptSamples | undefined
  readonly #expected: number | undefined
  readonly #transactions: TransactionRecord | undefined
  #found = 0
  #missing = 0

  constructor(plan: OperationPlan, keepSamples: number) {
    this.#plan = plan
    this.#steps = 'steps' in plan ? plan.steps.map((step) => new StepRecord(step)) : []
    this.#expected = 'steps' in plan ? undefined : plan.expectDocuments
    const settings = 'steps' in plan ? plan.transaction : undefined
    this.#transactions = settings && new TransactionRecord(settings)
    this.#samples = keepSamples > 0 ? new KeptSamples(keepSamples) : undefined
  }

  add({ bytes, documents, number }: PlannedCall, us: number, outcome: Outcome): void {
    const { kind, reply, steps } = outcome
    this.#transactions?.add(us, outcome)
    // Nothing was done and nothing went wrong: neither throughput nor an error.
    if (outcome.kind !== 'aborted') {
      this.#calls.add(us, outcome, bytes, documents)
      this.timeline.add(outcome.kind, us, reply.documents)
    }
    if (kind === 'ok') {
      this.#samples?.add(number, us)
      if (this.#expected !== undefined) this.#compare(reply.documents, this.#expected)
    }
    if (steps) for (const step of steps) this.#steps[step.step]?.add(step)
  }

  result(): OperationResult {
    const isExpected = this.#expected !== undefined
    return {
      ...this.#calls.result(this.#plan),
      perSecond: this.timeline.rows(),
      found: isExpected ? this.#found : null,
      missing: isExpected ? this.#missing : null,
      steps: this.#steps.map((step) => step.result()),
      samples: this.#samples?.result() ?? null,
      transaction: this.#transactions?.result() ?? null,
      openLoop: null,
    }
  }

  #compare(documents: number, expected: number): void {
    const found = Math.min(documents, expected)
    this.#found += found
    this.#missing += expected - found
  }
}

/** All samples of one step of an operation. */
class StepRecord {
  readonly #plan: MethodPlan
  readonly #calls = new CallRecord()
  #skipped = 0

  constructor(plan: MethodPlan) {
    this.#plan = plan
  }

  add({ ms, bytes, outcome }: StepOutcome): void {
    if (outcome === undefined) this.#skipped += 1
    else if (outcome.kind !== 'aborted') this.#calls.add(toUs(ms), outcome, bytes, this.#plan.documentsPerCall ?? 1)
  }

  result(): StepResult {
    return { ...this.#calls.result(this.#plan), skipped: this.#skipped }
  }
}

/**
 * Takes every measured call of a phase, in the order in which they end. Memory does not grow with the number of calls:
 * one histogram per operation and outcome, one per operation for the current second, one row per second.
 */
export class PhaseRecorder {
  readonly #operations: readonly OperationRecord[]
  /** Infinity before the window opens. */
  #secondEndMs = Infinity

  /** @param keepSamples Single timings to keep of each operation. Default 0. */
  constructor(operations: readonly OperationPlan[], keepSamples = 0) {
    this.#operations = operations.map((operation) => new OperationRecord(operation, keepSamples))
  }

  start(windowStartMs: number): void {
    this.#secondEndMs = windowStartMs + 1000
  }

  record(call: PlannedCall, startMs: number, endMs: number, outcome: Outcome): void {
    while (endMs >= this.#secondEndMs) this.#endSecond()
    const operation = this.#operations[call.operation]
    if (!operation) throw new RangeError(`The phase has no operation number ${call.operation}`)
    operation.add(call, toUs(endMs - startMs), outcome)
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
