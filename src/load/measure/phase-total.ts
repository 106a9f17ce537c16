import { type OperationResult } from '../../results/schema/calls.ts'
import { type Latency } from '../../results/schema/latency.ts'
import { type OpenLoopResult } from '../../results/schema/open-loop.ts'
import { type MethodPlan, type OperationPlan, type PhasePlan } from '../plan/plan.ts'
import { type AvailabilityPart, mergeAvailability, noAvailability } from './availability-record.ts'
import { callsResult } from './call-record.ts'
import { samplesResult } from './kept-samples.ts'
import { toLatency } from './latency.ts'
import { openLoopResult, type OpenWindow, PlanTimesTotal } from './open-loop-record.ts'
import { type OperationPart } from './operation-record.ts'
import { mergeParts, noPart, type PhasePart } from './phase-part.ts'
import { SecondRows } from './second-rows.ts'
import { noThroughput } from './throughput-record.ts'
import { type ThroughputSeries, ThroughputTotal } from './throughput-total.ts'
import { transactionResult } from './transaction-record.ts'

/** Parts are merged with each other before they go into the whole, which has a bucket for every latency there was and is copied each time. */
const partsPerMerge = 64

type RecordedPlan = Pick<PhasePlan, 'operations' | 'load' | 'keepSamples'>

/** All parts of a phase together. Of a second that is over for every unit it keeps a few numbers, and no histogram. */
export class PhaseTotal {
  readonly #plan: RecordedPlan
  readonly #series: readonly OperationSeries[]
  readonly #planTimes = new PlanTimesTotal()
  /** Merged when they are asked for: they grow with the phase, and are not to be copied every second. */
  readonly #availability: AvailabilityPart[] = []
  readonly #throughput = new ThroughputTotal()
  /** All but what the fields above have. */
  #sums: PhasePart
  /** Not yet merged. */
  #waiting: PhasePart[] = []
  #closedBefore = 0

  constructor(plan: RecordedPlan) {
    this.#plan = plan
    this.#series = plan.operations.map(() => new OperationSeries())
    this.#sums = noPart(plan)
  }

  get availability(): AvailabilityPart {
    this.#mergeWaiting()
    return mergeAvailability(this.#availability)
  }

  /** Waits for a connection. Null: there was none. */
  get poolWait(): Latency | null {
    this.#mergeWaiting()
    const { poolWait } = this.#sums
    return poolWait === undefined ? null : toLatency(poolWait)
  }

  /** @param elapsedMs Length of the window. */
  throughput(elapsedMs: number): ThroughputSeries {
    this.#mergeWaiting()
    return this.#throughput.series(elapsedMs)
  }

  add(part: PhasePart): void {
    this.#waiting.push(part)
    if (this.#waiting.length === partsPerMerge) this.#mergeWaiting()
  }

  /** Nothing more comes of the seconds before this one, of no unit. */
  closeBefore(second: number): void {
    if (second <= this.#closedBefore) return
    this.#closedBefore = second
    this.#mergeWaiting()
    for (const series of this.#series) series.closeBefore(second)
    this.#planTimes.closeBefore(second)
  }

  operations(): OperationResult[] {
    this.#mergeWaiting()
    const { operations, load } = this.#plan
    return operations.flatMap((plan, i) => {
      const [part, series] = [this.#sums.operations[i], this.#series[i]]
      if (part === undefined || series === undefined) return []
      return [{ ...operationResult(plan, part), ...series.result(this.#sums.seconds, load.kind === 'open') }]
    })
  }

  /** Null: the loop is closed. */
  openLoop(window: OpenWindow): OpenLoopResult | null {
    this.#mergeWaiting()
    const { load } = this.#plan
    const { seconds, arrivals } = this.#sums
    return load.kind === 'open' ? openLoopResult(load, this.#planTimes.result(seconds), arrivals, window) : null
  }

  #mergeWaiting(): void {
    if (this.#waiting.length === 0) return
    const part = mergeParts(this.#waiting)
    this.#waiting = []
    for (const [i, operation] of part.operations.entries()) {
      this.#series[i]?.add(operation)
      if (operation.planTimes !== undefined) this.#planTimes.add(operation.planTimes)
    }
    this.#availability.push(part.availability)
    this.#throughput.add(part)
    const operations = part.operations.map((operation) => ({ ...operation, seconds: [], planTimes: undefined }))
    const sums = { ...part, operations, availability: noAvailability, throughput: noThroughput }
    this.#sums = mergeParts([this.#sums, sums])
  }
}

/** Rows of an operation, by second. */
class OperationSeries {
  readonly #rows = new SecondRows()
  readonly #planTimes = new PlanTimesTotal()

  add({ seconds, planTimes }: OperationPart): void {
    this.#rows.add(seconds)
    if (planTimes !== undefined) this.#planTimes.add(planTimes)
  }

  closeBefore(second: number): void {
    this.#rows.closeBefore(second)
    this.#planTimes.closeBefore(second)
  }

  result(seconds: number, isOpen: boolean): Pick<OperationResult, 'perSecond' | 'openLoop'> {
    return { perSecond: this.#rows.result(seconds), openLoop: isOpen ? this.#planTimes.result(seconds) : null }
  }
}

function operationResult(
  plan: OperationPlan,
  { calls, steps, samples, transaction, ...whole }: OperationPart,
): Omit<OperationResult, 'perSecond' | 'openLoop'> {
  const [planned, settings] = 'steps' in plan ? [plan.steps, plan.transaction] : [[], undefined]
  return {
    ...callsResult(plan, calls),
    ...('steps' in plan ? expectedResult(plan.steps, steps) : expectedResult([plan], [whole])),
    steps: planned.flatMap((step, i) => {
      const part = steps[i]
      if (part === undefined) return []
      return [{ ...callsResult(step, part.calls), ...expectedResult([step], [part]), skipped: part.skipped }]
    }),
    samples: samples ? samplesResult(samples) : null,
    transaction: settings && transaction ? transactionResult(settings, transaction) : null,
  }
}

type Expectation = Pick<OperationResult, 'found' | 'missing'>

/** The documents that methods expected, all together. Null: none expected any. */
function expectedResult(
  methods: readonly MethodPlan[],
  parts: readonly { readonly found: number; readonly missing: number }[],
): Expectation {
  if (methods.every(({ expectDocuments }) => expectDocuments === undefined)) return { found: null, missing: null }
  const sumOf = (name: keyof Expectation): number => parts.reduce((sum, part) => sum + part[name], 0)
  return { found: sumOf('found'), missing: sumOf('missing') }
}
