import { type Measurement } from '../measurement.ts'

/** "not timed": nothing can be said, as it was asked for by the depth or the time budget. */
export type ExpectationVerdict = 'holds' | 'missed' | 'cannot tell' | 'not timed'

/** What can be said of an expectation. */
export type Judgement = {
  readonly verdict: ExpectationVerdict
  /** With the figures, in one or two sentences; after the name of what was measured. */
  readonly because: string
  /** Whether times were judged, so that a message shows them. Default false. */
  readonly isOfTime?: boolean
  /** Whether times were compared round by round with others that met the same machine. Default false. */
  readonly isPaired?: boolean
  /** What to do although nothing is missed. Absent: nothing. */
  readonly advice?: string
}

/** Something that is expected of a measurement. */
export type Expectation<Given extends readonly unknown[]> = (measurement: Measurement, ...given: Given) => Judgement

/**
 * Judges an expectation of time. Where nothing was timed, none is missed. On a machine in a slow state that the other side did not meet, it is missed
 * only if it would be at the usual speed too.
 */
export function judgeTime(measurement: Measurement, judge: (measurement: Measurement) => Judgement): Judgement {
  const { notTimed, latency, machineSlowerPercent } = measurement
  if (notTimed !== null) return { verdict: 'not timed', because: `was not timed: ${notTimed}.` }
  if (latency === null) return { verdict: 'missed', because: `had no successful call${firstError(measurement)}.` }
  const judgement = { ...judge(measurement), isOfTime: true }
  const mayBeSlow = judgement.isPaired !== true && machineSlowerPercent > slowAbovePercent
  if (judgement.verdict !== 'missed' || !mayBeSlow) return judgement
  const { verdict } = judge(atSpeed(measurement, 1 / (1 - machineSlowerPercent / 100)))
  const slow = `the machine was ${Math.round(machineSlowerPercent)} % slower than in the other measurements of this process, by a fixed kernel of work`
  return verdict === 'missed'
    ? { ...judgement, because: `${judgement.because} It is missed after dividing by the slowness too: ${slow}.` }
    : { ...judgement, verdict: 'cannot tell', because: `${judgement.because} But ${slow}.` }
}

/** A measurement as it would be on a machine that is faster by a factor, if all of its time was spent computing. */
export function atSpeed(measurement: Measurement, factor: number): Measurement {
  const { latency, rounds, machineSpeed } = measurement
  const faster = (ms: number | null): number | null => ms && ms / factor
  return {
    ...measurement,
    machineSpeed: machineSpeed && machineSpeed * factor,
    latency: latency && { ...latency, p99Ms: latency.p99Ms / factor },
    rounds: rounds.map(({ callsPerSecond, meanMs, p50Ms, p99Ms, client, machineSpeed: speed }) => ({
      callsPerSecond: callsPerSecond * factor,
      meanMs: faster(meanMs),
      p50Ms: faster(p50Ms),
      p99Ms: faster(p99Ms),
      client,
      machineSpeed: speed,
    })),
  }
}

/** As in results: from here on the state of the machine may explain what was found. */
const slowAbovePercent = 10

/** The first error, for the end of a sentence. */
export function firstError({ errors }: Measurement): string {
  const [first] = errors
  return first === undefined ? '' : ` (${first.name}: ${first.message})`
}
