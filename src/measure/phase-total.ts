import { type PhasePlan } from '../plan/plan.ts'
import { type OpenLoopResult } from '../results/schema/open-loop.ts'
import { type OperationResult } from '../results/schema/calls.ts'
import { type AvailabilityPart, mergeAvailability, noAvailability } from './availability-record.ts'
import { callsResult } from './call-record.ts'
import { samplesResult } from './kept-samples.ts'
import { type LatencyPart, mergeLatencies } from './latency.ts'
import {
  mergeArrivals,
  noArrivals,
  noPlanTimes,
  openLoopResult,
  type OpenWindow,
  PlanTimesTotal,
} from './open-loop-record.ts'
import { mergeOperations, type OperationPart } from './operation-record.ts'
import { type PhasePart } from './phase-part.ts'
import { SecondRows } from './second-rows.ts'
import { transactionResult } from './transaction-record.ts'

type RecordedPlan = Pick<PhasePlan, 'operations' | 'load'>

/** All parts of a phase together. Of a second that is over for every unit it keeps a few numbers, and no histogram. */
export class PhaseTotal {
  readonly #plan: RecordedPlan
  readonly #operations: readonly OperationTotal[]
  readonly #planTimes = new PlanTimesTotal()
  #arrivals = noArrivals
  #availability = noAvailability
  #seconds = 0

  constructor(plan: RecordedPlan) {
    this.#plan = plan
    this.#operations = plan.operations.map(() => new OperationTotal())
  }

  get availability(): AvailabilityPart {
    return this.#availability
  }

  /** Of the successes of all operations so far. */
  get okLatency(): LatencyPart | undefined {
    return this.#operations.map(({ okLatency }) => okLatency).reduce(mergeLatencies, undefined)
  }

  add(part: PhasePart): void {
    for (const [i, operation] of part.operations.entries()) {
      this.#operations[i]?.add(operation)
      if (operation.planTimes !== undefined) this.#planTimes.add(operation.planTimes)
    }
    this.#arrivals = mergeArrivals(this.#arrivals, part.arrivals)
    this.#availability = mergeAvailability(this.#availability, part.availability)
    this.#seconds = Math.max(this.#seconds, part.seconds)
  }

  /** Nothing more comes of the seconds before this one, of no unit. */
  closeBefore(second: number): void {
    for (const operation of this.#operations) operation.closeBefore(second)
    this.#planTimes.closeBefore(second)
  }

  operations(): OperationResult[] {
    const isOpen = this.#plan.load.kind === 'open'
    return this.#plan.operations.flatMap((plan, i) => this.#operations[i]?.result(plan, this.#seconds, isOpen) ?? [])
  }

  /** Null: the loop is closed. */
  openLoop(window: OpenWindow): OpenLoopResult | null {
    const { load } = this.#plan
    return load.kind === 'open'
      ? openLoopResult(load, this.#planTimes.result(this.#seconds), this.#arrivals, window)
      : null
  }
}

class OperationTotal {
  #part: OperationPart | undefined
  readonly #rows = new SecondRows()
  readonly #planTimes = new PlanTimesTotal()

  get okLatency(): LatencyPart | undefined {
    return this.#part?.calls.latency.ok
  }

  add(part: OperationPart): void {
    this.#rows.add(part.seconds)
    if (part.planTimes !== undefined) this.#planTimes.add(part.planTimes)
    const rest = { ...part, seconds: [], planTimes: part.planTimes && noPlanTimes }
    this.#part = this.#part === undefined ? rest : mergeOperations(this.#part, rest)
  }

  closeBefore(second: number): void {
    this.#rows.closeBefore(second)
    this.#planTimes.closeBefore(second)
  }

  result(plan: PhasePlan['operations'][number], seconds: number, isOpen: boolean): OperationResult[] {
    const part = this.#part
    if (part === undefined) return []
    const isExpected = 'expectDocuments' in plan && plan.expectDocuments !== undefined
    const settings = 'steps' in plan ? plan.transaction : undefined
    const steps = 'steps' in plan ? plan.steps : []
    return [
      {
        ...callsResult(plan, part.calls),
        perSecond: this.#rows.result(seconds),
        found: isExpected ? part.found : null,
        missing: isExpected ? part.missing : null,
        steps: part.steps.flatMap(({ calls, skipped }, i) => {
          const step = steps[i]
          return step === undefined ? [] : [{ ...callsResult(step, calls), skipped }]
        }),
        openLoop: isOpen ? this.#planTimes.result(seconds) : null,
        samples: part.samples ? samplesResult(part.samples) : null,
        transaction: settings && part.transaction ? transactionResult(settings, part.transaction) : null,
      },
    ]
  }
}
