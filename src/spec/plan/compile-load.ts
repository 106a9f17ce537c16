import { callsIn, createArrivalTimes, type Ramp, withChance } from '../../load/plan/arrival-times.ts'
import { type Pass, type PhasePlan, type StopAfter } from '../../load/plan/plan.ts'
import { sum } from '../../metrics/statistics.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { isSearch, planStep } from './search-steps.ts'

type OpenLoadSpec = Extract<PhaseSpec['load'], { kind: 'open' }>
type Stage = NonNullable<OpenLoadSpec['stages']>[number]

/** Returns the end of a phase. The stages of an open load define it; the schema requires it of every other load. */
export function resolveStopAfter({ load, stopAfter = {} }: PhaseSpec): StopAfter {
  return load.kind === 'open' && load.stages !== undefined
    ? { seconds: sumSeconds(splitStages(load.stages).measured) }
    : stopAfter
}

/** The length of a phase with its warm-up in seconds, at most; 0 within another one. Undefined: it ends after operations, or by what it finds. */
export function planSeconds(phase: PhaseSpec): number | undefined {
  const { parallel, load, warmup } = phase
  if (parallel !== undefined) return 0
  if (load.kind === 'open' && load.stages !== undefined) return sumSeconds(load.stages)
  const { seconds } = resolveStopAfter(phase)
  return seconds === undefined ? undefined : seconds + (warmup?.seconds ?? 0)
}

/** The largest number of calls that the timed window of a phase can have. Infinity: it depends on how fast they are. */
export function computeMaxCalls(phase: PhaseSpec): number {
  const { load } = phase
  const { operations = Infinity, seconds = Infinity } = resolveStopAfter(phase)
  if (isSearch(load)) return Infinity
  if (load.kind === 'closed') return Math.min(operations, (load.maxRatePerSecond ?? Infinity) * seconds + load.workers)
  const due = sum(createRamps(load, { 'warm-up': {}, measured: { seconds }, 'cool-down': {} }).measured.map(callsIn))
  return Math.min(operations, load.arrivals === 'constant' ? Math.ceil(due) : withChance(due, load.arrivals))
}

/** Who calls, when, and for how long. */
type LoadParts = Pick<PhasePlan, 'load' | 'workers' | 'threads' | 'warmup' | 'stopAfter'>

/** @param place Of the phase: what is drawn depends on it. */
export function compileLoad(spec: PhaseSpec, seed: number, place: string): LoadParts {
  const { load, warmup } = spec
  // What is planned of a search is its first step: each step is compiled when it begins.
  if (isSearch(load)) return compileLoad(planStep(spec, load, { at: load.from, purpose: 'step' }), seed, place)
  const stopAfter = resolveStopAfter(spec)
  if (load.kind === 'closed') {
    const { kind, workers, threads = 1, maxRatePerSecond } = load
    return { load: { kind, maxRatePerSecond }, workers, threads, warmup, stopAfter }
  }
  const { arrivals, maxInFlight } = load
  const passes = createRamps(load, { 'warm-up': warmup ?? {}, measured: stopAfter, 'cool-down': {} })
  return {
    load: {
      kind: 'open',
      arrivals,
      maxInFlight,
      ratePerSecond: meanRate(passes.measured),
      cooldown: computeRampsLength(passes['cool-down']),
      times: (pass, share) =>
        createArrivalTimes({ ramps: passes[pass], arrivals, seed, place: `${place}/${pass}`, share }),
    },
    workers: maxInFlight,
    threads: load.threads ?? 1,
    warmup: load.stages === undefined ? warmup : computeRampsLength(passes['warm-up']),
    stopAfter,
  }
}

type Passes<Part> = Readonly<Record<Pass, Part>>

/** How the rate goes in each pass. */
function createRamps({ ratePerSecond = 0, stages }: OpenLoadSpec, lengths: Passes<StopAfter>): Passes<readonly Ramp[]> {
  if (stages !== undefined) {
    const parts = splitStages(stages)
    return {
      'warm-up': parts['warm-up'].map(toRamp),
      measured: parts.measured.map(toRamp),
      'cool-down': parts['cool-down'].map(toRamp),
    }
  }
  const level = ({ seconds = Infinity }: StopAfter): readonly Ramp[] => [
    { seconds, from: ratePerSecond, to: ratePerSecond },
  ]
  return { 'warm-up': level(lengths['warm-up']), measured: level(lengths.measured), 'cool-down': [] }
}

const toRamp = ({ seconds, ratePerSecond, toRatePerSecond = ratePerSecond }: Stage): Ramp => ({
  seconds,
  from: ratePerSecond,
  to: toRatePerSecond,
})

/** Splits stages into passes: measured stages stand together. */
function splitStages(stages: readonly Stage[]): Passes<readonly Stage[]> {
  const first = stages.findIndex(({ measured }) => measured)
  const end = stages.findLastIndex(({ measured }) => measured) + 1
  return { 'warm-up': stages.slice(0, first), measured: stages.slice(first, end), 'cool-down': stages.slice(end) }
}

const sumSeconds = (parts: readonly { readonly seconds: number }[]): number => sum(parts.map(({ seconds }) => seconds))

const computeRampsLength = (ramps: readonly Ramp[]): { readonly seconds: number } | undefined =>
  ramps.length === 0 ? undefined : { seconds: sumSeconds(ramps) }

function meanRate(ramps: readonly Ramp[]): number {
  const [only, ...others] = ramps
  if (only !== undefined && others.length === 0) return (only.from + only.to) / 2
  return sum(ramps.map(callsIn)) / sumSeconds(ramps)
}
