import { type Measurement } from '../measurement.ts'

/** "not timed": nothing can be said, as it was asked for by the depth or the time budget. */
export type Verdict = 'holds' | 'missed' | 'cannot tell' | 'not timed'

/** What can be said of an expectation. */
export type Judgement = {
  readonly verdict: Verdict
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

/** Judges an expectation of time: where nothing was timed, and on a machine in a slow state that the other side did not meet, none is missed. */
export function judgeTime(measurement: Measurement, judge: () => Judgement): Judgement {
  const { notTimed, latency, machineSlowerPercent } = measurement
  if (notTimed !== null) return { verdict: 'not timed', because: `was not timed: ${notTimed}.` }
  if (latency === null) return { verdict: 'missed', because: `had no successful call${firstError(measurement)}.` }
  const judgement = { ...judge(), isOfTime: true }
  const mayBeSlow = judgement.isPaired !== true && machineSlowerPercent > slowAbovePercent
  if (judgement.verdict !== 'missed' || !mayBeSlow) return judgement
  const slow = `But the machine was ${Math.round(machineSlowerPercent)} % slower than in the other measurements of this process, by a fixed kernel of work.`
  return { verdict: 'cannot tell', because: `${judgement.because} ${slow}` }
}

/** As in results: from here on the state of the machine may explain what was found. */
const slowAbovePercent = 10

/** The first error, for the end of a sentence. */
export function firstError({ errors }: Measurement): string {
  const [first] = errors
  return first === undefined ? '' : ` (${first.name}: ${first.message})`
}
