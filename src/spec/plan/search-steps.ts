import { formatQuantity } from '../../core/quantities.ts'
import { parseThreshold } from '../../language/thresholds.ts'
import { type Arrivals, withChance } from '../../load/plan/arrival-times.ts'
import { readAddress } from '../../metrics/address.ts'
import { samplesNeeded } from '../../metrics/latency.ts'
import { type MetricTarget } from '../../metrics/scope.ts'
import { sum } from '../../metrics/statistics.ts'
import { type SearchStep } from '../../results/schema/windows.ts'
import { getOperationName } from '../operations/index.ts'
import { type FindRateLoad } from '../schema/find-rate-schema.ts'
import { type FindPeakLoad, type PhaseSpec } from '../schema/phase-schema.ts'
import { calledIn } from './phase-operations.ts'
import { shapeOfPhase } from './shape.ts'

/** A load that looks for something in steps, which are loads of their own. */
export type SearchLoad = FindPeakLoad | FindRateLoad

export const isSearch = (load: PhaseSpec['load']): load is SearchLoad =>
  load.kind === 'findPeak' || load.kind === 'findRate'

const defaultWarmup = { seconds: 1 }

const nameEndings = { step: '', again: ' again', confirm: ' to confirm' } as const

/** One step of a search as a phase. Its name is the place from which its calls are drawn. */
export function planStep(phase: PhaseSpec, load: SearchLoad, { at, purpose }: SearchStep): PhaseSpec {
  const { name, ...made } = load.kind === 'findPeak' ? stepOfPeak(load, at) : stepOfRate(phase, load, at)
  const seconds = Math.max(load.secondsPerStep, made.secondsNeeded)
  return {
    ...phase,
    name: `${phase.name} ${name}${nameEndings[purpose]}`,
    load: made.load,
    warmup: at === load.from && purpose === 'step' ? (phase.warmup ?? defaultWarmup) : defaultWarmup,
    stopAfter: { seconds: purpose === 'confirm' ? seconds * 2 : seconds },
  }
}

type StepLoad = { readonly name: string; readonly load: PhaseSpec['load']; readonly secondsNeeded: number }

const stepOfPeak = ({ threads }: FindPeakLoad, workers: number): StepLoad => ({
  name: `with ${formatQuantity(workers, 'worker')}`,
  load: { kind: 'closed', workers, threads },
  secondsNeeded: 0,
})

function stepOfRate(
  phase: PhaseSpec,
  { arrivals, maxInFlight, threads, holds }: FindRateLoad,
  ratePerSecond: number,
): StepLoad {
  return {
    name: `at ${ratePerSecond.toLocaleString('en-US')}/s`,
    load: { kind: 'open', ratePerSecond, arrivals, maxInFlight, threads },
    secondsNeeded: Math.max(...holds.map((limit) => secondsNeeded(limit, ratePerSecond, arrivals, phase))),
  }
}

/** How long a step must be, so that a percentile among its limits has enough samples, by more than chance takes away. */
function secondsNeeded(limit: string, ratePerSecond: number, arrivals: Arrivals, phase: PhaseSpec): number {
  const address = readAddress(parseThreshold(limit)?.address ?? '', shapeOfPhase(phase))
  if ('reason' in address || !('value' in address.column) || address.column.percentile === undefined) return 0
  const needed = samplesNeeded(address.column.percentile.share)
  return withChance(needed, arrivals) / (ratePerSecond * partOfCalls(address.target, phase))
}

export function partOfCalls(target: MetricTarget | null, phase: PhaseSpec): number {
  if (target === null || !('operation' in target)) return 1
  const called = calledIn(phase).map(({ spec }) => spec)
  const operation = called.find((one) => getOperationName(one) === target.operation)
  if (operation === undefined) return 1
  return operation.share ?? operation.weight / sum(called.map(({ weight }) => weight))
}
