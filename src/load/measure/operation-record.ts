import { type Outcome, type StepOutcome } from '../engines/engine.ts'
import { type MethodPlan, type OperationPlan, type PlannedCall } from '../plan/plan.ts'
import { CallRecord, type CallsPart, mergeCalls, noCalls } from './call-record.ts'
import { mergeSamples, noSamples, SampleRecord, type SamplesPart } from './kept-samples.ts'
import { mergePlanTimes, PlanTimesRecord, type PlanTimesPart } from './open-loop-record.ts'
import { mergeSeconds, type SecondPart } from './second-rows.ts'
import { mergeTransactions, noTransactions, type TransactionPart, TransactionRecord } from './transaction-record.ts'

/** Counts of the documents that reads expected: those that came and those that did not. */
type Expected = { readonly found: number; readonly missing: number }

const addExpected = (parts: readonly Expected[]): Expected => ({
  found: parts.reduce((sum, { found }) => sum + found, 0),
  missing: parts.reduce((sum, { missing }) => sum + missing, 0),
})

export type StepPart = { readonly calls: CallsPart; readonly skipped: number } & Expected

/** Measurements of one operation by a unit. */
export type OperationPart = Expected & {
  readonly calls: CallsPart
  readonly seconds: readonly SecondPart[]
  readonly steps: readonly StepPart[]
  /** Undefined: none are kept. */
  readonly samples: SamplesPart | undefined
  /** Undefined: it is no transaction. */
  readonly transaction: TransactionPart | undefined
  /** Undefined: the loop is closed. */
  readonly planTimes: PlanTimesPart | undefined
}

const mergeDefined = <Part>(
  parts: readonly (Part | undefined)[],
  merge: (parts: readonly Part[]) => Part | undefined,
): Part | undefined => {
  const defined = parts.filter((part) => part !== undefined)
  return defined.length > 1 ? merge(defined) : defined[0]
}

const mergeSteps = (parts: readonly StepPart[]): StepPart => ({
  calls: mergeCalls(parts.map(({ calls }) => calls)),
  skipped: parts.reduce((sum, { skipped }) => sum + skipped, 0),
  ...addExpected(parts),
})

/** Merges parts of the same operation, at least one. */
export const mergeOperations = (parts: readonly OperationPart[]): OperationPart => ({
  calls: mergeCalls(parts.map(({ calls }) => calls)),
  seconds: mergeSeconds(parts.map(({ seconds }) => seconds)),
  ...addExpected(parts),
  steps: (parts[0]?.steps ?? []).map((_, i) => mergeSteps(parts.map(({ steps }) => steps[i] ?? noStep))),
  samples: mergeDefined(
    parts.map(({ samples }) => samples),
    mergeSamples,
  ),
  transaction: mergeDefined(
    parts.map(({ transaction }) => transaction),
    mergeTransactions,
  ),
  planTimes: mergeDefined(
    parts.map(({ planTimes }) => planTimes),
    mergePlanTimes,
  ),
})

const noStep: StepPart = { calls: noCalls, skipped: 0, found: 0, missing: 0 }

/** Returns the part of an operation that was not called. */
export const noOperation = (plan: OperationPlan, keepSamples: number): OperationPart => ({
  calls: noCalls,
  seconds: [],
  found: 0,
  missing: 0,
  steps: 'steps' in plan ? plan.steps.map(() => noStep) : [],
  samples: keepSamples > 0 ? noSamples(keepSamples) : undefined,
  transaction: isTransaction(plan) ? noTransactions : undefined,
  planTimes: undefined,
})

const isTransaction = (plan: OperationPlan): boolean => 'steps' in plan && plan.transaction !== undefined

const toUs = (ms: number): number => Math.round(ms * 1000)

/** Records the calls of one operation until they are taken. Memory does not grow with their number. */
export class OperationRecord {
  readonly #calls = new CallRecord()
  readonly #steps: readonly StepRecord[]
  readonly #samples: SampleRecord | undefined
  readonly #expected: ExpectedRecord
  readonly #transactions: TransactionRecord | undefined
  readonly #planTimes: PlanTimesRecord | undefined
  readonly #nothing: OperationPart
  #taken: OperationPart

