import { type Measurement } from '../measurement.ts'

/** What can be said of an expectation. */
export type Judgement = {
  readonly verdict: 'holds' | 'missed' | 'cannot tell'
  /** With the figures, in one or two sentences; after the name of what was measured. */
  readonly because: string
  /** What to do although nothing is missed. Absent: nothing. */
  readonly advice?: string
}

/** Something that is expected of a measurement. */
export type Expectation<Given extends readonly unknown[]> = (measurement: Measurement, ...given: Given) => Judgement

/** Judges an expectation that reads time: of a suite that measures nothing, and of a machine in a slow state, nothing bad is said. */
export function judgeTime(measurement: Measurement, judge: () => Judgement): Judgement {
  if (measurement.depth === 'off') return { verdict: 'holds', because: 'was not timed: MONGO_PERF is "off"' }
  if (measurement.latency === null)
    return { verdict: 'missed', because: `had no successful call${firstError(measurement)}` }
  const judgement = judge()
  const { machineSlowerPercent } = measurement
  if (judgement.verdict !== 'missed' || machineSlowerPercent <= slowAbovePercent) return judgement
  const slow = `The machine was ${Math.round(machineSlowerPercent)} % slower than before in this process, by a fixed kernel.`
  return { verdict: 'cannot tell', because: `${judgement.because} ${slow}` }
}

/** As in results: from here on the state of the machine may explain what was found. */
const slowAbovePercent = 10

/** The first error, for the end of a sentence. */
export function firstError({ errors }: Measurement): string {
  const [first] = errors
  return first === undefined ? '' : ` (${first.name}: ${first.message})`
}
