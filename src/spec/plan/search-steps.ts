import { parseThreshold } from '../../language/thresholds.ts'
import { type Search } from '../../load/courses/course.ts'
import { hold, openCaches } from '../../load/courses/hold.ts'
import { peak } from '../../load/courses/peak.ts'
import { rate } from '../../load/courses/rate.ts'
import { withChance } from '../../load/plan/arrival-times.ts'
import { readAddress } from '../../metrics/address.ts'
import { samplesNeeded } from '../../metrics/latency.ts'
import { type MetricTarget } from '../../metrics/scope.ts'
import { type SearchKind, searchWords } from '../../metrics/search-words.ts'
import { sum } from '../../metrics/statistics.ts'
import { type SearchStep, type WindowResult } from '../../results/schema/windows.ts'
import { getOperationName } from '../operations/index.ts'
import type { PhaseSpec } from '../schema/phase-schema.ts'
import type { SearchLoad } from '../schema/search-loads.ts'
import { calledIn } from './phase-operations.ts'
import { shapeOfPhase } from './shape.ts'

type StepLoad = Exclude<PhaseSpec['load'], SearchLoad>

/** How a kind of load searches. */
type Plan<Load> = {
  readonly createCourse: (load: Load) => Search<WindowResult>
  readonly planLoad: (load: Load, at: number) => StepLoad
  /** Opens what steps change on the servers, which must be ours. Default: nothing. */
  readonly openSetting?: typeof openCaches
  /** Whether each step takes the warm-up of the phase. Default: the first one does. */
  readonly warmsUp?: boolean
}

const plans: { readonly [Kind in SearchKind]: Plan<SearchLoad<Kind>> } = {
  findPeak: {
    createCourse: peak,
    planLoad: ({ threads }, workers) => ({ kind: 'closed', workers, threads }),
  },
  findRate: {
    createCourse: rate,
    planLoad: ({ arrivals, maxInFlight, threads }, ratePerSecond) => ({
      kind: 'open',
      ratePerSecond,
      arrivals,
      maxInFlight,
      threads,
    }),
  },
  findCache: {
    createCourse: hold,
    openSetting: openCaches,
    planLoad: ({ ratePerSecond, ...load }) => plans.findRate.planLoad({ ...load, kind: 'findRate' }, ratePerSecond),
    warmsUp: true,
  },
}

/** The plan of a kind takes the loads of that kind. */
export const getPlan = ({ kind }: SearchLoad): Plan<SearchLoad> => plans[kind] as Plan<SearchLoad>

export const isSearch = (load: PhaseSpec['load']): load is SearchLoad => 'secondsPerStep' in load

/** The limits of a search, which judge its steps. */
export const listLimits = (load: SearchLoad): string[] => ('holds' in load ? load.holds : [])

const defaultWarmup = { seconds: 1 }

const nameEndings = { step: '', again: ' again', confirm: ' to confirm' } as const

/** One step of a search as a phase. Its name is the place from which its calls are drawn. */
export function planStep(phase: PhaseSpec, load: SearchLoad, { at, purpose }: SearchStep) {
  const { planLoad, warmsUp = at === load.from && purpose === 'step' } = getPlan(load)
  const ofStep = planLoad(load, at)
  const needed = listLimits(load).map((limit) => secondsNeeded(limit, ofStep, phase))
  const seconds = Math.max(load.secondsPerStep, ...needed)
  return {
    ...phase,
    name: `${phase.name} at ${searchWords[load.kind].formatPlace(at)}${nameEndings[purpose]}`,
    load: ofStep,
    warmup: (warmsUp && phase.warmup) || defaultWarmup,
    stopAfter: { seconds: purpose === 'confirm' ? seconds * 2 : seconds },
  } satisfies PhaseSpec
}

/** The load of a phase; of a search, that of the step at one of its ends. */
export const loadAt = (end: 'from' | 'to', { load }: PhaseSpec): StepLoad =>
  isSearch(load) ? getPlan(load).planLoad(load, load[end]) : load

/** How long a step must be, so that a percentile among its limits has enough samples, by more than chance takes away. */
function secondsNeeded(limit: string, load: StepLoad, phase: PhaseSpec): number {
  const address = readAddress(parseThreshold(limit)?.address ?? '', shapeOfPhase(phase))
  if (load.kind !== 'open' || 'reason' in address || !('value' in address.column)) return 0
  const { percentile } = address.column
  if (percentile === undefined) return 0
  const { ratePerSecond = Infinity, arrivals } = load
  return withChance(samplesNeeded(percentile.share), arrivals) / (ratePerSecond * partOfCalls(address.target, phase))
}

export function partOfCalls(target: MetricTarget | null, phase: PhaseSpec): number {
  if (target === null || !('operation' in target)) return 1
  const called = calledIn(phase).map(({ spec }) => spec)
  const operation = called.find((one) => getOperationName(one) === target.operation)
  if (operation === undefined) return 1
  return operation.share ?? operation.weight / sum(called.map(({ weight }) => weight))
}