  constructor(
    plan: OperationPlan,
    { keepSamples, isOpen }: { readonly keepSamples: number; readonly isOpen: boolean },
  ) {
    this.#steps = 'steps' in plan ? plan.steps.map((step) => new StepRecord(step)) : []
    this.#expected = new ExpectedRecord('steps' in plan ? undefined : plan.expectDocuments)
    this.#transactions = isTransaction(plan) ? new TransactionRecord() : undefined
    this.#samples = keepSamples > 0 ? new SampleRecord(keepSamples) : undefined
    this.#planTimes = isOpen ? new PlanTimesRecord() : undefined
    this.#nothing = noOperation(plan, keepSamples)
    this.#taken = this.#nothing
  }

  /** @returns whether documents that the call should have found are missing. */
  add({ bytes, documents, number }: PlannedCall, us: number, outcome: Outcome, nowMs: number): boolean {
    this.#transactions?.add(us, outcome)
    // Nothing was done and nothing went wrong: neither throughput nor an error.
    if (outcome.kind !== 'aborted') this.#calls.add(us, outcome, bytes, documents, nowMs)
    let isShort = this.#expected.add(outcome)
    for (const step of outcome.steps ?? []) if (this.#steps[step.step]?.add(step, nowMs)) isShort = true
    if (outcome.kind === 'ok') this.#samples?.add(number, us)
    return isShort
  }

  /** Adds the times of an open-loop call, in addition to `add`. */
  addPlanTimes(waitMs: number, responseMs: number, isOk: boolean): void {
    this.#planTimes?.add(waitMs, responseMs, isOk)
  }

  /** A second is over: what was recorded since the last one ended in it. */
  endSecond(second: number): void {
    const calls = this.#calls.take()
    const planTimes = this.#planTimes?.take(second)
    if (calls === undefined && planTimes === undefined && this.#transactions === undefined) return
    const ofSecond = {
      calls: calls ?? noCalls,
      seconds: calls === undefined ? [] : [toSecondPart(second, calls)],
      ...this.#expected.take(),
      steps: this.#steps.map((step) => step.take()),
      samples: this.#samples?.take(),
      transaction: this.#transactions?.take(),
      planTimes,
    }
    this.#taken = this.#taken === this.#nothing ? ofSecond : mergeOperations([this.#taken, ofSecond])
  }

  /** Takes the calls recorded in the seconds that have ended. */
  take(): OperationPart {
    const part = this.#taken
    this.#taken = this.#nothing
    return part
  }
}

/** Counts the documents that the successful calls of a read should have found. */
class ExpectedRecord {
  readonly #perCall: number
  #found = 0
  #missing = 0

  constructor(perCall = 0) {
    this.#perCall = perCall
  }

  /** @returns whether some are missing. */
  add({ kind, reply }: Outcome): boolean {
    if (this.#perCall === 0 || kind !== 'ok') return false
    const found = Math.min(reply.documents, this.#perCall)
    this.#found += found
    this.#missing += this.#perCall - found
    return found < this.#perCall
  }

  take(): Expected {
    const taken = { found: this.#found, missing: this.#missing }
    this.#found = 0
    this.#missing = 0
    return taken
  }
}

const toSecondPart = (second: number, { latency, sums }: CallsPart): SecondPart => ({
  second,
  failed: latency.failed?.count ?? 0,
  unknown: latency.unknown?.count ?? 0,
  documents: sums.documents,
  ok: latency.ok,
})

class StepRecord {
  readonly #plan: MethodPlan
  readonly #calls = new CallRecord()
  readonly #expected: ExpectedRecord
  #skipped = 0

  constructor(plan: MethodPlan) {
    this.#plan = plan
    this.#expected = new ExpectedRecord(plan.expectDocuments)
  }

  /** @returns whether documents that the step should have found are missing. */
  add({ ms, bytes, outcome }: StepOutcome, nowMs: number): boolean {
    if (outcome === undefined) this.#skipped += 1
    else if (outcome.kind !== 'aborted')
      this.#calls.add(toUs(ms), outcome, bytes, this.#plan.documentsPerCall ?? 1, nowMs)
    return outcome !== undefined && this.#expected.add(outcome)
  }

  take(): StepPart {
    const skipped = this.#skipped
    this.#skipped = 0
    return { calls: this.#calls.take() ?? noCalls, skipped, ...this.#expected.take() }
  }
}
