import { parseThreshold } from '../../language/thresholds.ts'
import { type Arrivals, withChance } from '../../load/plan/arrival-times.ts'
import { readAddress } from '../../metrics/address.ts'
import { samplesNeeded } from '../../metrics/latency.ts'
import { type MetricTarget } from '../../metrics/scope.ts'
import { sum } from '../../metrics/statistics.ts'
import { type RateStep } from '../../results/schema/rate.ts'
import { type FindRateLoad } from '../schema/find-rate-schema.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { getOperationName } from './names.ts'
import { calledIn } from './phase-operations.ts'
import { shapeOfPhase } from './shape.ts'

const defaultWarmup = { seconds: 1 }

const nameEndings = { step: '', again: ' again', confirm: ' to confirm' } as const satisfies Record<
  RateStep['purpose'],
  string
>

/** One step of a search as a phase with an open load. Its name is the place from which its calls are drawn. */
export function planRateStep(
  phase: PhaseSpec,
  { arrivals, maxInFlight, threads, ...load }: FindRateLoad,
  { ratePerSecond, purpose }: Pick<RateStep, 'ratePerSecond' | 'purpose'>,
): PhaseSpec {
  const isFirst = ratePerSecond === load.from && purpose === 'step'
  const seconds = Math.max(
    load.secondsPerStep,
    ...load.holds.map((limit) => secondsNeeded(limit, ratePerSecond, arrivals, phase)),
  )
  return {
    ...phase,
    name: `${phase.name} at ${ratePerSecond.toLocaleString('en-US')}/s${nameEndings[purpose]}`,
    load: { kind: 'open', ratePerSecond, arrivals, maxInFlight, threads },
    warmup: isFirst ? (phase.warmup ?? defaultWarmup) : defaultWarmup,
    stopAfter: { seconds: purpose === 'confirm' ? seconds * 2 : seconds },
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
