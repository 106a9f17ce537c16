import { sum } from '../../metrics/statistics.ts'
import { type LoadedSpec } from '../load-spec.ts'
import { type BesideSpec } from '../schema/beside-schema.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'

/** Length of a shortened phase, and of its warm-up, in seconds. */
export const shortSeconds = 2
const shortWarmup = 0.5
const shortStep = 0.5

/**
 * Shortens the measured phases of a spec, each to two seconds at most. Phases that set up what others need are whole, and so
 * are those with faults, which come at their times.
 */
export const shortenPhases = (spec: LoadedSpec): LoadedSpec => ({
  ...spec,
  rows: spec.rows.map((row) => ({ ...row, spec: { ...row.spec, phases: row.spec.phases.map(shorten) } })),
})

function shorten(phase: PhaseSpec): PhaseSpec {
  const { load, beside, stopAfter, warmup, measured, faults = [] } = phase
  if (!measured || faults.length > 0) return phase
  const { precisionPercent: _, seconds = Infinity, ...limits } = stopAfter ?? {}
  return {
    ...phase,
    load: shortenLoad(load),
    beside: beside && shortenPlace(beside),
    warmup: warmup?.seconds === undefined ? warmup : { seconds: Math.min(shortWarmup, warmup.seconds) },
    stopAfter: stopAfter && { ...limits, seconds: Math.min(shortSeconds, seconds) },
  }
}

/** Loads that follow each other run at the same time, and a single pair of stretches is left. */
const shortenPlace = ({ alternation, ...place }: BesideSpec): BesideSpec => ({
  ...place,
  from: 0,
  alternation: alternation && { ...alternation, seconds: Math.min(shortSeconds / 2, alternation.seconds), pairs: 1 },
})

function shortenLoad(load: PhaseSpec['load']): PhaseSpec['load'] {
  if (load.kind === 'findPeak' || load.kind === 'findRate')
    return { ...load, secondsPerStep: Math.min(shortStep, load.secondsPerStep) }
  if (load.kind === 'closed' || load.stages === undefined) return load
  const factor = Math.min(1, shortSeconds / sum(load.stages.map(({ seconds }) => seconds)))
  return { ...load, stages: load.stages.map((stage) => ({ ...stage, seconds: stage.seconds * factor })) }
}
